"""The site of the documentation: built strictly, complete, and independent of other servers."""

import importlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.support.cases import loop_over
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import is_too_wide

ROOT = Path(__file__).parents[2]
API = ROOT / "docs" / "reference" / "python.md"
MODULES = re.findall(r"^\.\. automodule:: (.+)$", API.read_text(), re.M)


def build(folder: Path, hash_seed: int = 0) -> Path:
    """Build the site into a folder with the command of the Makefile, and return its folder."""
    makefile = (ROOT / "Makefile").read_text()
    [command] = re.findall(r"\$\(RUN\) (-m sphinx .*\\\n.*)$", makefile, re.M)
    words = shlex.split(command.replace("\\\n", ""))
    assert "--fail-on-warning" in words
    words[-1], words[words.index("build/doctrees")] = str(folder / "site"), str(folder / "doctrees")
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    ended = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return folder / "site"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site."""
    return build(tmp_path_factory.mktemp("site"))


def pages_with(site: Path, text: str) -> list[Path]:
    """Return the pages with a text in their source."""
    return [page for page in sorted(site.glob("[!_]*/**/*.html")) if text in page.read_text()]


def test_a_second_build_is_the_same(site: Path, tmp_path: Path) -> None:
    def files(folder: Path) -> dict[Path, bytes]:
        found = [file for file in folder.rglob("*") if file.is_file() and file.name != ".buildinfo"]
        return {file.relative_to(folder): file.read_bytes() for file in found}

    first, second = files(site), files(build(tmp_path, hash_seed=1))
    assert first.keys() == second.keys()
    assert not [file for file, content in first.items() if second[file] != content]


@loop_over("module", MODULES)
def test_every_public_name_is_documented(site: Path, module: str) -> None:
    documented = set(re.findall(r'<dt class="sig [^>]* id="([\w.]+)"', page_of_api(site)))
    public = getattr(importlib.import_module(module), "__all__", [])
    assert {f"{module}.{name}" for name in public} <= documented
    assert any(name.startswith(f"{module}.") for name in documented)


def page_of_api(site: Path) -> str:
    return (site / "docs" / "reference" / "python.html").read_text()


def entry(site: Path, name: str) -> str:
    """Return the signature of a name and its first paragraph in the reference, without spaces."""
    found = page_of_api(site).partition(f'id="{name}">')[2].partition("</p>")[0]
    return re.sub(r"<[^>]+>|\s+", "", found)


def test_a_compiled_class_has_the_types_of_its_stub_and_its_docstring(site: Path) -> None:
    text = entry(site, "core.take_stones.Board")
    assert "taken:Iterable[int]=()" in text
    assert "AgameofTake-Stoneswiththestones1ton" in text


@loop_over("package", ["core", "arena", "bots"])
def test_a_package_with_public_modules_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_the_readme_is_the_home_page(site: Path, visit: Visit) -> None:
    page = visit((site / "index.html").as_uri())
    expect(page).to_have_url(re.compile("/README.html$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Take-Stones Arena")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("blossom", "docs/explanation/theory.html"),
        ("position_svg", "docs/reference/python.html#core.picture.position_svg"),
    ],
)
def test_search_needs_no_server(site: Path, visit: Visit, words: str, found: str) -> None:
    page = visit((site / "README.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    page.locator(f"#search-results a[href$='{found}']").click()
    expect(page).to_have_url(re.compile(re.escape(found)))


def test_formulas_are_shown(site: Path, visit: Visit) -> None:
    found = pages_with(site, 'class="math')
    assert found
    for file in found:
        page = visit(file.as_uri())
        formulas = page.locator(".math")
        expect(formulas.locator(".katex")).to_have_count(formulas.count())
        expect(page.locator(".katex-error")).to_have_count(0)


def test_diagrams_are_shown_in_either_theme(site: Path, visit: Visit) -> None:
    found = pages_with(site, "highlight-mermaid")
    assert len(found) == 2
    for file in found:
        page = visit(file.as_uri())
        drawn = page.locator(".diagram > svg[id]")
        expect(drawn).to_have_count(file.read_text().count("highlight-mermaid"))
        light = drawn.last.inner_html()
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        expect(drawn.last).not_to_have_js_property("innerHTML", light)


class QuietHandler(SimpleHTTPRequestHandler):
    """Server of files that logs nothing."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """Serve the site, which axe needs; yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=site)) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["README", "docs/explanation/theory", "docs/reference/protocol"])
def test_a_page_is_accessible(served: str, visit: Visit, name: str, dark: bool) -> None:
    visit.expect_error("404")  # axe looks for an imported style sheet in the folder of the page
    page = visit(f"{served}{name}.html", dark=dark)
    assert not accessibility_violations(page)


def test_no_page_is_wider_than_a_phone(site: Path, visit: Visit) -> None:
    page = visit((site / "README.html").as_uri(), phone=True)
    for file in pages_with(site, "<article"):
        page.goto(file.as_uri())
        assert not is_too_wide(page), file
