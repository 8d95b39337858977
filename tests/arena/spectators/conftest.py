"""Fixtures of the tests of what spectators see."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.storage.writer import DatabaseWriter
from tests.support.simulation.simulated_arena import SimulatedArena


@pytest.fixture
def arena() -> SimulatedArena:
    return SimulatedArena()


@pytest.fixture
def writer(db: Path) -> Iterator[DatabaseWriter]:
    with DatabaseWriter(db) as writer:
        yield writer
