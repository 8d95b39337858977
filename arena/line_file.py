"""Files of lines, such as logs in JSON, that other programs read while they grow."""

import os
from contextlib import suppress
from pathlib import Path


class LineFile:
    """File to which whole lines are appended, at once.

    On a full disk a line leaves nothing, instead of a part of it. If the file ends within a line,
    as after a power cut, that line is ended first.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file. Raises OSError."""
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
        file = self._path.open("ab", buffering=0)
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
