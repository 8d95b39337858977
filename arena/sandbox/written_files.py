"""Measuring and removal of the files of a program, in any number and depth."""

import itertools
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from arena.sandbox.limits import MEGABYTE, Limits

MAX_DEPTH = 64  # folders in folders
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
    """Remove a folder that no program uses, as far as the system allows it.

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
