"""Fixture of the tests of commands: the same machine everywhere."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _processors() -> Iterator[None]:
    """Pretend two processors: with fewer than matches at once, a command prints a notice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.cli.planning.usable_processors", lambda: 2)
        yield
