"""Files of a submission: copied from a folder, a zip file or a single file, within a budget."""

import errno
import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from arena.grading.records import one_line
from arena.grading.toolchain import OUT, File

MEGABYTE = 1024 * 1024
MAX_BYTES = 32 * MEGABYTE  # of a submission, and of its zip file
MAX_FILES = 2000
MAX_DEPTH = 20  # folders in folders
MAX_PATH = 400  # bytes of a path
CHUNK = 64 * 1024
MAX_START = 256 * 1024  # bytes of a file that are read to recognise it
IGNORED = {"__MACOSX", "__pycache__", "node_modules", OUT}
MACHINE_ERRORS = {  # of this machine, not of a submission
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EROFS,
}


class InvalidSubmission(Exception):
    """A submission that cannot be graded; the text is the reason in one line."""


class _Budget:
    """Files and bytes that a submission may still have."""

    def __init__(self) -> None:
        self._files, self._bytes = MAX_FILES, MAX_BYTES

    def take_file(self) -> None:
        """Take one file. Raises InvalidSubmission."""
        self._files -= 1
        if self._files < 0:
            raise InvalidSubmission(f"more than {MAX_FILES} files")

    def take_bytes(self, count: int) -> None:
        """Take a number of bytes. Raises InvalidSubmission."""
        self._bytes -= count
        if self._bytes < 0:
            raise InvalidSubmission(f"more than {MAX_BYTES // MEGABYTE} MB when unpacked")


def unpack(source: Path, target: Path) -> None:
    """Copy the files of a submission into an empty folder.

    A folder that holds nothing but a zip file is unpacked too. Symbolic links in a folder are left
    out; files of version control and of file managers too.

    Args:
        source: A folder, a zip file or a single file.
        target: The folder, which exists.

    Raises:
        InvalidSubmission: The submission exceeds a budget or its zip file is malicious or invalid.
        OSError: A file cannot be read or written.
    """
    if source.is_dir():
        files = [*_files(source)]
        if len(files) == 1 and files[0].suffix.lower() == ".zip":
            source = files[0]
    if source.is_dir():
        _copy_folder(source, files, target)
    elif source.suffix.lower() == ".zip":
        _unpack_zip(source, target)
    else:
        _copy_folder(source.parent, [source], target)


def is_of_machine(error: Exception) -> bool:
    """Return whether an error is one of this machine, such as a full disk."""
    return isinstance(error, OSError) and error.errno in MACHINE_ERRORS


def is_ignored(part: str) -> bool:
    """Return whether a file or a folder of this name is left out."""
    return part.startswith(".") or part in IGNORED


def is_file(path: Path) -> bool:
    """Return whether a path is a regular file itself, not a link to one."""
    return stat.S_ISREG(path.lstat().st_mode)


def read_file(folder: Path, path: Path, most: int = MAX_START) -> File:
    """Return a file of a folder with at most its first `most` bytes."""
    with (folder / path).open("rb") as file:
        start = file.read(most)
    return File(PurePosixPath(path), start, os.access(folder / path, os.X_OK))


def _files(folder: Path) -> Iterator[Path]:
    """Yield the regular files of a folder, at any depth, in order."""
    for parent, folders, names in os.walk(folder):
        depth = len(Path(parent).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if not is_ignored(name) and depth < MAX_DEPTH)
        for name in sorted(names):
            path = Path(parent, name)
            if not is_ignored(name) and is_file(path):
                yield path


def _copy_folder(folder: Path, files: list[Path], target: Path) -> None:
    budget = _Budget()
    for path in files:
        budget.take_file()
        budget.take_bytes(path.stat().st_size)
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _unpack_zip(source: Path, target: Path) -> None:
    if source.stat().st_size > MAX_BYTES:
        raise InvalidSubmission(f"the zip file has more than {MAX_BYTES // MEGABYTE} MB")
    try:
        with zipfile.ZipFile(source) as archive:
            budget = _Budget()
            for entry in archive.infolist():
                _unpack_entry(archive, entry, target, budget)
    except InvalidSubmission:
        raise
    except Exception as error:  # the library and its decompressors raise almost anything
        if is_of_machine(error):
            raise
        text = str(error) or type(error).__name__
        raise InvalidSubmission(f"invalid zip file: {one_line(text)}") from None


def _unpack_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, budget: _Budget
) -> None:
    budget.take_file()
    path = checked_path(entry.filename)
    shown = one_line(str(path))
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InvalidSubmission(f"the zip file contains a link or a device: {shown}")
    if entry.is_dir() or any(map(is_ignored, path.parts)):
        return
    copy = target / path
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(entry) as packed, copy.open("xb") as out:
            while chunk := packed.read(CHUNK):
                budget.take_bytes(len(chunk))
                out.write(chunk)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise InvalidSubmission(f"the zip file contains a path twice: {shown}") from None
    copy.chmod(0o755 if mode & 0o100 else 0o644)


def checked_path(name: str) -> PurePosixPath:
    """Return the path of an entry of a zip file.

    Raises:
        InvalidSubmission: It is absolute, leads out of the folder, or is too long.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    shown = ascii(name[:80])
    if path.is_absolute() or ".." in path.parts or ":" in (path.parts or ("",))[0]:
        raise InvalidSubmission(f"the zip file contains a path outside its folder: {shown}")
    if len(path.parts) > MAX_DEPTH or len(os.fsencode(name)) > MAX_PATH or "\0" in name:
        raise InvalidSubmission(f"the zip file contains an invalid path: {shown}")
    return path
