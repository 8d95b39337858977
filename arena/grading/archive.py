"""Files of folders and archives, copied within a budget; some unpack only in the sandbox."""

import bz2
import errno
import gzip
import lzma
import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from signal import SIGXFSZ
from typing import IO, Any, NoReturn, TypeVar, cast

from arena.grading.records import one_line
from arena.grading.toolchain import OUT, File
from arena.sandbox.limits import LANGUAGE, MEGABYTE, Limits, View
from arena.sandbox.process import describe_status
from arena.sandbox.run import run
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.written_files import remove_folder, written_excess

MAX_BYTES = 32 * MEGABYTE  # of a submission, and of each of its archives
MAX_FILES = 2000
MAX_ENTRIES = 50_000  # of an archive, including what is left out
MAX_STREAM = 512 * MEGABYTE  # of all tar files, each read twice, with what is left out
MAX_HEADERS = 8 * MEGABYTE  # of long names and attributes in tar files, each read twice
MAX_DEPTH = 20  # folders in folders
MAX_PATH = 400  # bytes of a path
ENCRYPTED = 1  # bit of an entry's flags in a zip file
CHUNK = 64 * 1024  # bytes that are unpacked at once
MAX_START = 256 * 1024  # bytes of a file that are read to recognise it
IGNORED = {"__MACOSX", "__pycache__", "node_modules", OUT}
EXTENDED = (  # types of headers in tar files that have a content
    tarfile.GNUTYPE_LONGLINK,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.XHDTYPE,
)
ENVIRONMENT = "pyvenv.cfg"  # of a virtual environment of Python, which is left out too
DOCUMENTS = {".doc", ".docx", ".heic", ".jpeg", ".jpg", ".pdf", ".png"}
DECOMPRESSORS: dict[bytes, Any] = {  # functions that open a file, by its first bytes
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
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
UNPACK_SECONDS = 60.0
UNPACKED = "out"
# Words before the archive, which is unpacked into the working directory. None asks for a password.
OPTIONS = ("x", "-y", "-p-")
UNAR = ("unar", "-quiet", "-no-directory", "-force-overwrite", "-password", "-")
BSDTAR = ("bsdtar", "-x", "-f")
TOOLS = {  # tried in this order, as none unpacks everything; Debian's 7-Zip knows no RAR
    ".7z": (("7z", *OPTIONS), ("7zz", *OPTIONS), ("7za", *OPTIONS), BSDTAR),
    ".rar": (("unrar", *OPTIONS), UNAR, BSDTAR),
}
PACKAGES = {".7z": "7zip", ".rar": "unar"}
LAST_LINE = "bsdtar: Error exit delayed from previous errors."  # which says nothing

E = TypeVar("E")


class InvalidSubmission(Exception):
    """A submission that cannot be graded; the text is the reason in one line."""


class Allowance:
    """What a submission may still have of something."""

    def __init__(self, most: int, unit: int, words: str) -> None:
        """Allow a number of units. The words name them in an error."""
        self._left = most
        self._error = f"more than {most // unit} {words}"

    def take(self, count: int = 1) -> None:
        """Take some of it. Raises InvalidSubmission."""
        self._left -= abs(count)
        if self._left < 0:
            raise InvalidSubmission(self._error)


class Budget:
    """Files and bytes that a submission may still have.

    Attributes:
        files: Files.
        content: Bytes of files.
        stream: Bytes of tar files.
        headers: Bytes of the extended headers of tar files.
    """

    def __init__(self) -> None:
        self.files = Allowance(MAX_FILES, 1, "files")
        self.content = Allowance(MAX_BYTES, MEGABYTE, "MB when unpacked")
        self.stream = Allowance(MAX_STREAM, MEGABYTE, "MB when unpacked")
        self.headers = Allowance(MAX_HEADERS, MEGABYTE, "MB of names when unpacked")


def is_of_machine(error: Exception) -> bool:
    """Return whether an error is one of this machine, such as a full disk."""
    return isinstance(error, OSError) and error.errno in MACHINE_ERRORS


def is_ignored(part: str) -> bool:
    """Return whether a file or a folder of this name is left out."""
    return part.startswith(".") or part in IGNORED


def is_document(name: str) -> bool:
    """Return whether a file is a document, such as the answer to a written problem."""
    return PurePosixPath(name).suffix.lower() in DOCUMENTS


def is_file(path: Path) -> bool:
    """Return whether a path is a regular file itself, not a link to one."""
    return stat.S_ISREG(path.lstat().st_mode)


def read_file(folder: Path, path: Path, most: int = MAX_START) -> File:
    """Return a file of a folder with at most its first `most` bytes."""
    with (folder / path).open("rb") as file:
        start = file.read(most)
    return File(PurePosixPath(path), start, os.access(folder / path, os.X_OK))


def folder_files(folder: Path) -> Iterator[Path]:
    """Yield the regular files of a folder that are not left out, at any depth, in order."""
    for parent, folders, names in os.walk(folder):
        depth = len(Path(parent).relative_to(folder).parts)
        if ENVIRONMENT in names and depth:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not is_ignored(name) and depth < MAX_DEPTH)
        for name in sorted(names):
            path = Path(parent, name)
            if not is_ignored(name) and is_file(path):
                yield path


