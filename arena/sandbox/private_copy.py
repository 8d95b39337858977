"""Private copies of folders, for programs that may write in theirs."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from arena.sandbox.limits import View
from arena.sandbox.process import COPYING
from arena.sandbox.sandbox import Protection, Sandbox
from arena.sandbox.written_files import remove_folder


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
