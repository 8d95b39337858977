"""Files that a program has written, however many and however deep: measured, removed, in a copy."""

import itertools
import os
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from arena.sandbox.limits import MEGABYTE, Limits, View
from arena.sandbox.sandbox import Protection, Sandbox

MAX_DEPTH = 64  # folders in folders
# A new process holds copies of all open files until it runs its program, and a program that is open
# for writing cannot be run: no process is started while one is copied.
COPYING = threading.Lock()
BLOCK = 512  # bytes, in which the system counts what a file occupies


def written_excess(folders: Iterable[Path], limits: Limits) -> str | None:
    """Return the limit that the content of folders exceeds, as a clause; None if it exceeds none.

    A folder that cannot be read could hide any number of files, and counts as an excess.
    """
    count = size = 0
    pending = [(os.fspath(folder), 0) for folder in folders]
    while pending:
        path, depth = pending.pop()
        if depth > MAX_DEPTH:
            return f"made more than {MAX_DEPTH} folders in each other"
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    count += 1
                    if count > limits.written_files:
                        return f"wrote more than {limits.written_files} files"
                    size += entry.stat(follow_symlinks=False).st_blocks * BLOCK
                    if entry.is_dir(follow_symlinks=False):
                        pending.append((entry.path, depth + 1))
        except FileNotFoundError:  # removed in the meantime
            continue
        except OSError:
            return "made a folder that cannot be read"
    if size > limits.written_bytes:
        return f"wrote more than {limits.written_bytes // MEGABYTE} MB"
    return None


def remove_folder(folder: Path) -> None:
    """Remove a folder that no program uses any more, as far as the system allows it.

    Inner folders are first moved beside it, as paths in a deep one are too long for the system, and
    functions that call themselves exceed the interpreter's stack.
    """
    numbers = itertools.count()
    pending = [folder]
    while pending:
        path = pending.pop()
        with suppress(OSError):
            path.chmod(0o700)
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        os.chmod(entry.path, 0o700)
                        moved = folder.with_name(f"{folder.name}.{next(numbers)}")
                        pending.append(Path(entry.path).rename(moved))
                    else:
                        os.unlink(entry.path)
            path.rmdir()


@contextmanager
def private_copy(sandbox: Sandbox, view: View) -> Iterator[View]:
    """Yield a view with a copy of its folder to copy, which is removed afterwards.

    An isolated program sees the copy in the place of the folder; for others it has another path.

    Raises:
        OSError: The copy cannot be stored.
    """
    if not view.copied:
        yield view
        return
    private = Path(tempfile.mkdtemp(prefix="arena-"))
    copy = private / "copy"
    try:
        sandbox.admit(private)
        copy_folder(view.copied, copy)
        sandbox.hand_over(copy)
        yield _with_copy(sandbox, view, view.copied, copy)
    finally:
        remove_folder(copy)
        with suppress(OSError):  # files that cannot be removed must not stop the arena
            private.rmdir()


def _with_copy(sandbox: Sandbox, view: View, folder: Path, copy: Path) -> View:
    if sandbox.protection is Protection.ISOLATED:
        return replace(view, writable=(folder,), sources={folder: copy})
    inner = copy / view.folder.relative_to(folder)
    return replace(view, folder=inner, read_only=(), writable=(copy,))


def copy_folder(folder: Path, copy: Path) -> None:
    """Copy the files, folders and symbolic links of a folder; what cannot be read is left out.

    Raises:
        OSError: The copy cannot be stored.
    """
    for parent, folders, names in os.walk(folder):
        target = copy / Path(parent).relative_to(folder)
        target.mkdir(0o755)
        for name in (*folders, *names):
            path = Path(parent, name)
            if path.is_symlink():
                (target / name).symlink_to(path.readlink())
            elif path.is_file():
                is_program = os.access(path, os.X_OK)
                with COPYING if is_program else nullcontext(), suppress(PermissionError):
                    shutil.copy2(path, target / name)
