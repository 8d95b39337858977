"""Text files that people write or exchange: UTF-8, with or without a byte order mark."""

import os
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 100_000_000  # of a line, and of a file that is read at once: /dev/zero has no end


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file, with their ends.

    Raises:
        OSError: The file cannot be read.
        ValueError: A line is too long or no UTF-8; the message begins with its number.
    """
    with open_input(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_BYTES + 1), b""), 1):
            try:
                yield _decoded(line)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is too large, or no UTF-8.
    """
    with open_input(path) as file:
        return _decoded(file.read(MAX_BYTES + 1))


def open_input(path: Path) -> BinaryIO:
    """Open a file for reading; a named pipe that nobody writes to is empty. Raises OSError."""
    return open(path, "rb", opener=_open_at_once)


def _open_at_once(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


def _decoded(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    try:
        return content.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise ValueError("invalid UTF-8") from None
