"""The page in the browser: static files, read once and served from memory."""

import gzip
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from arena.server.http import Answer, Routes

WEB = Path(__file__).parents[1] / "web"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

HEADERS = {
    # Nothing but what this server has sent is loaded, run or asked, and no other page shows it.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # or a page would run on half of the scripts of an older arena
}


def routes() -> Routes:
    """The page at / and its files, by their paths."""
    return {path: partial(_answer, file) for path, file in _files()}


def _files() -> Iterator[tuple[str, Answer]]:
    for path in sorted(WEB.rglob("*.*")):
        body = path.read_bytes()
        packed = gzip.compress(body, mtime=0)
        file = Answer(body, TYPES[path.suffix], headers=HEADERS, packed=packed)
        yield f"/{path.relative_to(WEB).as_posix()}", file
        if path.name == "index.html":
            yield "/", file


def _answer(file: Answer) -> Answer:
    return file
