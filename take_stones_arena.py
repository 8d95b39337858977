"""Installed commands, and the check that core, arena and bots are the packages of this project.

The three names are common: another distribution installs files over ours, or a folder of the
working directory hides them. The name of this module is that of the distribution alone.
"""

import gc
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from io import TextIOWrapper

PACKAGES = ("core", "arena", "bots")
CORE = ("core",)  # what the command lines of games import
MARK = b"# This line tells the package from others of its name."
ROOT = os.path.dirname(os.path.abspath(__file__))
INSTALLED = f"-packages{os.sep}"  # in the paths of installed packages
OVERWRITTEN = "install take-stones-arena in an environment of its own, by pipx or uv tool"
STANDARD_ERROR = 2  # the highest descriptor of a standard stream
HIDDEN = "rename it, or start the program in another folder"


def arena() -> int:
    """Run the command `arena` and return its exit status."""
    check_packages("arena")
    from arena.__main__ import main

    return main()


def bot() -> int:
    """Run the process of a bot, `python -m bots`, and return its exit status."""
    open_standard_streams()
    check_packages("bots")
    with importing():
        from bots.process import main

    return main()


def isolation() -> None:
    """Run the command `isolation`."""
    check_packages("isolation", CORE)
    from core.isolation.__main__ import start

    start()


def take_stones() -> None:
    """Run the command `take-stones`."""
    check_packages("take_stones", CORE)
    from core.take_stones.__main__ import start

    start()


def take_stones_solve() -> None:
    """Run the command `take-stones-solve`."""
    check_packages("take_stones.solve", CORE)
    from core.take_stones.solve import start

    start()


@contextmanager
def importing() -> Iterator[None]:
    """Collect no garbage during imports, and leave what they create out of later collections.

    Imports make no garbage: to look for it takes a tenth to a fifth of the time of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def open_standard_streams() -> None:
    """Make the standard streams usable for any text.

    The null device takes the place of each stream that is closed: another file would get its
    number, and a child process would take that for its own stream. Characters that the encoding of
    the locale lacks are written as escapes.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    if sys.stderr is None:  # print would take standard output instead
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error has it


@cache
def check_packages(program: str, imported: Collection[str] = PACKAGES) -> None:
    """Exit with status 1 and a line on standard error if a package is not this project's own.

    Args:
        program: The name of the program, for the line.
        imported: The packages that the program imports. Of the others, only the files beside this
            module are checked: where else the names stand does not matter.
    """
    for name in PACKAGES:
        own = os.path.join(ROOT, name, "__init__.py")
        spec = find_spec(name) if name in imported else None
        file = os.path.abspath((spec and spec.origin) or own)
        if file != own or not _is_marked(own):
            mend = OVERWRITTEN if INSTALLED in file else HIDDEN
            sys.exit(f"{program}: {file} is not the package {name!r} of take-stones-arena: {mend}")


def _is_marked(file: str) -> bool:
    try:
        with open(file, "rb") as source:
            return MARK in source.read()
    except OSError:  # uninstalled with the distribution that had replaced it
        return False
