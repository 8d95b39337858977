"""MCTS bot: Monte Carlo tree search of OpenSpiel, with a fixed number of simulations.

The package of the bots finds it by an entry point.
"""

import time
from math import isfinite
from random import Random
from typing import Protocol

from arena.integrations.openspiel_family import INSTALL
from bots.client import ClockReading
from bots.specification import BotSpec
from bots.strong_bot import think_time
from core.game import Position

FEWEST = 2  # simulations that find a move: the first is at the root
# A search in C++ lets no other thread run, which would answer the arena's pings within 20 s.
MAX_SECONDS = 5.0  # of a search with a clock; its speed is known by a factor of 2 or so
PROBE = 10  # simulations, to measure their speed before the first move with a clock


class TreeSearch(Protocol):
    """A tree search, as `arena.integrations.tree_search.best_move` is one."""

    def __call__(self, position: Position, simulations: int, random: Random) -> tuple[int, int]:
        """Return the best move of a position, and the number of simulations."""


class MctsBot:
    """Strategy that plays the move of a Monte Carlo tree search.

    It plays any game. Its random choices follow from the seed and the moves so far, so that the
    same simulations find the same move. If the clock does not suffice for all of them, or they
    would take more than `MAX_SECONDS`, it makes fewer, by the speed of the last ones.

    Attributes:
        simulations: The number of simulations for a move.
    """

    def __init__(self, simulations: int, seed: int) -> None:
        """Load OpenSpiel. Raises ValueError if it is not installed."""
        self.simulations = simulations
        self._seed = seed
        self._search = _load()
        self._pace = 0.0  # seconds that a simulation took in the last search

    def __call__(self, position: Position, clock: ClockReading) -> int:
        """Return the best move of the simulations that the clock suffices for."""
        moves = position.legal_moves()
        if len(moves) == 1:
            return moves[0]
        count, seconds = min(self.simulations, clock.nodes or self.simulations), think_time(clock)
        if isfinite(seconds):
            pace = self._pace or self._measure(position)
            count = min(count, int(min(seconds, MAX_SECONDS) / pace))
        return self._timed_search(position, max(count, FEWEST))

    def _measure(self, position: Position) -> float:
        self._timed_search(position, PROBE)
        return self._pace

    def _timed_search(self, position: Position, simulations: int) -> int:
        random = Random(f"{self._seed}/{position.moves}")
        start = time.perf_counter()
        move, made = self._search(position, simulations, random)
        self._pace = (time.perf_counter() - start) / made
        return move


def create(spec: BotSpec, seed: int) -> MctsBot:
    """Return the bot of a specification. Raises ValueError if OpenSpiel is not installed."""
    assert spec.simulations
    return MctsBot(spec.simulations, seed)


def _load() -> TreeSearch:
    try:
        from arena.integrations.tree_search import best_move
    except ImportError:
        raise ValueError(INSTALL) from None
    return best_move
