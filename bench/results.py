"""Where measured tables go: a file each in bench/results/, and all of them in bench/README.md."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).with_name("results")
README = Path(__file__).with_name("README.md")
HEAD = """# Measured

Put together by `python -m bench.results` from the files in `bench/results/`, each written by the
command it names; do not edit. Figures of quality stand in [quality.md](quality.md).
"""


def write_result(name: str, text: str) -> None:
    """Write one command's table and put bench/README.md together again.

    Args:
        name: of the file in bench/results/, without its ending.
        text: Markdown that begins with a heading of the first level.
    """
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
    compose()


def compose() -> None:
    """Put bench/README.md together; headings go one level down."""
    parts = [HEAD]
    for file in sorted(FOLDER.glob("*.md")):
        lines = file.read_text(encoding="utf-8").strip().split("\n")
        parts.append("\n".join(f"#{line}" if line.startswith("#") else line for line in lines))
    README.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    compose()
