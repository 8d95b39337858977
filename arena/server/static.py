"""Static files of the web page and of the games' boards, read once and served from memory."""

import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from urllib.parse import quote

from arena.server import first_load
from arena.server.http import Content, Routes
from core.game import BOARD_MODULE, Game

WEB = Path(__file__).parents[1] / "web"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

# Comments, which hold the types of the page, are a fifth of its size. One that code follows on
# its line stays: a match ends at the first end of a comment.
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
ALIASES = {"/": first_load.INDEX, "/embed/": EMBEDDED, "/favicon.ico": "/icon.svg"}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # or a page would mix scripts of two versions of the arena
}
DOCUMENTS = {".html", ".svg"}  # to which alone a policy applies


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
    files = dict(_files(WEB, "", report))
    for game in games:
        if game.page and game.has_board:
            files.update(_files(game.page, f"/boards/{game.name}", report))
        elif game.page:
            report(f"{game.name} is shown as text: cannot read {BOARD_MODULE} in {game.page}")
    if first_load.INDEX in files:
        files = first_load.prepare(files, games[0].name if games else "")
    responses = {path: _response(path, body) for path, body in files.items()}
    responses |= {alias: responses[path] for alias, path in ALIASES.items() if path in responses}
    return {path: partial(_content, response) for path, response in responses.items()}


def _files(
    entry: Traversable, path: str, report: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """Yield the file at a path, or the files of the folder and of the folders in it."""
    try:
        if entry.is_dir():
            for child in entry.iterdir():
                yield from _files(child, f"{path}/{quote(child.name)}", report)
        elif PurePath(entry.name).suffix in CONTENT_TYPES:
            yield path, _read(entry)
    except OSError as error:
        report(f"cannot read {entry}: {error.strerror}")


def _read(file: Traversable) -> bytes:
    """Return the content of a file as it is sent. Raises OSError."""
    body = file.read_bytes()
    comments = COMMENTS.get(PurePath(file.name).suffix)
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


def _content(file: Content) -> Content:
    return file
