from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.content import load_content
from sitegen.frontmatter import parse_document
from sitegen.records import Decision


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return root


def test_i6_bom_and_crlf_make_no_difference() -> None:
    plain = b"---\ntitle: Otters\ntags: [a, b]\n---\nThey whistle.\n"
    odd = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")
    assert parse_document(odd, "x.md") == parse_document(plain, "x.md")
    assert parse_document(plain, "x.md")[0].body == "They whistle."


def test_i7_scalars_stay_as_typed() -> None:
    document, problems = parse_document(
        b"---\narxiv: 9912.12340\ntitle: no\ntags: [on, 1e5]\ntime: 12:30:00\nempty:\n---\n", "x.md"
    )
    assert problems == ()
    values = {key: field.value for key, field in document.fields.items()}
    assert values == {
        "arxiv": "9912.12340",
        "title": "no",
        "tags": ("on", "1e5"),
        "time": "12:30:00",
        "empty": "",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\ntitle: x\n", "x.md:1: error: front matter has no end [front-matter-open]"),
        ("---\na: b: c\n---\n", "x.md:2: error: front matter: mapping values are not allowed"),
        ("---\n\na: 1\na: 2\n---\n", "x.md:4: error: a is given twice"),
        ("---\na: {b: c}\n---\n", "x.md:2: error: a is nested"),
        ("---\n- a\n---\n", "x.md:2: error: front matter is not a list of keys"),
        ("---\na: &x [y]\nb: *x\n---\n", "aliases (*name) are not supported"),
    ],
)
def test_a_broken_header_is_named_and_never_becomes_text(text: str, said: str) -> None:
    document, problems = parse_document(text.encode(), "x.md")
    assert said in str(problems[0])
    assert document.body == ""


def test_a_yaml_bomb_is_refused_at_once() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(
        f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60)
    )
    document, problems = parse_document(f"---\n{bomb}---\n".encode(), "x.md")
    assert document.fields == {}
    assert len(problems) == 1


def test_deep_nesting_is_refused() -> None:
    _, problems = parse_document(f"---\na: {'[' * 50_000}\n---\n".encode(), "x.md")
    assert problems[0].code == "front-matter-syntax"


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_reported(data: bytes) -> None:
    _, problems = parse_document(b"---\n" + data, "x.md")
    assert all(problem.location.path == "x.md" for problem in problems)


def test_all_kinds_of_content_are_read(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "content/topics/otters.md": (
                "---\ntitle: Otters\nphrases: [otter call]\nparent: animals\norder: 2\n"
                "narrow: true\n---\nWhat they say.\n"
            ),
            "content/topics/animals.md": "---\ntitle: Animals\n---\n",
            "content/papers/0123abcd.md": (
                "---\ntitle: A title\nauthors: [Ann van der Meer]\ndate: 2031-05\npick: yes\n"
                "tags: [otter]\nnot_tags: [animal]\ntopics: [otters]\n---\nRead this.\n"
            ),
            "content/editions/may.md": "---\ntitle: May\ndate: 2031-05-01\n---\nThe first.\n",
            "content/pages/about.md": "---\ntitle: About\n---\nHello.\n",
            "content/index.md": "---\ntitle: Welcome\n---\nCome in.\n",
            "content/decisions.toml": '[[pair]]\nleft = "a"\nright = "b"\nanswer = "same"\n',
        },
    )
    content, problems = load_content(root)
    assert problems == ()
    assert [topic.slug for topic in content.topics] == ["animals", "otters"]
    assert content.topics[1].narrow
    override = content.overrides["0123abcd"]
    assert (override.title, override.date, override.pick) == ("A title", "2031-05", True)
    assert override.note == "Read this."
    assert override.arxiv is None
    assert (content.headline, content.welcome) == ("Welcome", "Come in.")
    assert content.editions[0].date == "2031-05-01"
    assert content.decisions == (Decision(left="a", right="b", same=True),)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("topics/a.md", "---\ntitel: x\n---\n", "topics/a.md:2: error: unknown key titel"),
        ("topics/A b.md", "", "content/topics/A b.md: error: not a valid file name"),
        ("papers/xyz.md", "", "content/papers/xyz.md: error: not a valid file name"),
        ("topics/a.md", "---\nparent: b\n---\n", "topics/a.md:2: error: parent: no topic b"),
        ("topics/a.md", "---\norder: first\n---\n", "order cannot be 'first'"),
        ("papers/0123abcd.md", "---\npick: maybe\n---\n", "pick cannot be 'maybe'"),
        ("papers/0123abcd.md", "---\ntitle: [a, b]\n---\n", "title cannot be ['a', 'b']"),
        ("papers/0123abcd.md", "---\nurl: javascript:x()\n---\n", "url cannot be"),
        ("editions/a.md", "---\ndate: 5/6/31\n---\n", "date cannot be '5/6/31'"),
        ("decisions.toml", "[[pair]]\nleft='a'\n", "pair 1 is not complete"),
        ("decisions.toml", "[[pair\n", "content/decisions.toml:1: error: not valid TOML"),
        (
            "decisions.toml",
            "\n[[pairs]]\nleft='a'\n",
            "decisions.toml:2: error: unknown table pairs",
        ),
        ("papers/0123abcd.md", "---\nwithdrawn: yes\n---\n", "withdrawn cannot be 'yes'"),
        ("topics/a.md", "---\ntitle: A\n\tb: c\n---\n", "hint: indent with spaces"),
        ("topics/a.md", "---\nphrases: [a, b\n---\n", "hint: close it with ]"),
        ("topics/seals.txt", "---\ntitle: Seals\n---\n", "side by side and end in .md"),
        ("topic/seals.md", "", "content/topic/: warning: nothing reads it"),
        ("decision.toml", "", "did you mean content/decisions.toml?"),
        ("about.md", "", "content/about.md: warning: nothing reads it"),
        ("index.md", b"\xff", "content/index.md:1: error: not UTF-8"),
    ],
)
def test_what_cannot_be_used_is_reported(
    tmp_path: Path, name: str, text: str | bytes, said: str
) -> None:
    _, problems = load_content(write(tmp_path, {f"content/{name}": text}))
    assert len(problems) == 1
    assert said in str(problems[0])


def test_parents_in_a_circle_are_reported(tmp_path: Path) -> None:
    _, problems = load_content(
        write(
            tmp_path,
            {
                "content/topics/a.md": "---\nparent: b\n---\n",
                "content/topics/b.md": "---\nparent: a\n---\n",
            },
        )
    )
    assert {problem.code for problem in problems} == {"topic-circle"}


def test_an_alias_that_another_topic_has_is_told(tmp_path: Path) -> None:
    files = {"a": "aliases: [b]", "b": "aliases: [See, c]", "d": "aliases: [see]"}
    root = write(
        tmp_path, {f"content/topics/{key}.md": f"---\n{one}\n---\n" for key, one in files.items()}
    )
    _, problems = load_content(root)
    assert [str(problem).split(" [")[0] for problem in problems] == [
        "content/topics/a.md:2: warning: aliases: b is a topic of its own",
        "content/topics/d.md:2: warning: aliases: see leads to topic b",
    ]


def test_what_editors_leave_behind_is_no_stray(tmp_path: Path) -> None:
    names = ("topics/.a.md.swp", "topics/a.md~", "topics/#a.md#", ".DS_Store", "aliases.toml")
    assert load_content(write(tmp_path, {f"content/{name}": "" for name in names}))[1] == ()
