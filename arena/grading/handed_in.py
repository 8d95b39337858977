"""Files of a submission as its program needs them: copied, unpacked, with their right names."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from arena.grading.archive import (
    MAX_BYTES,
    Budget,
    InvalidSubmission,
    copy_file,
    folder_files,
    is_file,
    unpack_tar,
    unpack_zip,
)
from arena.grading.exports import ARCHIVES, SOURCES, suffix
from arena.grading.toolchain import COMMENT
from arena.sandbox.limits import MEGABYTE
from arena.sandbox.written_files import remove_folder

MAX_NESTED = 3  # archives in each other
BY_TOOLS = (".7z", ".rar")
PACKED = ".packed"  # name of an archive while it is unpacked
PUBLIC_CLASS = re.compile(
    r"\bpublic\s+(?:(?:abstract|final|sealed|strictfp)\s+)*(?:class|enum|record|interface)\s+(\w+)"
)
BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}

Extract = Callable[[Path], AbstractContextManager[Path]]


def copy_submission(files: Mapping[str, Path], target: Path, extract: Extract) -> None:
    """Copy the files of a submission into an empty folder, and unpack the archives among them.

    Symbolic links in a folder are left out; files of version control and of file managers too. If a
    submission is an archive and nothing else, the folder gets its content; of any other archive,
    the content is in a folder with the name of the archive.

    Args:
        files: What was handed in, by the paths that it gets. The empty path stands for a folder, or
            for a file with its own name.
        target: The folder, which exists.
        extract: A function that unpacks a file of BY_TOOLS into a folder of its own.

    Raises:
        InvalidSubmission: The submission exceeds a budget, or an archive is malicious or invalid.
        OSError: A file cannot be read or written.
    """
    found = {copy: path for name in files for copy, path in _files(name, files[name])}
    budget = Budget()
    if len(found) == 1 and all(map(_is_archive, found)):
        [path] = found.values()
        _unpack(path, target, budget, extract)
    else:
        for name, path in found.items():
            copy_file(path, target / name, budget)
    _unpack_inner(target, budget, extract)
    for path in filter(is_file, target.rglob("*.[jJ][aA][vV][aA]")):
        _restore_java(path)


def _files(name: str, source: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files that were handed in under a name, by their paths in the submission."""
    if source.is_dir():
        for path in folder_files(source):
            yield str(Path(name, path.relative_to(source))), path
    else:
        yield name or source.name, source


def _is_archive(name: str) -> bool:
    return suffix(name).lower() in ARCHIVES


def _unpack(source: Path, target: Path, budget: Budget, extract: Extract) -> None:
    if source.stat().st_size > MAX_BYTES:
        raise InvalidSubmission(f"the archive has more than {MAX_BYTES // MEGABYTE} MB")
    kind = suffix(source.name).lower()
    if kind in BY_TOOLS:
        with extract(source) as folder:
            for path in folder_files(folder):
                copy_file(path, target / path.relative_to(folder), budget)
    else:
        (unpack_zip if kind == ".zip" else unpack_tar)(source, target, budget)


def _unpack_inner(target: Path, budget: Budget, extract: Extract) -> None:
    """Unpack the archives in a folder, which become folders.

    Raises:
        InvalidSubmission: One cannot be unpacked, and there is no program without it.
    """
    failure: InvalidSubmission | None = None
    for _ in range(MAX_NESTED):
        for path in [path for path in folder_files(target) if _is_archive(path.name)]:
            packed = path.rename(path.with_name(PACKED + suffix(path.name)))
            path.mkdir()
            try:
                _unpack(packed, path, budget, extract)
            except InvalidSubmission as error:
                failure = failure or InvalidSubmission(f"{path.name}: {error}")
                remove_folder(path)
            packed.unlink()
    if failure and not any(path.suffix.lower() in SOURCES for path in folder_files(target)):
        raise failure


def _restore_java(path: Path) -> None:
    """Give a Java source the encoding and the name that javac wants.

    An editor may have saved it with a byte order mark or in UTF-16, and a platform may have added
    to its name, which must be the name of its public class.
    """
    content = path.read_bytes()
    encoding = ""
    if b"\0" in content[:2]:
        encoding = "utf-16-be" if content.startswith(b"\0") else "utf-16-le"
    for mark, marked in BYTE_ORDER_MARKS.items():
        encoding = marked if content.startswith(mark) else encoding
    if encoding:
        with suppress(UnicodeDecodeError):  # javac will say what is wrong
            content = content.decode(encoding).encode()
            path.write_bytes(content)
    names = PUBLIC_CLASS.findall(COMMENT.sub(" ", content.decode(errors="replace")))
    if names and path.stem not in names:
        right = path.with_name(f"{names[0]}.java")
        with suppress(OSError):  # a name that is too long
            if not right.exists():
                path.rename(right)