def copy_file(path: Path, copy: Path, budget: Budget) -> None:
    """Copy a file with its right to be executed; of a document, only its name is needed.

    Raises:
        InvalidSubmission: The budget is exceeded.
        OSError: A file cannot be read or written.
    """
    budget.files.take()
    copy.parent.mkdir(parents=True, exist_ok=True)
    if is_document(path.name):
        copy.touch()
        return
    budget.content.take(path.stat().st_size)
    shutil.copyfile(path, copy)
    copy.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def unpack_zip(source: Path, target: Path, budget: Budget) -> None:
    """Unpack a zip file into a folder.

    Raises:
        InvalidSubmission: It exceeds the budget, is malicious or invalid.
        OSError: This machine cannot store its files.
    """
    with _refusing("zip"), zipfile.ZipFile(source) as archive:
        names = [entry.filename for entry in archive.infolist()]
        for entry in _kept(archive.infolist(), names):
            mode = entry.external_attr >> 16
            path = checked_path(entry.filename)
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise InvalidSubmission(_link(path))
            if entry.flag_bits & ENCRYPTED:
                raise InvalidSubmission(f"the archive is encrypted: {one_line(str(path))}")
            if not entry.is_dir():
                with archive.open(entry) as packed:
                    _store(packed, path, target, mode, budget)


def unpack_tar(source: Path, target: Path, budget: Budget) -> None:
    """Unpack a tar file, which may be compressed, into a folder. Raises as `unpack_zip` does."""
    with _refusing("tar"):
        with _tar_file(source, budget) as archive:
            names = [entry.name for entry in islice(archive, MAX_ENTRIES + 1)]
        with _tar_file(source, budget) as archive:
            for entry in _kept(archive, names):
                path = checked_path(entry.name)
                if not (entry.isreg() or entry.isdir()):
                    raise InvalidSubmission(_link(path))
                if packed := archive.extractfile(entry):
                    _store(packed, path, target, entry.mode, budget)


@contextmanager
def _refusing(kind: str) -> Iterator[None]:
    """Turn errors of a library for archives into errors of the submission."""
    try:
        yield
    except InvalidSubmission:
        raise
    except Exception as error:  # the libraries and their decompressors raise almost anything
        if is_of_machine(error):
            raise
        text = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InvalidSubmission(f"invalid {kind} file: {one_line(text)}") from None


def _kept(entries: Iterable[E], names: Sequence[str]) -> Iterator[E]:
    """Yield the entries of an archive that are not left out.

    Args:
        entries: The entries.
        names: Their paths, in the same order.
    """
    if len(names) > MAX_ENTRIES:
        raise InvalidSubmission(f"the archive has more than {MAX_ENTRIES} entries")
    paths = [PurePosixPath(name.replace("\\", "/")) for name in names]
    environments = {path.parent for path in paths if path.name == ENVIRONMENT} - {PurePosixPath()}
    for entry, path in zip(entries, paths, strict=True):
        is_left_out = any(map(is_ignored, path.parts)) or environments & {path, *path.parents}
        if not is_left_out or ".." in path.parts:  # which is refused
            yield entry


def _store(packed: IO[bytes], path: PurePosixPath, target: Path, mode: int, budget: Budget) -> None:
    """Write a file of an archive."""
    budget.files.take()
    copy = target / path
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("xb") as out:
            while not is_document(path.name) and (chunk := packed.read(CHUNK)):
                budget.content.take(len(chunk))
                out.write(chunk)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        shown = one_line(str(path))
        raise InvalidSubmission(f"the archive contains a path twice: {shown}") from None
    copy.chmod(0o755 if mode & 0o100 else 0o644)


class _LimitedStream:
    """Decompressed content of a tar file, within a budget."""

    def __init__(self, stream: IO[bytes], budget: Allowance) -> None:
        self._stream = stream
        self._budget = budget

    def read(self, count: int) -> bytes:
        """Return the next bytes. Raises InvalidSubmission.

        What is read past the end counts too: tarfile skips a file of any size in small reads.
        """
        self._budget.take(count)
        return self._stream.read(count)


