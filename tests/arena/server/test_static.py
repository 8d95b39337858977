"""Static files of the page, as a browser receives them, and its first load."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import core
from arena.server.static import BOARD_VIEWS, INDEX, STYLES, WEB, prepare_page, routes
from arena.spectators.sharing.endpoint import FEED_TYPES
from core import GAMES
from core.game import Game
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.servers.http_client import monitored_server

HEAD = b"""<head>
<link rel="stylesheet" href="/b.css">
<link rel="stylesheet" href="/a/a.css">
<script type="module" src="/app.js"></script>
</head>
"""
PAGE = {INDEX: HEAD, "/b.css": b"b {}\n", "/a/a.css": b"a {}\n", "/app.js": b"", "/x.css": b"x"}
CORE = Path(core.__file__).parent
FILES = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.*")}
OUR_BOARDS = [*CORE.glob("*/web/*.*")]
SOURCES = sorted(
    file for file in [*WEB.rglob("*.*"), *OUR_BOARDS] if file.suffix in {".html", ".js", ".css"}
)


def preloaded(files: dict[str, bytes]) -> list[str]:
    """Return the scripts that a page names in its head."""
    return re.findall(r'rel="modulepreload" href="(.+)"', prepare_page(files)[INDEX].decode())


def test_the_style_sheets_become_one_in_their_order() -> None:
    prepared = prepare_page(PAGE)
    assert prepared[STYLES] == b"b {}\n\na {}\n"
    assert prepared[INDEX].count(b'rel="stylesheet"') == 1
    assert b'<link rel="stylesheet" href="/page.css">' in prepared[INDEX]
    assert {*prepared} == {INDEX, "/app.js", "/x.css", STYLES}


def test_a_style_sheet_that_cannot_be_read_is_left_out() -> None:
    assert prepare_page({INDEX: HEAD, "/b.css": b"b {}"})[STYLES] == b"b {}"


def test_a_page_without_style_sheets_has_none() -> None:
    prepared = prepare_page({INDEX: b"<head></head>", "/app.js": b""})
    assert {*prepared} == {INDEX, "/app.js"}
    assert b"stylesheet" not in prepared[INDEX]


@pytest.mark.parametrize(
    "statement",
    [
        'import { a } from "./b/b.js";',
        'import * as b from "./b/b.js";',
        'import b, { a as c$ } from "./b/b.js";',
        'import {\n  a,\n  b,\n} from "./b/b.js";',
        'import "./b/b.js";',
        'export { a } from "./b/b.js";',
    ],
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
        "/boards/nim/board.css": b"",
        "/boards/nim/board.js": b'import { h } from "/c.js";\nexport * from "./rules.js";\n',
        "/boards/nim/rules.js": b"",
    }
    files = PAGE | scripts | {INDEX: head}
    board = ["/boards/nim/board.css", "/boards/nim/board.js"]
    assert preloaded(files) == ["/app.js", "/c.js"]
    tables = {"tables": ["/tables.js"]}
    with_boards = {
        "": [*board, "/lobby.js", "/boards/nim/rules.js", "/d.js"],
        "match": [*board, "/match/match.js", "/boards/nim/rules.js", "/d.js"],
    }
    assert views(prepare_page(files, "nim")[INDEX]) == tables | with_boards
    alone = {"": ["/lobby.js", "/d.js"], "match": ["/match/match.js", "/d.js"]}
    assert views(prepare_page(files)[INDEX]) == tables | alone


@pytest.mark.parametrize(
    "script", ['import("./b.js");', 'export const b = "./b.js";', '// import "./b.js";']
)
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
    first = {*loaded} & {path for paths in found.values() for path in paths}
    assert first == {*loaded} - {"/present/present.js", "/shortcuts.js"}
    assert {name for name in found if "/boards/take_stones/board.js" in found[name]} == BOARD_VIEWS
    for sheet in re.findall(r'rel="stylesheet" href="/(.+)"', (WEB / "index.html").read_text()):
        assert _rules((WEB / sheet).read_text()) in _rules(served[STYLES]().body.decode())


def test_no_view_needs_many_files() -> None:
    index = routes([*GAMES.values()], print)[INDEX]().body
    common = len(re.findall(rb'(?:href|src)="/[^"]+\.(?:js|css)"', index))
    assert max(common + len(files) for files in views(index).values()) <= 42


def _rules(sheet: str) -> str:
    """Return a style sheet without its comments."""
    return re.sub(r"/\*.*?\*/|\s+", "", sheet, flags=re.DOTALL)


def test_all_files_of_the_page_are_served() -> None:
    served = {*routes([], print)} - {"/", "/embed/", "/favicon.ico", "/page.css"}
    assert {file for file in FILES if f"/{file}" not in served} == {
        file
        for file in FILES
        if file.endswith(".css")  # those of the page are one
    }
    assert served <= {f"/{file}" for file in FILES}


def test_the_boards_of_our_games_are_served() -> None:
    boards = {f"/boards/{file.parts[-3]}/{file.name}" for file in OUR_BOARDS}
    assert {*routes(GAMES.values(), print)} - {*routes([], print)} == boards
    assert "/boards/isolation/board.js" in boards


def board(folder: Path, *files: str) -> Game:
    """Return a game whose board consists of these files, each of which contains its name."""
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file)
    return NIM._replace(page=folder)


def boards(game: Game) -> dict[str, str]:
    """Return the files that are served for a game, by their paths."""
    prefix = "/boards/misere_nim/"
    return {
        path.removeprefix(prefix): route().body.decode()
        for path, route in routes([game], print).items()
        if path.startswith(prefix)
    }


def test_the_board_of_a_package_is_served_with_its_folders(tmp_path: Path) -> None:
    files = {"board.js": "board.js", "pieces/king.svg": "pieces/king.svg", "a%20b.css": "a b.css"}
    unknown = ("secret.py", "notes", ".netrc", "__pycache__/x.pyc")
    assert boards(board(tmp_path, *files.values(), *unknown)) == files


@loop_over("files", [(), ("boards.js",)])
def test_a_folder_without_a_board_is_not_served(tmp_path: Path, files: tuple[str, ...]) -> None:
    assert not boards(board(tmp_path / "web", *files))


@loop_over("name", [".#board.js", "pieces/.#king.svg"])
def test_a_dangling_file_is_left_out(tmp_path: Path, name: str) -> None:
    game = board(tmp_path, "board.js", "pieces/king.svg")
    dangling = tmp_path / name
    dangling.symlink_to("user@host.1234:1")  # as Emacs locks a file
    lines: list[str] = []
    files = routes([game], lines.append)
    assert {*files} - {*routes([], print)} == {
        "/boards/misere_nim/board.js",
        "/boards/misere_nim/pieces/king.svg",
    }
    assert lines == [f"cannot read {dangling}: No such file or directory"]


@pytest.fixture
def without_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve boards alone: another user may not enter the folder of the project."""
    monkeypatch.setattr("arena.server.static.WEB", Path("/nonexistent"))


