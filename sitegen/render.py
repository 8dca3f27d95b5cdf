"""Site to HTML files through Jinja2 templates, which see views and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from sitegen.bundle import FOLDER, bundle
from sitegen.diagnostics import Location, SitegenError, error
from sitegen.fingerprints import Fingerprints, code_digest, digest_of
from sitegen.records import LateFile, OutFile, SiteFile
from sitegen.views import Page, Row, Site

if TYPE_CHECKING:
    from jinja2 import Environment

_BREAK = re.compile(
    r">\n+(?=</?(?:article|aside|body|details|div|dl|fieldset|footer|form|h[1-6]|head|header|li|link"
    r"|main|meta|nav|noscript|ol|p|path|script|section|table|tbody|thead|title|tr|ul)\b)"
)
"""Between tags of which the second begins or ends a block; formatted text holds no tags."""
BUILTIN_PREFIX = "sitegen"
"""A project's own template reaches the one it replaces as ``sitegen/<name>``."""
MANIFEST = "site.webmanifest"

_SPECIAL = re.compile("[&<>'\"]")


def builtin_templates() -> Path:
    """Return the folder of built-in templates, in the wheel or in the project's checkout."""
    package = Path(__file__).parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def asset_files() -> tuple[OutFile, ...]:
    """Return style sheet, scripts, fonts and their licences."""
    return bundle().files


def page_files(
    site: Site, template_dirs: Sequence[Path] = (), *, skip: Container[str] = ()
) -> Iterator[LateFile]:
    """Yield the file of each page, to be made later, in any process that was forked from this one.

    Args:
        site: what `sitegen.pages.build_site` decided.
        template_dirs: folders searched before the built-in templates, first one first.
        skip: paths of pages that are not wanted.

    Raises:
        SitegenError: a template is missing or wrong; names its file and line. Making a file may
            raise it as well.
    """
    environment = _environment(template_dirs)
    environment.globals.update(
        info=site.info, assets=bundle().paths, row_html=_row_renderer(environment)
    )
    key_of = _page_keys((site.info, bundle().paths), template_dirs)
    for template in dict.fromkeys(page.template for page in site.pages):
        with _naming_place(Page(path=template, template=template, title="", basis=None)):
            environment.get_template(template)
    for page in site.pages:
        if page.path not in skip:
            yield LateFile(
                path=page.file,
                make=partial(_page, environment, site.info.base_path, page),
                key=partial(key_of, page),
            )


def _page_keys(shared: object, template_dirs: Sequence[Path]) -> Callable[[Page], str]:
    """Return the function that gives a page's fingerprint.

    It holds the page with the basis of its view, what all pages are rendered with, every file of
    the package and every template, and the versions of the libraries that make HTML.
    """
    folders = b"".join(map(digest_of, template_dirs))
    base = Fingerprints(code_digest() + folders).of(shared)
    return Fingerprints(base.encode()).of


def app_files(site: Site, key: str, version: Callable[[], str]) -> Iterator[SiteFile]:
    """Yield what makes the digest an app that works offline.

    Args:
        site: what `sitegen.pages.build_site` decided.
        key: changes with whatever the version rests on.
        version: makes a text that changes with what the pages of papers say.
    """
    of = Fingerprints(code_digest()).of
    yield LateFile(path="sw.js", make=partial(_worker, version), key=partial(of, key))
    yield OutFile(path=MANIFEST, data=_manifest(site))


def _manifest(site: Site) -> bytes:
    """Return what a browser needs to install the digest as an app of its own."""
    data = {
        "name": site.info.title,
        "description": site.info.description,
        "lang": site.info.language,
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": "#fbfaf6",
        "theme_color": "#fbfaf6",
        "icons": [{"src": bundle().paths["icon.svg"], "sizes": "any", "type": "image/svg+xml"}],
    }
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    return text.encode("utf-8", "replace")


def _worker(version: Callable[[], str]) -> bytes:
    """Return the service worker, which changes with the digest so that it is fetched anew."""
    shown = repr(sorted(bundle().paths.values())) + version()
    digest = hashlib.sha256(shown.encode()).hexdigest()
    text = (FOLDER / "sw.js").read_text(encoding="utf-8")
    text = text.replace("@style@", bundle().paths["style.css"])
    return text.replace("@version@", digest[:12]).encode()


