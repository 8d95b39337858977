"""Fixture of the tests of what spectators see."""

import pytest

from tests.support.simulation.simulated_arena import SimulatedArena


@pytest.fixture
def arena() -> SimulatedArena:
    return SimulatedArena()