@pytest.mark.usefixtures("without_page")
@pytest.mark.parametrize("closed", ["secret.css", "pieces"])
def test_what_may_not_be_read_is_left_out(shared_folder: Path, closed: str) -> None:
    game = board(shared_folder, "board.js", "secret.css", "pieces/king.svg")
    (shared_folder / closed).chmod(0)
    left = {"board.js", "secret.css", "pieces/king.svg"} - {closed, f"{closed}/king.svg"}
    assert {*boards(game)} == left
    (shared_folder / closed).chmod(0o700)


@pytest.mark.usefixtures("without_page")
@pytest.mark.parametrize("closed", [".", "board.js"])
def test_a_board_that_cannot_be_read_is_none(shared_folder: Path, closed: str) -> None:
    page = shared_folder / "web"
    game = board(page, "board.js", "board.css")
    (page / closed).chmod(0o300)
    lines: list[str] = []
    assert not routes([game], lines.append)
    assert lines == [f"misere_nim is shown as text: cannot read board.js in {page}"]
    assert not game.has_board
    (page / closed).chmod(0o700)


def test_a_game_or_an_arena_without_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    assert {*routes([NIM], lines.append)} == {*routes([], print)}
    assert lines == []
    monkeypatch.setattr("arena.server.static.WEB", tmp_path / "none")
    assert routes([], print) == {}


