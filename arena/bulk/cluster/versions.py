"""Versions on which the games of a run and the messages of its batches depend."""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any

from arena.model.version import package_name
from core.registry import GROUP

# Besides the arena itself and the games.
PACKAGES = ("cloudpickle", "distributed", "msgspec")

Versions = Mapping[str, str | None]
"""Version by package, and that of `python`; None for a package that is not installed."""


def required_packages() -> list[str]:
    """Return the packages whose versions must be the same everywhere, those of games included."""
    games = {entry.dist.name for entry in entry_points(group=GROUP) if entry.dist}
    return [package_name(), *PACKAGES, *sorted(games)]


def installed_versions(packages: list[str]) -> Versions:
    """Return the versions that are installed here."""
    return {"python": platform.python_version(), **{name: _installed(name) for name in packages}}


def reported_versions(report: Mapping[str, Any]) -> Versions:
    """Return the versions that a process of Dask reports, as `distributed.versions` makes them."""
    python = ".".join(report["host"]["python"].split(".")[:3])
    return {**report["packages"], "python": python}


def difference(here: Versions, there: Versions) -> str | None:
    """Return the first difference in words, or None.

    Args:
        here: The versions of the driver.
        there: The versions of a worker or of the scheduler, which may report more packages.
    """
    for name, own in here.items():
        if there.get(name) != own:
            return f"{name} is {there.get(name) or 'missing'} there and {own or 'missing'} here"
    return None


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
