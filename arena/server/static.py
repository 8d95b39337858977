"""Static files of the web page, read once and served from memory."""

import gzip
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from arena.server.http import Content, Routes

WEB = Path(__file__).parents[1] / "web"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

# Documentation comments hold the types of the page, and a fifth of its size.
DOC_COMMENT = re.compile(rb"^ */\*\*.*?\*/\n", re.DOTALL | re.MULTILINE)

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


def routes() -> Routes:
    """Return the files of the page by their paths; the page itself is also at /."""
    return {path: partial(_content, file) for path, file in _files()}


def _files() -> Iterator[tuple[str, Content]]:
    for path in sorted(WEB.rglob("*.*")):
        body = path.read_bytes()
        if path.suffix == ".js":
            body = DOC_COMMENT.sub(b"", body)
        gzipped = gzip.compress(body, mtime=0)
        file = Content(body, CONTENT_TYPES[path.suffix], headers=HEADERS, gzipped=gzipped)
        yield f"/{path.relative_to(WEB).as_posix()}", file
        if path.name == "index.html":
            yield "/", file


def _content(file: Content) -> Content:
    return file
