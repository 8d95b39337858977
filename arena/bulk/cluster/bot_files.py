"""A folder of users' modules and programs, packed for the way to the workers of a cluster.

Dask's `UploadDirectory` sends hidden files too, follows links and has no limit; on the workers it
drops the permission to execute, lets other users read the files, and leaves them there.
"""

import io
import shutil
import tarfile
from pathlib import Path, PurePath
from tempfile import mkdtemp

MAX_BYTES = 50 * 1024**2  # of all files together, unpacked
MAX_FILES = 10_000
FILE_MODE, PROGRAM_MODE = 0o644, 0o755  # in a private folder; programs may run as another user
OWNER_EXECUTES = 0o100


def pack(folder: Path) -> bytes:
    """Return the files of a folder as an archive.

    Raises:
        ValueError: It is no folder, has a symbolic link or a special file, or is too large.
    """
    if not folder.is_dir():
        raise ValueError(f"bot files {folder} are not a folder")
    sizes: list[int] = []

    def check(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        """Return an entry with its permissions there, None for a hidden file."""
        name = PurePath(entry.name).name
        if name.startswith(".") or name == "__pycache__":  # it may be a secret, and is no module
            return None
        if (folder / entry.name).is_symlink():
            raise ValueError(f"bot file {folder / entry.name} is a symbolic link")
        if not (entry.isdir() or entry.isreg()):
            raise ValueError(f"bot file {folder / entry.name} is not a regular file")
        sizes.extend([] if entry.isdir() else [entry.size])
        if sum(sizes) > MAX_BYTES or len(sizes) > MAX_FILES:
            limits = f"{MAX_BYTES // 1024**2} MB or {MAX_FILES} files"
            raise ValueError(f"bot files in {folder} have more than {limits}")
        is_program = entry.isdir() or entry.mode & OWNER_EXECUTES
        entry.mode = PROGRAM_MODE if is_program else FILE_MODE
        return entry

    buffer = io.BytesIO()
    # Of a hard link, the content: what it links to may be hidden.
    with tarfile.open(fileobj=buffer, mode="w:gz", dereference=True) as archive:
        try:
            for path in folder.iterdir():
                archive.add(path, path.name, filter=check)
        except OSError as error:
            text = f"cannot read bot file {error.filename or folder}: {error.strerror}"
            raise ValueError(text) from None
    return buffer.getvalue()


def unpack(data: bytes, folder: Path) -> Path:
    """Unpack files into a private folder below `folder`.

    Returns:
        The only folder in the private one. It has the files, for programs of any user that can see
        it: in the sandbox, root's programs run as another user.

    Raises:
        ValueError: They are no archive, a path leads out of the folder, or the disk is full.
    """
    private = Path(mkdtemp(prefix="bots-", dir=folder))
    target = private / "files"
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            target.mkdir()
            target.chmod(PROGRAM_MODE)  # whatever the umask is
            archive.extractall(target, filter=_checked)
    except (OSError, EOFError, KeyError, tarfile.TarError) as error:
        shutil.rmtree(private, ignore_errors=True)
        raise ValueError(f"the bot files cannot be unpacked there: {error}") from None
    return target


def _checked(entry: tarfile.TarInfo, folder: str) -> tarfile.TarInfo:
    """Return an entry with its permissions. Raises tarfile.FilterError if it leads elsewhere."""
    return tarfile.data_filter(entry, folder).replace(mode=entry.mode & PROGRAM_MODE, deep=False)
