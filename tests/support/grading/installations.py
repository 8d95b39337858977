"""Arenas that are installed in namespaces, at any place of a machine."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
BASE = Path(sys.base_prefix)
DEPENDENCIES = Path(pytest.__file__).parents[1]


def namespace(*mounts: object) -> list[str]:
    """Return the words that run the words that follow with further mounts on this machine.

    Args:
        mounts: Options of bubblewrap, which may make new folders in `/`.
    """
    words = ["bwrap", *(word for path in sorted(Path("/").iterdir()) for word in _shown(path))]
    words += ["--cap-add", "ALL"] if os.geteuid() == 0 else []
    return [*words, *map(str, mounts), "--"]


def _shown(path: Path) -> Iterator[str]:
    if path.is_symlink():
        yield from ("--symlink", str(path.readlink()), str(path))
    elif path.is_dir():
        yield from ("--dev-bind", str(path), str(path))


def install(libraries: Path) -> None:
    """Install the packages into a folder, as pip does; their dependencies stay where they are."""
    ignored = shutil.ignore_patterns("__pycache__", "web", "*.c", "*.pyx")
    for name in ("arena", "bots", "core"):
        shutil.copytree(ROOT / name, libraries / name, ignore=ignored)
    shutil.copy(ROOT / "take_stones_arena.py", libraries)
    (libraries / "take_stones_arena-0.dist-info").mkdir()
    (libraries / "dependencies.pth").write_text(f"{DEPENDENCIES}\n")


def create_environment(folder: Path, home: str) -> Path:
    """Create a virtual environment with an interpreter in `home`; return the folder of packages."""
    libraries = folder / "lib" / VERSION / "site-packages"
    libraries.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(f"{home}/{VERSION}")
    (folder / "pyvenv.cfg").write_text(f"home = {home}\n")
    return libraries
