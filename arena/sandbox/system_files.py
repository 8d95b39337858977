"""Files of the system that every program in a sandbox sees: commands, compilers and libraries.

Of /usr and /usr/local these are the usual folders. Of others, such as /opt, it is what PATH,
JAVA_HOME and links to commands lead to, unless an arena is installed there. A Python program runs
with a Python of the system or, without one, with the one that this arena's virtual environment is
based on: never with the packages of the arena.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.own_files import appearances, libraries_with_arena, own_files, read_mounts

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
