"""Paths that the command of a program needs: the folders that it names, and its interpreter."""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.sandbox.limits import View
from arena.sandbox.own_files import own_files
from arena.sandbox.system_files import BASE, installation, standard_folders, system_files


def find_program(word: str, folder: Path | None = None) -> str | None:
    """Return the path of the program that the first word of a command names, None without one.

    Args:
        word: A path with a slash, or a name to look for in the folders of PATH.
        folder: The working directory of the program; None is the one of this process.
    """
    return shutil.which(os.path.join(folder or "", word) if "/" in word else word)


def view_of(command: Sequence[str], folder: Path | None = None, *, network: bool = False) -> View:
    """Return the view of a program that this process starts, as `view_from` does.

    Args:
        command: The program and its arguments.
        folder: Its working directory, an absolute path; None is the one of this process.
        network: Whether the program may use the network.
    """
    home = os.environ.get("HOME")
    return view_from(command, folder or Path.cwd(), Path(home or "/root").resolve(), network)


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
