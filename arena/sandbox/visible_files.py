"""Files that a program in a sandbox sees: the system's, and the ones that its command needs.

Of the system these are commands, compilers and libraries: of /usr and /usr/local the usual folders;
of others, such as /opt, what PATH, JAVA_HOME and links to commands lead to, unless an arena is
installed there. A Python program runs with a Python of the system or, without one, with the one
that this arena's virtual environment is based on: never with the packages of the arena.

No program may see the files of the arena itself, which hold the answers of all cases.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from sysconfig import get_path
from typing import NamedTuple

from arena.sandbox.limits import View

PARENT = Path(__file__).resolve().parents[2]
PACKAGES = ("arena", "bots", "core")  # in it
LIBRARIES = {"dist-packages", "site-packages"}  # folders of installed packages
TRACES = "lib*/python3*/*-packages/*take_stones_arena*"  # of an installation, also an editable one
MOUNTS = Path("/proc/self/mountinfo")
OCTAL = re.compile(r"\\([0-7]{3})")
PREFIXES = (Path("/usr"), Path("/usr/local"))
BROAD = {Path("/"), Path("/opt"), *PREFIXES}  # which hold more than one installation
STANDARD = (
    "bin",
    "games",
    "include",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "libx32",
    "sbin",
    "share",
)
LINKED = tuple(Path("/", name) for name in STANDARD if name.startswith(("bin", "sbin", "lib")))
PLACES = (Path("/opt"), Path("/usr"))  # of installations that PATH and the like lead to
COMMANDS = {"bin", "sbin", "shims"}  # folders of commands in an installation
BASE = Path(sys.base_prefix)


class OwnFiles(NamedTuple):
    """Folders of this arena, without symbolic links in their paths.

    Attributes:
        code: Its packages, and the folders where they and others are installed.
        roots: Its checkout or virtual environment, which may have a folder of programs in it.
    """

    code: frozenset[Path]
    roots: frozenset[Path]


class Mount(NamedTuple):
    """Mounted file system, or a part of one: its device, its part, and where that is seen."""

    device: str
    root: Path
    point: Path


@cache
def own_files() -> OwnFiles:
    """Return the folders of this arena."""
    packages = {PARENT / name for name in PACKAGES}
    installed = {PARENT} if PARENT.name in LIBRARIES else set()
    roots = {PARENT} - installed
    if sys.prefix != sys.base_prefix:
        roots.add(Path(sys.prefix).resolve())
        installed |= {Path(get_path(name)).resolve() for name in ("purelib", "platlib")}
    return OwnFiles(frozenset(packages | installed), frozenset(roots))


def libraries_with_arena(prefix: Path) -> set[Path]:
    """Return the folders of an installation of Python in which an arena is installed."""
    return {path.parent.resolve() for path in prefix.glob(TRACES)}


def read_mounts() -> list[Mount]:
    """Return what is mounted; nothing on a system that does not tell it."""
    try:
        lines = MOUNTS.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return []
    fields = (line.split() for line in lines)
    return [Mount(field[2], _path(field[3]), _path(field[4])) for field in fields]


def appearances(folder: Path, mounts: Iterable[Mount]) -> Iterator[Path]:
    """Yield the paths where a folder or a part of it is seen: its own, and other mounts of it."""
    yield folder
    mounts = [*mounts]
    around = [mount for mount in mounts if folder.is_relative_to(mount.point)]
    if not around:
        return
    own = max(around, key=lambda mount: len(mount.point.parts))
    place = own.root / folder.relative_to(own.point)
    for mount in mounts:
        if mount.device == own.device and place.is_relative_to(mount.root):
            yield mount.point / place.relative_to(mount.root)
        elif mount.device == own.device and mount.root.is_relative_to(place):
            yield mount.point


def _path(text: str) -> Path:
    """Return a path of the list of mounts, in which some characters are octal numbers."""
    return Path(OCTAL.sub(lambda found: chr(int(found[1], 8)), text))


class SystemFiles(NamedTuple):
    """Paths that programs see and do not see of the system.

    Attributes:
        visible: The visible folders, an outer one before those in it.
        hidden: Folders of the arena, which are seen neither in those nor in any other one.
        closed: Those in which no other folder is seen either.
    """

    visible: tuple[Path, ...]
    hidden: frozenset[Path]
    closed: frozenset[Path]

    def shows(self, path: Path) -> bool:
        """Return whether a path belongs to the system that a program sees."""
        return nearest(path, {*self.visible, *self.hidden}) in {*self.visible} - self.hidden

    def may_show(self, path: Path) -> bool:
        """Return whether a path may be shown to a program, as it is not the arena's own."""
        place = path.resolve()
        return place not in self.hidden and (not _is_in(place, self.closed) or self.shows(place))


def system_files() -> SystemFiles:
    """Return what programs see with the environment of this process."""
    return _system_files(os.environ.get("PATH", os.defpath), os.environ.get("JAVA_HOME", ""))


def base_python() -> Path:
    """Return the interpreter that this arena's virtual environment is based on."""
    return BASE / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"


