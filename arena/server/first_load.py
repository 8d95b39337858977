"""The first load of the page: one style sheet, and scripts that do not wait for each other.

The library answers one request on each connection, and the listener limits the connections of an
address, such as that of a class behind one router: each file less is a connection less. Without
links to its modules a browser asks for a script only after it has read the one that imports it.
"""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

INDEX = "/index.html"
STYLES = "/page.css"  # all style sheets of the page, in the order of its links
FIRST = ("/app.js", "/lobby/lobby.js")  # the scripts of the address that an arena prints

STYLE_SHEETS = re.compile(rb'(<link rel="stylesheet" href="[^"]+">\n)+')
HREF = re.compile(rb'href="([^"]+)"')
IMPORT = re.compile(rb'^(?:import|export)\s[\w$\s{},*]*"(\.{1,2}/[^"]+)";', re.MULTILINE)


def prepare(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the page with one style sheet, and an index that names its first scripts.

    Args:
        files: The files by their paths, the index among them.
    """
    index = files[INDEX]
    scripts = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in _first(files))
    prepared = {**files, INDEX: index.replace(b"</head>", scripts.encode() + b"</head>")}
    if links := STYLE_SHEETS.search(index):
        sheets = [path.decode() for path in HREF.findall(links[0])]
        prepared[STYLES] = b"\n".join(prepared.pop(path) for path in sheets if path in files)
        link = f'<link rel="stylesheet" href="{STYLES}">\n'.encode()
        prepared[INDEX] = prepared[INDEX].replace(links[0], link)
    return prepared


def _first(files: Mapping[str, bytes]) -> list[str]:
    """Return the paths of the first scripts, then of those that they import, and so on."""
    found: list[str] = []
    waiting = [*FIRST]
    for path in waiting:  # which grows
        if path in files and path not in found:
            found.append(path)
            imported = (target.decode() for target in IMPORT.findall(files[path]))
            waiting += [normpath(join(dirname(path), target)) for target in imported]
    return found
