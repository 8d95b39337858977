"""A folder of users' modules and programs, packed for the way to the workers of a cluster."""

import io
import os
import stat
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp

MAX_BYTES = 50 * 1024**2  # of all files together, unpacked
MAX_FILES = 10_000
FILE_MODE, PROGRAM_MODE = 0o644, 0o755  # in a private folder; programs may run as another user
MODE_SHIFT = 16  # of the permissions in the attributes of a file in an archive
EPOCH = 1980, 1, 1, 0, 0, 0  # the earliest time of a zip archive: the same files, the same bytes


@dataclass(frozen=True)
class BotFiles:
    """A packed folder.

    Attributes:
        archive: The bytes of a zip archive.
    """

    archive: bytes

    @property
    def name(self) -> str:
        """A name that is different for different files."""
        return f"bots-{sha256(self.archive).hexdigest()[:16]}"


def pack(folder: Path) -> BotFiles:
    """Pack a folder.

    Raises:
        ValueError: It is no folder, has a symbolic link or a special file, or is too large.
    """
    if not folder.is_dir():
        raise ValueError(f"bot files {folder} are not a folder")
    buffer = io.BytesIO()
    total = 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for count, path in enumerate(_files(folder), 1):
            data = _read(path, MAX_BYTES - total)
            total += len(data)
            if total > MAX_BYTES or count > MAX_FILES:
                raise ValueError(
                    f"bot files in {folder} have more than {MAX_BYTES // 1024**2} MB "
                    f"or {MAX_FILES} files"
                )
            archive.writestr(_entry(path, folder), data)
    return BotFiles(buffer.getvalue())


def unpack(files: BotFiles, folder: Path) -> Path:
    """Unpack files into a private folder below `folder`.

    Returns:
        The only folder in the private one. It has the files, for programs of any user that can see
        it: in the sandbox, those that root starts run as another user.

    Raises:
        ValueError: They are no archive or too large, or a path leads out of the folder.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(files.archive))
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from None
    with archive:
        entries = {_checked(entry.filename): entry for entry in archive.infolist()}
        # The sizes are those that the archive names, which zipfile holds the contents to.
        if len(entries) > MAX_FILES or _size(entries.values()) > MAX_BYTES:
            raise ValueError("the bot files are too large")
        target = Path(mkdtemp(prefix=f"{files.name}-", dir=folder), "files")
        target.mkdir()
        for name, entry in entries.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(entry))
            path.chmod(_mode(entry))
    for parent, *_ in os.walk(target):
        os.chmod(parent, PROGRAM_MODE)  # whatever the umask is
    return target


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in a fixed order. Raises ValueError."""
    for parent, folders, names in os.walk(folder):
        folders[:] = _modules(folders)
        for path in (Path(parent, name) for name in [*folders, *_modules(names)]):
            if path.is_symlink():
                raise ValueError(f"bot file {path} is a symbolic link")
            if not path.is_dir():
                if not path.is_file():
                    raise ValueError(f"bot file {path} is not a regular file")
                yield path


def _modules(names: list[str]) -> list[str]:
    """Return the sorted names without hidden ones, which may be secrets and are no modules."""
    return sorted(name for name in names if name != "__pycache__" and name[0] != ".")


def _read(path: Path, limit: int) -> bytes:
    """Return up to one byte more than the limit. Raises ValueError."""
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise ValueError(f"cannot read bot file {path}: {error.strerror}") from None


def _entry(path: Path, folder: Path) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    is_program = path.stat().st_mode & stat.S_IXUSR
    entry.external_attr = (PROGRAM_MODE if is_program else FILE_MODE) << MODE_SHIFT
    return entry


def _mode(entry: zipfile.ZipInfo) -> int:
    """Return the permissions of a file: either of two, whatever the archive names."""
    return PROGRAM_MODE if entry.external_attr >> MODE_SHIFT & stat.S_IXUSR else FILE_MODE


def _size(entries: Iterable[zipfile.ZipInfo]) -> int:
    return sum(entry.file_size for entry in entries)


def _checked(name: str) -> PurePosixPath:
    """Return the path of an entry. Raises ValueError if it leads out of the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"bot file {name} leads out of its folder")
    return path
