"""Mutants of Python, where Cosmic Ray is installed: `make test` does without."""

import pytest

from tools.mutants.python import Python

pytest.importorskip("cosmic_ray")

SOURCE = '''\
"""A module of 3 < 4 lines."""


def smallest(values: list[int | None], *, limit: int | None = 5) -> int | None:
    """Return 1 < 2."""
    return values[0] if limit is not None else None
'''


def changed_lines() -> list[str]:
    python = Python()
    changed = (
        python.apply(SOURCE, site, change)
        for site in python.sites_in("a.py", SOURCE)
        for change in site.changes
    )
    before = SOURCE.splitlines()
    return [
        " ".join(line.split())
        for text in changed
        if text
        for line, its in zip(text.splitlines(), before, strict=True)
        if line != its
    ]


def test_values_are_changed_and_annotations_are_not() -> None:
    assert sorted(changed_lines()) == [
        "def smallest(values: list[int | None], *, limit: int | None = 4) -> int | None:",
        "def smallest(values: list[int | None], *, limit: int | None = 6) -> int | None:",
        "return values[ -1] if limit is not None else None",
        "return values[ 1] if limit is not None else None",
        "return values[0] if limit is None else None",
        "return values[0] if not limit is not None else None",
    ]
