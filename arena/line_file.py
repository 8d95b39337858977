"""Text files: input from people, and files of lines that other programs read while they grow.

Input is UTF-8, with or without a byte order mark.
"""

import errno
import os
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 100_000_000  # of a line, and of a file that is read at once: /dev/zero has no end


class LineFile:
    """File to which whole lines are appended, at once.

    On a full disk a line leaves nothing, instead of a part of it. If the file ends within a line,
    as after a power cut, that line is ended first.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file, which may be a named pipe that a process reads. Raises OSError."""
        self._path = Path(path)
        self._open()

    def append(self, lines: bytes) -> None:
        """Append one or more lines with their ends: all of them, or none if it raises OSError."""
        rest = memoryview(lines)
        try:
            while rest:
                rest = rest[os.write(self._file.fileno(), rest) :]
        except OSError:
            if written := len(lines) - len(rest):
                with suppress(OSError):  # a pipe keeps what it has
                    self._file.truncate(os.fstat(self._file.fileno()).st_size - written)
            raise

    def reopen_if_moved(self) -> None:
        """Open the file again if another one, or none, has its name, as after logrotate.

        Raises:
            OSError: It cannot be opened; the next call tries it again.
        """
        with suppress(FileNotFoundError):
            if os.path.samestat(self._path.stat(), os.fstat(self._file.fileno())):
                return
        former = self._file
        self._open()
        former.close()

    def close(self) -> None:
        """Close the file. Raises OSError."""
        self._file.close()

    def _open(self) -> None:
        try:
            file = FileIO(self._path, "ab", opener=_open_at_once)
        except OSError as error:
            if error.errno == errno.ENXIO:  # "No such device or address"
                error.strerror = "it is a socket, or a pipe that no process reads"
            raise
        try:
            if self._path.is_file() and _ends_within_line(self._path):
                file.write(b"\n")
        except OSError:
            file.close()
            raise
        self._file = file


def _ends_within_line(path: Path) -> bool:
    with suppress(PermissionError), path.open("rb") as file:  # one may be there to append alone
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            return file.read() != b"\n"
    return False


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
    """Open a file without waiting for the other end of a named pipe. Raises OSError."""
    descriptor = os.open(path, flags | os.O_NONBLOCK, 0o666)
    os.set_blocking(descriptor, True)
    return descriptor


def _decoded(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    try:
        return content.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise ValueError("invalid UTF-8") from None
