"""The first load of the page: one style sheet, and scripts that do not wait for each other.

The library answers one request on each connection, and the listener limits the connections of an
address, such as that of a class behind one router: each file less is a connection less. Without
links to its modules a browser asks for a script only after it has read the one that imports it. So
the index names those of every view, and its script `head.js` asks for the ones of the address.
"""

import json
import re
from collections.abc import Mapping, Sequence
from posixpath import dirname, join, normpath

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


def prepare(files: Mapping[str, bytes], game: str = "") -> dict[str, bytes]:
    """Return the files of the page with one style sheet, and an index that names its first scripts.

    Args:
        files: The files by their paths, the index among them.
        game: The name of the game whose board is loaded with the views that begin with one.
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
