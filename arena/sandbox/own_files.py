"""Files of the arena itself, which hold the answers of all cases: no program may see them."""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from sysconfig import get_path
from typing import NamedTuple

PARENT = Path(__file__).resolve().parents[2]
PACKAGES = ("arena", "bots", "core")  # in it
LIBRARIES = {"dist-packages", "site-packages"}  # folders of installed packages
TRACES = "lib*/python3*/*-packages/*take_stones_arena*"  # of an installation, also an editable one
MOUNTS = Path("/proc/self/mountinfo")
OCTAL = re.compile(r"\\([0-7]{3})")


class OwnFiles(NamedTuple):
    """Folders of this arena, without symbolic links in their paths.

    Attributes:
        code: Its packages, and the folders in which they and others are installed.
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