async def test_a_path_never_leads_out_of_a_folder(db: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.js").write_text("outside")
    game = board(tmp_path / "web", "board.js")
    async with monitored_server(db, routes=routes([game], print)) as server:
        assert (await server.request("/boards/misere_nim/board.js")).status == 200
        for path in ("../outside.js", "%2e%2e/outside.js", "..%2foutside.js", ""):
            assert (await server.request(f"/boards/misere_nim/{path}")).status == 404


async def test_the_page_and_its_icon_are_where_browsers_look(db: Path) -> None:
    async with monitored_server(db, routes=routes([], print)) as server:
        reply = await server.request("/")
        assert (reply.status, reply.body) == (200, (await server.request("/index.html")).body)
        assert '<main id="main" tabindex="-1"></main>' in reply.body
        assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
        policy = reply.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        reply = await server.request("/favicon.ico")
        assert (reply.status, reply.body) == (200, (await server.request("/icon.svg")).body)
        assert reply.headers["Content-Type"] == "image/svg+xml"


async def test_other_sites_may_embed_one_page_alone(db: Path) -> None:
    async with monitored_server(db, routes=routes(GAMES.values(), print)) as server:
        documents = {"/", "/index.html", "/embed/", "/embed.html", "/icon.svg", "/favicon.ico"}
        for path in routes(GAMES.values(), print):
            policy = (await server.request(path)).headers["Content-Security-Policy"]
            ancestors = "*" if path in {"/embed/", "/embed.html"} else "'none'"
            assert (policy is None) == (path not in documents)
            assert policy is None or policy.endswith(f"frame-ancestors {ancestors}")


def test_the_tag_of_a_file_is_that_of_its_content(tmp_path: Path) -> None:
    game = board(tmp_path, "board.js", "a.js")
    (tmp_path / "b.js").write_text("a.js")
    files = routes([game], print)
    tags = [
        files[f"/boards/misere_nim/{name}.js"]().headers["ETag"] for name in ("board", "a", "b")
    ]
    assert tags[0] != tags[1] == tags[2]
    assert re.fullmatch('"[0-9a-f]{16}"', tags[0])


@loop_over("file", SOURCES)
def test_no_file_refers_to_another_host(file: Path) -> None:
    text = file.read_text().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|(src|href)=\"//|@import\s*[\"'u]|innerHTML|\beval\b", text)


def test_scripts_are_sent_without_documentation_comments() -> None:
    script = routes([], print)["/dom.js"]().body.decode()
    assert "@param" not in script
    assert "export function h(name, properties = {}, ...children) {" in script


@loop_over(
    "script, sent",
    ("/** doc */\nlet a;\n", "let a;\n"),
    ("let a;\n  /**\n   * doc\n   */\n  let b;\n", "let a;\n  let b;\n"),
    (
        "/** @type {T} */ let a;\nlet b;\n/** doc */\nlet c;",
        "/** @type {T} */ let a;\nlet b;\nlet c;",
    ),
    ("/**/ let a;\n/** doc */\nlet b;", "/**/ let a;\nlet b;"),
    ("let a; /** doc */\nlet b;", "let a; /** doc */\nlet b;"),
    ("// why\nlet a; // here\n  // why\nlet b = `//`;\n", "let a; // here\nlet b = `//`;\n"),
)
def test_only_comments_on_lines_of_their_own_are_removed(script: str, sent: str) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.server.static.WEB", Path(folder))
        Path(folder, "a.js").write_text(script)
        assert routes([], print)["/a.js"]().body.decode() == sent


def test_style_sheets_are_sent_without_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.static.WEB", tmp_path)
    text = "/* all\n * of it\n */\na { b: c } /* d */\n  /* e */\nf {}\n"
    (tmp_path / "a.css").write_text(text)
    assert routes([], print)["/a.css"]().body.decode() == "a { b: c } /* d */\nf {}\n"


def test_boards_are_sent_as_they_are(tmp_path: Path) -> None:
    board = "const SHADER = `\n// precision\n`;\n/*\n// old\n*/\n"
    (tmp_path / "board.js").write_text(board)
    assert boards(NIM._replace(page=tmp_path))["board.js"] == board


def test_the_page_is_small() -> None:
    files = routes(GAMES.values(), print)
    sizes = {path: len(route().gzipped or b"") for path, route in files.items()}
    first = re.findall('href="([^"]+)"', files["/"]().body.decode())
    assert sizes["/"] + sum(sizes.get(path, 0) for path in {*first} - {"/"}) < 100_000
    assert sum(sizes.values()) - sizes["/"] < 250_000