def _page(environment: Environment, base_path: str, page: Page) -> bytes:
    root = root_of(page, base_path)
    with _naming_place(page):
        template = environment.get_template(page.template)
        text = _tighten(template.render(page=page, view=page.view, root=root), page, root)
    return text.encode("utf-8", "replace")


@contextmanager
def _naming_place(page: Page) -> Iterator[None]:
    """Turn a template's failure into a problem with its file and line."""
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        yield
    except TemplateSyntaxError as exc:
        where = Location(exc.filename or exc.name or page.template, exc.lineno)
        raise SitegenError(error("template-syntax", exc.message or str(exc), where)) from exc
    except (TemplateError, TypeError, ValueError, AttributeError, ArithmeticError) as exc:
        where = _template_place(exc, page)
        text = f"{exc} (while rendering /{page.path})"
        raise SitegenError(error("template-failed", text, where)) from exc


def _tighten(html: str, page: Page, root: str) -> str:
    """Drop line breaks that mean nothing, and lead to what stands beside a page without detour."""
    folder = page.path.partition("/")[0]
    if root.startswith("../../"):
        html = html.replace(f'="{root}{folder}/', f'="{root.removesuffix("../")}')
    return _BREAK.sub(">", html)


def _template_place(exc: BaseException, page: Page) -> Location:
    """Find the innermost template line of a failure; Jinja2 maps its frames to the source."""
    place = Location(page.template)
    trace = exc.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename.endswith(".html"):
            place = Location(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


def root_of(page: Page, base_path: str) -> str:
    """Return the way from a page to the site's root.

    Relative, so that the same bytes work under any address; only the 404 page, which the host shows
    at any depth, needs the absolute path.
    """
    if page.path == "404.html":
        return base_path
    return "../" * page.path.count("/") or "./"


def _environment(template_dirs: Sequence[Path]) -> Environment:
    from jinja2 import (
        ChoiceLoader,
        Environment,
        FileSystemLoader,
        PrefixLoader,
        StrictUndefined,
        Template,
    )

    class QuickTemplate(Template):
        """Writes text that needs no escaping as it is: half of a page's time goes into wrapping it.

        The compiled template looks ``escape`` up in its module.
        """

        @classmethod
        def from_code(cls, *args: Any, **kwargs: Any) -> Template:
            made = super().from_code(*args, **kwargs)
            made.root_render_func.__globals__["escape"] = _escape
            return made

    class QuickEnvironment(Environment):
        template_class = QuickTemplate

    builtin = FileSystemLoader(builtin_templates())
    return QuickEnvironment(
        loader=ChoiceLoader(
            [
                *(FileSystemLoader(folder) for folder in template_dirs),
                builtin,
                PrefixLoader({BUILTIN_PREFIX: builtin}),
            ]
        ),
        # every template is HTML, whatever its name
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
    )


def _escape(value: object) -> str:
    """Escape as `markupsafe.escape` does, to be written out and not to be put together further."""
    if type(value) is str:
        return escape(value) if _SPECIAL.search(value) else value
    return value if type(value) is Markup else escape(value)


def _row_renderer(environment: Environment) -> Callable[..., Markup]:
    """Return a function that renders a row once for each depth of pages and remembers it.

    A paper stands in some ten lists; all lists of the same depth show the same bytes. A list whose
    page says them already leaves out tags or topics.
    """
    made: dict[tuple[str, str, bool, bool], Markup] = {}
    macro = None

    def row_html(row: Row, root: str, tags: bool = True, topics: bool = True) -> Markup:
        nonlocal macro
        if macro is None:
            macro = environment.get_template("_parts.html").module.row  # type: ignore[attr-defined]
        key = (row.id, root, tags, topics)
        if key not in made:
            # the macro escaped what it was given
            made[key] = Markup(str(macro(row, root, tags, topics)).strip())  # noqa: S704
        return made[key]

    return row_html
