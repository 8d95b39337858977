"""Engine of the assignment: alpha-beta search to a fixed depth with the static evaluation.

A limit of nodes makes it as strong on any machine: the deepest search that the nodes suffice for is
played, and the clock ends no search that it leaves time for.
"""

from math import isfinite

from arena.model.results import Info
from bots.client import Choice, ClockReading
from core.game import Position
from core.search import SearchResult, deepen, search

RESERVE = 0.25  # seconds kept for later moves, because answering takes some time


class SpecBot:
    """Strategy that plays the move of the command line at the same depth.

    If the clock or the limit of nodes does not allow that, it plays the move of the deepest search
    that it completed.

    Attributes:
        depth: The depth in plies; 0 searches to the end of the game. Any other depth needs a game
            with an evaluation.
        nodes: The most nodes to visit for a move; None without a limit.
    """

    def __init__(self, depth: int, nodes: int | None = None) -> None:
        self.depth = depth
        self.nodes = nodes

    def __call__(self, position: Position, clock: ClockReading) -> int:
        """Return the best move found in the available time and nodes."""
        return self._search(position, clock).move

    def choose_with_info(self, position: Position, clock: ClockReading) -> Choice:
        """Return the same move with the value, the depth and the nodes of its search."""
        found = self._search(position, clock)
        value = found.value if isfinite(found.value) else None
        return Choice(found.move, Info(value, found.max_depth, found.nodes_visited))

    def _search(self, position: Position, clock: ClockReading) -> SearchResult:
        seconds = allowance(clock) if isfinite(clock.remaining) else None
        if seconds is None and not (self.nodes or clock.nodes):
            return search(position, self.depth)
        nodes = min((each for each in (self.nodes, clock.nodes) if each), default=None)
        return deepen(position, self.depth, seconds=seconds, nodes=nodes)


def allowance(clock: ClockReading) -> float:
    """Return the seconds to spend on one move.

    Time is always left for the next move; with a clock per move, only the reserve is kept.
    """
    spare = clock.remaining - RESERVE
    if clock.per_move:
        return max(spare, clock.remaining / 4)
    return spare / 3 if spare > 0 else clock.remaining / 50
