"""Access files: JSON files such as tokens.json, which commands change while an arena reads them."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Generic, TypeVar

import msgspec
from msgspec import Meta

from arena.storage.input_file import read_text
from arena.storage.lock import locked_file

READABLE_BY_OWNER = 0o600

Added = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z\Z")]
"""Time at which an entry was added, in UTC."""

T = TypeVar("T")


class AccessFileError(Exception):
    """An access file that cannot be used, or a change of it that is not possible."""


def read_access_file(path: Path, kind: str, parse: Callable[[str], T]) -> T:
    """Return the content of a file.

    Args:
        path: The file.
        kind: What the file is, for messages: "token file".
        parse: Returns the content of a text. Raises ValueError.

    Raises:
        AccessFileError: The file cannot be read, or is not of this kind.
    """
    try:
        return parse(read_text(path))
    except OSError as error:
        raise AccessFileError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise AccessFileError(f"{path} is not a {kind}: {error}") from None


@contextmanager
def changed(
    path: Path, read: Callable[[Path], dict[str, T]], encode: Callable[[dict[str, T]], bytes]
) -> Iterator[dict[str, T]]:
    """Yield the entries of a file under a lock, and write them back unless an exception occurs.

    The file keeps its owner, its group and its mode. A new one can be read by its owner alone: the
    user of this process or, for root, the owner of the folder, which is the user of a service.

    Args:
        path: The file; it is created if missing.
        read: Returns the entries of a file. Raises AccessFileError.
        encode: Returns entries as JSON.

    Raises:
        AccessFileError: The file cannot be read or written.
    """
    target = Path(os.path.realpath(path))
    try:
        # The lock is a separate file, because the file itself is replaced by a new one.
        with locked_file(Path(f"{target}.lock"), wait=True):
            entries = read(path) if target.exists() else {}
            yield entries
            _replace(target, msgspec.json.format(encode(entries)) + b"\n")
    except OSError as error:
        raise AccessFileError(f"cannot write {path}: {error.strerror}") from None


def _replace(target: Path, content: bytes) -> None:
    """Replace a file atomically and durably. Raises OSError."""
    beside = Path(f"{target}.new")
    beside.unlink(missing_ok=True)  # left by a process that was killed; the others hold no lock
    try:
        with open(beside, "xb", opener=_private) as file:
            _take_over_rights(file.fileno(), target)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or a power failure could restore a revoked token
    finally:
        os.close(folder)


def _private(path: str, flags: int) -> int:
    # In a folder that others can write, a symbolic link could lead to any file.
    return os.open(path, flags | os.O_NOFOLLOW, READABLE_BY_OWNER)


def _take_over_rights(descriptor: int, target: Path) -> None:
    """Give a new file the owner and the mode of the one that it replaces. Raises OSError."""
    is_new = not target.exists()
    status = (target.parent if is_new else target).stat()
    if not is_new or os.geteuid() == 0:
        os.fchown(descriptor, status.st_uid, status.st_gid)
    if not is_new:
        os.fchmod(descriptor, status.st_mode & 0o777)


class WatchedFile(Generic[T]):
    """Content of an access file, which is read again after each change."""

    def __init__(self, path: Path, read: Callable[[Path], T]) -> None:
        """Read a file.

        Args:
            path: The file.
            read: Returns its content. Raises AccessFileError.

        Raises:
            AccessFileError: The file cannot be used.
        """
        self._problem = ""
        self._revision = 1
        self._path = path
        self._read = read
        self._version = _version(path)
        self._content = read(path)

    @property
    def problem(self) -> str:
        """Why the content of the file is not known at the moment; empty if it is."""
        self.latest()
        return self._problem

    @property
    def revision(self) -> int:
        """The number of different contents so far."""
        self.latest()
        return self._revision

    def latest(self) -> T:
        """Return the content of the file, or of its last good version if there is a problem."""
        version = _version(self._path)
        if version is None or self._problem or version != self._version:
            try:
                content = self._read(self._path)
            except AccessFileError as error:
                self._problem = str(error)
            else:
                self._problem, self._version = "", version
                self._revision += content != self._content
                self._content = content
        return self._content


def _version(path: Path) -> tuple[int, ...] | None:
    """Return a value that differs after each change of a file, its mode included; None without one.

    A change of the mode counts, as a file that can be read no more may hold anything later.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size
