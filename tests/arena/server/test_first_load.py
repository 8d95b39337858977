"""Tests of the first load of the page: its style sheet and its first scripts."""

import json
import re

from arena.server.first_load import BOARD_VIEWS, INDEX, STYLES, prepare
from arena.server.static import WEB, routes
from arena.sharing.endpoint import FEED_TYPES
from core import GAMES
from tests.support.cases import loop_over

HEAD = b"""<head>
<link rel="stylesheet" href="/b.css">
<link rel="stylesheet" href="/a/a.css">
<script type="module" src="/app.js"></script>
</head>
"""
PAGE = {INDEX: HEAD, "/b.css": b"b {}\n", "/a/a.css": b"a {}\n", "/app.js": b"", "/x.css": b"x"}


def preloaded(files: dict[str, bytes]) -> list[str]:
    """Return the scripts that a page names in its head."""
    return re.findall(r'rel="modulepreload" href="(.+)"', prepare(files)[INDEX].decode())


def test_the_style_sheets_that_there_are_become_one() -> None:
    prepared = prepare(PAGE)
    assert prepared[STYLES] == b"b {}\n\na {}\n"
    assert prepared[INDEX].count(b'rel="stylesheet"') == 1
    assert b'<link rel="stylesheet" href="/page.css">' in prepared[INDEX]
    assert {*prepared} == {INDEX, "/app.js", "/x.css", STYLES}
    assert prepare({INDEX: HEAD, "/b.css": b"b {}"})[STYLES] == b"b {}"
    prepared = prepare({INDEX: b"<head></head>", "/app.js": b""})
    assert {*prepared} == {INDEX, "/app.js"}
    assert b"stylesheet" not in prepared[INDEX]


@loop_over(
    "statement",
    'import { a } from "./b/b.js";',
    'import * as b from "./b/b.js";',
    'import b, { a as c$ } from "./b/b.js";',
    'import {\n  a,\n  b,\n} from "./b/b.js";',
    'import "./b/b.js";',
    'export { a } from "./b/b.js";',
)
def test_an_imported_script_is_named(statement: str) -> None:
    files = PAGE | {"/app.js": f"{statement}\nlet c;\n".encode(), "/b/b.js": b""}
    assert preloaded(files) == ["/app.js", "/b/b.js"]


def test_imports_of_imported_scripts_are_named_once() -> None:
    scripts = {
        "/app.js": b'import "./b/b.js";\nimport "./c.js";\n',
        "/b/b.js": b'import "../c.js";\nimport "../app.js";\n',
        "/c.js": b"",
    }
    assert preloaded(PAGE | scripts) == ["/app.js", "/b/b.js", "/c.js"]


def views(index: bytes) -> dict[str, list[str]]:
    """Return the scripts of each view that a page names."""
    found = re.search(
        rb'<script type="application/json" id="modules">(.+)</script>\n<script', index
    )
    assert found
    names: dict[str, list[str]] = json.loads(found[1])
    return names


def test_the_scripts_of_each_view_are_named() -> None:
    head = HEAD.replace(b"<script", b'<script src="/head.js"></script>\n<script')
    app = b"""import "./c.js";
const VIEWS = {
  "": () => (isPresented ? import("./present.js") : import("./lobby.js")),
  tables: () => import("./tables.js"),
  match: () => import("./match/match.js"),
};
"""
    scripts = {
        "/app.js": app,
        "/c.js": b"",
        "/lobby.js": b'import "./c.js";\nimport "./d.js";\n',
        "/d.js": b"",
        "/tables.js": b"",
        "/match/match.js": b'import "../d.js";\n',
        "/boards/nim/board.js": b'import { h } from "/c.js";\nexport * from "./rules.js";\n',
        "/boards/nim/rules.js": b"",
    }
    files = PAGE | scripts | {INDEX: head}
    board = ["/boards/nim/board.js", "/d.js", "/boards/nim/rules.js"]
    assert preloaded(files) == ["/app.js", "/c.js"]
    tables = {"tables": ["/tables.js"]}
    with_boards = {"": ["/lobby.js", *board], "match": ["/match/match.js", *board]}
    assert views(prepare(files, "nim")[INDEX]) == tables | with_boards
    alone = {"": ["/lobby.js", "/d.js"], "match": ["/match/match.js", "/d.js"]}
    assert views(prepare(files)[INDEX]) == tables | alone


@loop_over("script", ['import("./b.js");', 'export const b = "./b.js";', '// import "./b.js";'])
def test_scripts_that_are_loaded_later_are_not_named(script: str) -> None:
    assert preloaded(PAGE | {"/app.js": script.encode(), "/b.js": b""}) == ["/app.js"]


def test_a_missing_script_is_not_named() -> None:
    assert preloaded(PAGE | {"/app.js": b'import "./b.js";'}) == ["/app.js"]


def test_all_that_the_page_names_is_served() -> None:
    served = routes([*GAMES.values()], print)
    index = served[INDEX]().body
    names = re.findall(r'(?:href|src)="(/[^"]+)"', index.decode())
    assert {"/app.js", "/dom.js", STYLES} <= {*names} <= {*served, *FEED_TYPES}
    found = views(index)
    assert {path for paths in found.values() for path in paths} <= {*served}
    loaded = re.findall(r'import\("\.(/.+?)"\)', (WEB / "app.js").read_text())
    assert {paths[0] for paths in found.values()} == {*loaded} - {
        "/present/present.js",
        "/shortcuts.js",
    }
    assert {name for name in found if "/boards/take_stones/board.js" in found[name]} == BOARD_VIEWS
    for sheet in re.findall(r'rel="stylesheet" href="/(.+)"', (WEB / "index.html").read_text()):
        assert (WEB / sheet).read_bytes() in served[STYLES]().body
