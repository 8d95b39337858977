"""Configuration of Sphinx for the site of the documentation: `make docs`.

Its source is the whole repository, and the README its home page, so that each page has one file,
and each link between files is the same here and where the repository is browsed.
"""

import shutil
import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.errors import ConfigError

SITE = Path(__file__).parent
sys.path[:0] = [str(SITE)]

from stubs import show_stubs  # noqa: E402

ICON = "../../arena/web/icon.svg"
SCRIPTS = SITE.parents[1] / "build" / "web" / "node_modules"
# Languages of code blocks that Pygments does not know; most are names by which tests find a block.
PLAIN_TEXTS = (
    *("answer", "book", "bot", "csv", "events", "exchange", "informed", "isolation", "jq", "jsonl"),
    *("line", "logrotate", "losing", "mermaid", "output", "pgn", "take_stones", "trace", "tree"),
)

project = "Take-Stones Arena"
html_title = project
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "examples/**.md"]
exclude_patterns = [
    *(".*", "arena", "bench", "bots", "build", "core", "results", "tests", "testcases"),
    "docs/site",
]
templates_path = ["templates"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 6

default_role = "code"  # docstrings have names in single backticks, as in Markdown
napoleon_custom_sections = [("Attributes", "params_style")]  # whose types the signature has
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True, "special-members": "__call__"}
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80

# Sphinx writes the formulas as they are, and loads this script where there are some.
mathjax_path = "katex/katex.min.js"
mathjax_inline = mathjax_display = ["", ""]

html_theme = "pydata_sphinx_theme"
html_static_path = ["static"]
html_css_files = ["katex/katex.min.css", "site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_favicon = ICON
html_context = {"default_mode": "auto"}
html_sidebars = {"**": ["navigation.html"]}
html_additional_pages = {"index": "redirect.html"}
html_copy_source = False
html_use_index = False
html_theme_options = {
    "logo": {"image_light": ICON, "image_dark": ICON, "text": project, "alt_text": ""},
    "navbar_center": [],
    "navbar_end": ["theme-switcher"],
    "primary_sidebar_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "article_header_start": [],
    "footer_start": [],
    "footer_end": [],
    "search_as_you_type": True,
}


def add_navigation(_: Sphinx, page: str, source: list[str]) -> None:
    """Append the navigation to the home page as it is read."""
    if page == root_doc:
        source[0] += "\n" + (SITE / "navigation.txt").read_text()


def copy_scripts(app: Sphinx) -> None:
    """Copy the scripts that show formulas and diagrams, with fonts, so that the site has them."""
    katex, target = SCRIPTS / "katex" / "dist", Path(app.outdir, "_static", "katex")
    if not katex.exists():
        raise ConfigError(f"no scripts in {SCRIPTS}: run `make docs`")
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    for file in [*katex.glob("katex.min.*"), *katex.glob("fonts/*.woff2")]:
        shutil.copy(file, target / file.relative_to(katex))
    shutil.copy(SCRIPTS / "@mermaid-js" / "tiny" / "dist" / "mermaid.tiny.js", target.parent)


def is_field(
    _app: Sphinx, _what: str, _name: str, member: object, skips: bool, _options: object
) -> bool | None:
    """Return whether a member is a field of a NamedTuple: the signature of the class has it."""
    return skips or str(member.__doc__).startswith("Alias for field number") or None


def readable_signature(
    _app: Sphinx, _what: str, _name: str, _object: object, _options: object, *signature: str | None
) -> tuple[str, str | None] | None:
    """Return the arguments and the result of a function without what only Python needs."""
    arguments, result = signature
    if arguments == "(*args, **kwargs)":  # of a protocol, which nothing constructs
        return "", result
    return (arguments.replace("<class 'str'>", "str"), result) if arguments else None


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("source-read", add_navigation)
    app.connect("builder-inited", copy_scripts)
    app.connect("autodoc-skip-member", is_field)
    app.connect("autodoc-process-signature", readable_signature)
    show_stubs("core")
    for name in PLAIN_TEXTS:
        app.add_lexer(name, TextLexer)