def command_path() -> str:
    """Return the value of PATH for programs, which ends with the folder of `base_python`."""
    inherited = os.environ.get("PATH", os.defpath)
    return inherited if BASE in PREFIXES else f"{inherited}{os.pathsep}{base_python().parent}"


def installation(command: Path) -> Path:
    """Return the folder of the installation that a command belongs to."""
    folder = command.parent
    is_inner = folder.name in COMMANDS and folder.parent not in BROAD
    return folder.parent if is_inner else folder


def standard_folders(prefix: Path) -> Iterator[Path]:
    """Yield the usual folders of an installation that are not empty."""
    folders = (prefix / name for name in STANDARD)
    return (folder for folder in folders if folder.is_dir() and any(folder.iterdir()))


@cache
def _system_files(path: str, java_home: str) -> SystemFiles:
    has_python = any((prefix / "bin" / "python3").exists() for prefix in PREFIXES)
    prefixes = PREFIXES if has_python else (*PREFIXES, BASE)
    folders = {folder for prefix in prefixes for folder in standard_folders(prefix)}
    folders |= {folder for folder in LINKED if folder.is_dir()}
    libraries = {found for prefix in (*PREFIXES, BASE) for found in libraries_with_arena(prefix)}
    mounts = read_mounts()
    closed = {place for own in own_files().code | libraries for place in appearances(own, mounts)}
    hidden = {place for own in own_files().roots for place in appearances(own, mounts)}
    usable = BROAD | folders  # by all programs, wherever an arena may be installed
    closed, hidden = closed - usable, (closed | hidden) - usable
    for prefix in {*_installations(path, java_home, folders)} - hidden:
        folders |= set() if _is_in(prefix, closed) else {prefix}
    return SystemFiles(tuple(sorted(folders)), frozenset(hidden), frozenset(closed))


def _installations(path: str, java_home: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield other installations with commands, in which there is no arena."""
    named = {Path(folder) for folder in path.split(os.pathsep) if folder.startswith("/")}
    named |= {Path(java_home, "bin")} if java_home.startswith("/") else set()
    found = named | {folder.resolve() for folder in named}
    commands = {Path(folder, "any") for folder in found}
    commands |= {Path(target) for folder in found for target in _links(folder)}
    for prefix in map(installation, commands):
        is_new = _is_in(prefix, PLACES) and prefix not in BROAD and not _is_in(prefix, folders)
        if is_new and prefix.is_dir() and not libraries_with_arena(prefix):
            yield prefix


def _links(folder: Path) -> Iterator[str]:
    """Yield where the symbolic links in a folder lead to, if it is another folder."""
    if folder.is_symlink() or not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink() and "/" in os.readlink(entry.path):
                yield os.path.realpath(entry.path)


def nearest(path: Path, folders: Iterable[Path]) -> Path | None:
    """Return the innermost of some folders that a path is in, None if it is in none."""
    around = [folder for folder in folders if path.is_relative_to(folder)]
    return max(around, key=lambda folder: len(folder.parts), default=None)


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def find_program(word: str, folder: Path | None = None) -> str | None:
    """Return the path of the program that the first word of a command names, None without one.

    Args:
        word: A path with a slash, or a name to look for in the folders of PATH.
        folder: The working directory of the program; None is the one of this process.
    """
    return shutil.which(os.path.join(folder or "", word) if "/" in word else word)


def view_from(command: Sequence[str], folder: Path, home: Path, network: bool = False) -> View:
    """Return the view of a program that reads the files of its own folder.

    It sees each folder that a word of its command names, and the folder of each file that one
    names; of the home folder and those above it only the named file itself. If the command names
    none, it sees its working directory.

    Args:
        command: The program and its arguments.
        folder: The working directory.
        home: The home folder of the user.
        network: Whether the program may use the network.
    """
    named = [path for word in command[1:] for path in _named(word, folder)]
    program = find_program(command[0], folder)
    own = Path(folder, program) if program else None
    if own and "/" in command[0]:
        named.append(own)
    found = {_readable(path, home) for path in named or [folder]}
    if own:
        found.update(_installation(own, home))
    visible = sorted(path for path in found if not home.is_relative_to(path.resolve()))
    return View(folder, tuple(visible), network=network)


def _named(word: str, folder: Path) -> Iterator[Path]:
    """Yield the existing paths that a word names, such as a class path, also after an equals sign.

    A word without a slash is a path only if there is one.
    """
    for text in word.rpartition("=")[2].split(":"):
        path = Path(folder, text)
        if text and os.path.exists(path):  # false for a text that cannot be a path
            yield path.resolve() if ".." in path.parts else path


def _readable(path: Path, home: Path) -> Path:
    """Return the folder of a file, or the file itself where that would show too much."""
    folder = path.parent
    shows_more = home.is_relative_to(folder) or folder.resolve() in own_files().roots
    return path if path.is_dir() or shows_more else folder


def _installation(program: Path, home: Path) -> Iterator[Path]:
    """Yield the folders that an interpreter outside the system is installed in."""
    for path in {program, program.resolve()}:
        if not system_files().shows(path):
            prefix = installation(path)
            if prefix == BASE:  # which may have anything in it, if an arena is installed there
                yield from standard_folders(prefix)
            else:
                yield path if home.is_relative_to(prefix) else prefix
