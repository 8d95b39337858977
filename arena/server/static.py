"""Static files of the web page and of the games' boards, read once and served from memory."""

import gzip
import re
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from urllib.parse import quote

from arena.server.http import Content, Routes
from core.game import Game

WEB = Path(__file__).parents[1] / "web"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

# Documentation comments hold the types of the page, and a fifth of its size. One that code follows
# on its line stays: a match ends at the first end of a comment.
DOC_COMMENT = re.compile(rb"^ */\*\*(?!/)(?:(?!\*/).)*\*/\n", re.DOTALL | re.MULTILINE)

HEADERS = {
    # The page loads, runs and requests only what this server sends, and no other page embeds it.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # or a page would mix scripts of two versions of the arena
}


def routes(games: Iterable[Game]) -> Routes:
    """Return the files of the page and of the boards of games, by their paths.

    The page itself is also at /. The boards are below /boards/NAME/. Only listed files of known
    types are served: a path of a request never leads to a file.

    Args:
        games: The games of the arena; what they bring is trusted as the code of their package.
    """
    files = dict(_files(WEB, "/"))
    for game in games:
        if game.page and game.has_board:
            files.update(_files(game.page, f"/boards/{game.name}/"))
    files["/"] = files["/index.html"]
    return {path: partial(_content, file) for path, file in files.items()}


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Content]]:
    """Yield the files of a folder and of the folders in it, with their paths below `path`."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{path}{quote(entry.name)}/")
        elif content_type := CONTENT_TYPES.get(PurePath(entry.name).suffix):
            body = entry.read_bytes()
            if entry.name.endswith(".js"):
                body = DOC_COMMENT.sub(b"", body)
            gzipped = gzip.compress(body, mtime=0)
            yield (
                path + quote(entry.name),
                Content(body, content_type, headers=HEADERS, gzipped=gzipped),
            )


def _content(file: Content) -> Content:
    return file
