"""Packages with games, as their installation leaves them: metadata in a folder on sys.path."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.registry import GROUP

ROOT = Path(__file__).parents[3]
TOY_GAMES = "tests.support.games.toy_games"


def install(folder: Path, package: str, games: Mapping[str, str]) -> None:
    """Write the metadata of a package whose games are entry points, given by name and object."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    entries = "".join(f"{name} = {target}\n" for name, target in games.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{entries}")


def environment_with(folder: Path) -> dict[str, str]:
    """Return the environment of a process that finds the packages installed in a folder."""
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def install_for_children(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, of: str) -> None:
    """Install a toy game, given by its object, for the processes that this one starts."""
    install(folder, name.replace("_", "-"), {name: f"{TOY_GAMES}:{of}"})
    monkeypatch.setenv("PYTHONPATH", environment_with(folder)["PYTHONPATH"])
