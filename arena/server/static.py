"""Static files of the web page and of the games' boards, read once and served from memory.

The first load has one style sheet, and scripts that do not wait for each other. The library answers
one request on each connection, and the listener limits the connections of an address, such as that
of a class behind one router: each file less is a connection less. Without links to its modules a
browser asks for a script only after it has read the one that imports it. So the index names those
of every view, and its script `head.js` asks for the ones of the address.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from posixpath import dirname, join, normpath
from urllib.parse import quote

from arena.server.http import Content, Routes
from core.game import BOARD_MODULE, Game

INDEX = "/index.html"
STYLES = "/page.css"  # all style sheets of the page, in the order of its links
APP = "/app.js"
BOARD = ("/boards/{}/board.css", "/boards/{}/board.js")
BOARD_VIEWS = {"", "match", "puzzles", "analysis", "learn", "rules"}  # that begin with a board

STYLE_SHEETS = re.compile(rb'(<link rel="stylesheet" href="[^"]+">\n)+')
HREF = re.compile(rb'href="([^"]+)"')
IMPORT = re.compile(rb'^(?:import|export)\s[\w$\s{},*]*"(\.{0,2}/[^"]+)";', re.MULTILINE)
# An entry of the table of views in app.js: its name, and the last module that it may load.
VIEW = re.compile(r'^  "?(\w*)"?: \(\) =>[^;]*?import\("\.([^"]+)"\)\)?,$', re.MULTILINE)

WEB = Path(__file__).parents[1] / "web"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

# Comments, which hold the types of the page, are a fifth of its size. One that code follows on
# its line stays: a match ends at the first end of a comment. Boards are sent as they are: a string
# of several lines may have what looks like one.
COMMENTS = {
    ".js": re.compile(rb"^ *(?:/\*\*(?!/)(?:(?!\*/).)*\*/|//[^\n]*)\n", re.DOTALL | re.MULTILINE),
    ".css": re.compile(rb"^ */\*(?:(?!\*/).)*\*/\n", re.DOTALL | re.MULTILINE),
}

# The page loads, runs and requests only what this server sends.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {}"
)

EMBEDDED = "/embed.html"  # the one page that others may embed, which controls nothing
# Other paths of a file. Browsers request /favicon.ico for all that names no icon: pictures, feeds.
ALIASES = {"/": INDEX, "/embed/": EMBEDDED, "/favicon.ico": "/icon.svg"}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # or a page would mix scripts of two versions of the arena
}
DOCUMENTS = {".html", ".svg"}  # to which alone a policy applies


def prepare_page(files: Mapping[str, bytes], game: str = "") -> dict[str, bytes]:
    """Return the files of the page with one style sheet, and an index that names its first scripts.

    Args:
        files: The files by their paths, the index among them.
        game: The name of the game; its board is loaded with the views that begin with one.
    """
    common = _imported(files, APP)
    links = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in common)
    lists = json.dumps(_views(files, game, common))
    names = f'<script type="application/json" id="modules">{lists}</script>\n'
    index = files[INDEX].replace(b"</head>", links.encode() + b"</head>")
    prepared = {**files, INDEX: index.replace(b"<script src=", names.encode() + b"<script src=", 1)}
    if links_of_sheets := STYLE_SHEETS.search(index):
        sheets = [path.decode() for path in HREF.findall(links_of_sheets[0])]
        prepared[STYLES] = b"\n".join(prepared.pop(path) for path in sheets if path in files)
        link = f'<link rel="stylesheet" href="{STYLES}">\n'.encode()
        prepared[INDEX] = prepared[INDEX].replace(links_of_sheets[0], link)
    return prepared


def _views(files: Mapping[str, bytes], game: str, common: Sequence[str]) -> dict[str, list[str]]:
    """Return the scripts of each view and the files of the board that it begins with."""
    views = {}
    for name, path in VIEW.findall(files.get(APP, b"").decode()):
        board = [file.format(game) for file in BOARD] if name in BOARD_VIEWS else []
        found = _imported(files, *board, path)
        views[name] = [file for file in found if file not in common]
    return views


def _imported(files: Mapping[str, bytes], *first: str) -> list[str]:
    """Return the paths of the first files, then of the scripts that they import, and so on."""
    found: list[str] = []
    waiting = [*first]
    for path in waiting:  # which grows
        if path in files and path not in found:
            found.append(path)
            imported = (target.decode() for target in IMPORT.findall(files[path]))
            waiting += [normpath(join(dirname(path), target)) for target in imported]
    return found


def routes(games: Iterable[Game], report: Callable[[str], None]) -> Routes:
    """Return the files of the page and of the boards of games, by their paths.

    The page itself is also at /, the one that other sites may embed at /embed/, and the icon at
    /favicon.ico. The boards are below /boards/NAME/. Only listed files of known types are served:
    a path of a request never leads to a file. A file or folder that cannot be read, such as the
    lock of an editor, is left out.

    Args:
        games: The games of the arena; their files are trusted as the code of their package is.
        report: Receives a line for each file, folder and board that cannot be read.
    """
    games = [*games]
    files = {path: _sent(path, body) for path, body in _files(WEB, "", report)}
    for game in games:
        if game.page and game.has_board:
            files.update(_files(game.page, f"/boards/{game.name}", report))
        elif game.page:
            report(f"{game.name} is shown as text: cannot read {BOARD_MODULE} in {game.page}")
    if INDEX in files:
        files = prepare_page(files, games[0].name if games else "")
    # A file is compressed at its first request: all at once would delay the start.
    found: dict[str, Callable[[], Content]] = {
        path: cache(partial(_response, path, body)) for path, body in files.items()
    }
    return found | {alias: found[path] for alias, path in ALIASES.items() if path in found}


def _files(
    entry: Traversable, path: str, report: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """Yield the file at a path, or the files of the folder and of the folders in it."""
    try:
        if entry.is_dir():
            for child in entry.iterdir():
                yield from _files(child, f"{path}/{quote(child.name)}", report)
        elif PurePath(entry.name).suffix in CONTENT_TYPES:
            yield path, entry.read_bytes()
    except OSError as error:
        report(f"cannot read {entry}: {error.strerror}")


def _sent(path: str, body: bytes) -> bytes:
    """Return a file of the page as it is sent."""
    comments = COMMENTS.get(PurePath(path).suffix)
    return comments.sub(b"", body) if comments else body


def _response(path: str, body: bytes) -> Content:
    """Return the response to a request of a file."""
    suffix = PurePath(path).suffix
    content_type = CONTENT_TYPES[suffix]
    headers = {**HEADERS, "ETag": f'"{sha256(body).hexdigest()[:16]}"'}
    if suffix in DOCUMENTS:
        policy = POLICY.format("*" if path == EMBEDDED else "'none'")
        headers |= {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    return Content(body, content_type, headers=headers, gzipped=gzip.compress(body, mtime=0))
