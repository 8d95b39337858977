"""Versions on which the games of a run and the messages of its batches depend.

Dask reports versions, and the arena compares them: `Client.get_versions(check=True)` compares other
packages, for all workers together, and only warns.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

from distributed.versions import get_versions

from arena.model.version import package_name
from core.registry import GROUP

# Besides the arena itself and the games.
PACKAGES = ("cloudpickle", "distributed", "msgspec")


def required_packages() -> list[str]:
    """Return the packages whose versions must be the same everywhere, those of games included."""
    games = {entry.dist.name for entry in entry_points(group=GROUP) if entry.dist}
    return [package_name(), *PACKAGES, *sorted(games)]


def difference(there: Mapping[str, Any]) -> str | None:
    """Return the first difference between two processes in words, or None.

    Args:
        there: What `distributed.versions.get_versions` has returned in the other process, given the
            required packages.
    """
    here = get_versions(required_packages())["packages"]
    for name in ("python", *required_packages()):
        own, other = here[name] or "missing", there["packages"].get(name) or "missing"
        if own != other:
            return f"{name} is {other} there and {own} here"
    return None
