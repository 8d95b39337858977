"""Lock files, which disappear when they are unlocked."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PRIVATE = 0o600


@contextmanager
def locked_file(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold the lock of a file, from `with` to its end, which removes the file.

    The holder alone removes it, before it unlocks it. A process that has opened it before gets the
    lock of a file without a name then, and tries again.

    Args:
        path: The lock file; one that a killed process has left is used again.
        wait: Whether to wait for another holder.

    Raises:
        BlockingIOError: Another process holds the lock.
        OSError: The file cannot be created.
    """
    descriptor = _acquire(path, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield
    finally:
        with suppress(OSError):  # the folder may have become read-only, or have been removed
            path.unlink()
        os.close(descriptor)


def lock_path(path: Path) -> Path:
    """Return the lock file of a database, which is one for all names of the database."""
    return Path(f"{os.path.realpath(path)}.lock")


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock of a file; nothing is created."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _acquire(path: Path, operation: int) -> int:
    """Return a descriptor of the locked file that has the name."""
    while True:
        # In a folder that others can write, a symbolic link could lead to any file.
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(path, flags, PRIVATE)
        try:
            fcntl.flock(descriptor, operation)
            if _has_name(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _has_name(descriptor: int, path: Path) -> bool:
    """Return whether a name still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False