@contextmanager
def _tar_file(source: Path, budget: Budget) -> Iterator[tarfile.TarFile]:
    """Open a tar file to read its entries in order."""

    class Entry(tarfile.TarInfo):
        """Entry whose extended headers are within the budget, as tarfile keeps all of them."""

        # The method that tarfile offers to subclasses, for every header. Others differ by version.
        def _proc_member(self, archive: tarfile.TarFile) -> Any:
            """Read what belongs to a header. Raises InvalidSubmission."""
            if self.type in EXTENDED:
                budget.headers.take(self.size)
            if self.type == tarfile.XGLTYPE:  # which each later entry would copy
                self.type = tarfile.XHDTYPE
            if self.type == tarfile.GNUTYPE_SPARSE:
                self._refuse_sparse_file()
            return cast(Any, super())._proc_member(archive)

        def _refuse_sparse_file(self, *_: object) -> NoReturn:
            """Raise InvalidSubmission: the list of the file's parts has no limit."""
            raise InvalidSubmission("the archive contains a sparse file")

        _proc_gnusparse_10 = _refuse_sparse_file  # of a version that only attributes tell

    with source.open("rb") as file:
        start = file.read(max(map(len, DECOMPRESSORS)))
    open_ = next((DECOMPRESSORS[magic] for magic in DECOMPRESSORS if start.startswith(magic)), open)
    with open_(source, "rb") as content:
        stream: Any = _LimitedStream(content, budget.stream)  # tarfile needs no more of a file
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=Entry) as archive:
            yield archive


def _link(path: PurePosixPath) -> str:
    return f"the archive contains a link or a device: {one_line(str(path))}"


def checked_path(name: str) -> PurePosixPath:
    """Return the path of an entry of an archive.

    Raises:
        InvalidSubmission: It is absolute, leads out of the folder, or is too long.
    """
    path = PurePosixPath(name.replace("\\", "/"))
    shown = ascii(name[:80])
    if path.is_absolute() or ".." in path.parts or ":" in (path.parts or ("",))[0]:
        raise InvalidSubmission(f"the archive contains a path outside its folder: {shown}")
    if len(path.parts) > MAX_DEPTH or len(os.fsencode(name)) > MAX_PATH or "\0" in name:
        raise InvalidSubmission(f"the archive contains an invalid path: {shown}")
    return path


class ExtractorMissing(InvalidSubmission):
    """An archive that no program on this machine can unpack."""


@contextmanager
def extracted(archive: Path, sandbox: Sandbox) -> Iterator[Path]:
    """Unpack an archive into a private folder, which is removed afterwards.

    Args:
        archive: The archive, with a suffix in TOOLS.
        sandbox: The sandbox that it is unpacked in.

    Yields:
        The folder. Nothing in it is to be trusted, neither links nor sizes.

    Raises:
        InvalidSubmission: It cannot be unpacked.
        OSError: This machine cannot store its files.
    """
    kind = archive.suffix.lower()
    found = [words for words in TOOLS[kind] if sandbox.has_tool(words[0])]
    if not found:
        advice = f"apt-get install {PACKAGES[kind]}, or unpack it"
        raise ExtractorMissing(f"no program for {kind} files is installed ({advice})")
    private = Path(tempfile.mkdtemp(prefix="arena-"))
    reasons = []
    try:
        sandbox.admit(private)
        for words in found:
            folder = private / words[0]
            reason = _extract(archive, words, folder, sandbox)
            if not reason:
                yield folder / UNPACKED
                return
            reasons.append(f"{words[0]} {reason}")
            remove_folder(folder)
        raise InvalidSubmission(one_line(f"invalid {kind} file: {reasons[0]}"))
    finally:
        remove_folder(private)


def _extract(archive: Path, words: Sequence[str], folder: Path, sandbox: Sandbox) -> str:
    """Unpack an archive into the folder UNPACKED of a folder, which is created.

    Returns:
        Why that has failed, as a clause; empty if it has not.

    Raises:
        InvalidSubmission: It is too large, also for another program.
    """
    (folder / UNPACKED).mkdir(0o755, parents=True)
    copy = Path(shutil.copyfile(archive, folder / f"archive{archive.suffix.lower()}"))
    sandbox.hand_over(folder)
    view = View(folder / UNPACKED, writable=(folder,), environment=LANGUAGE)
    ended = run(sandbox, [*words, f"../{copy.name}"], view, Limits(), UNPACK_SECONDS)
    excess = ended.excess or written_excess([folder], Limits())
    if ended.status == -SIGXFSZ:
        excess = f"wrote a file of more than {Limits().file_size // MEGABYTE} MB"
    if excess:
        raise InvalidSubmission(f"invalid {copy.suffix} file: {words[0]} {excess}")
    if (folder / UNPACKED).is_symlink():
        return "replaced its folder"
    if not ended.status:  # unrar-free ends with 0, too, if it has found nothing that it knows
        return "" if any((folder / UNPACKED).iterdir()) else "finds no file in it"
    lines = ended.errors.decode(errors="replace").splitlines()
    said = [line for line in map(str.strip, lines) if line and line != LAST_LINE]
    if not said:
        return describe_status(ended.status)
    return f"says: {said[-1].removeprefix(f'{words[0]}: ')}"
