"""Strong bot: the strongest search of a game, for as long as the clock allows."""

from math import isfinite

from arena.model.results import MAX_VARIATION, Info
from bots.client import Choice, ClockReading
from bots.spec_bot import RESERVE, allowance
from core.game import Position
from core.search import StrongResult, strong_search

MOVES_LEFT = 12  # the moves that the remaining time is divided among, at any time of a game
INCREMENT_SHARE = 0.75  # of the increment is spent on the move that it follows


class StrongBot:
    """Strategy that plays the move of the strong search, in games that have one.

    Attributes:
        depth: The largest depth in plies; 0 for the end of the game.
        nodes: The most nodes to visit for a move; None without a limit.
    """

    def __init__(self, depth: int = 0, nodes: int | None = None) -> None:
        self.depth = depth
        self.nodes = nodes

    def __call__(self, position: Position, clock: ClockReading) -> int:
        """Return the best move found in the available time and nodes."""
        return self._search(position, clock).move

    def choose_with_info(self, position: Position, clock: ClockReading) -> Choice:
        """Return the same move with the value, the depth, the nodes and the line of its search."""
        found = self._search(position, clock)
        value = found.value if isfinite(found.value) else None
        line = tuple(found.variation[:MAX_VARIATION])
        return Choice(found.move, Info(value, found.depth, found.nodes_visited, line))

    def _search(self, position: Position, clock: ClockReading) -> StrongResult:
        seconds = think_time(clock) if isfinite(clock.remaining) else None
        nodes = min((each for each in (self.nodes, clock.nodes) if each), default=None)
        is_forced = len(position.legal_moves()) == 1
        depth = 1 if is_forced and not clock.per_move else self.depth
        return strong_search(position, depth, nodes=nodes, seconds=seconds)


def think_time(clock: ClockReading) -> float:
    """Return the seconds to spend on one move.

    A share of what remains and most of the increment; a reserve is kept, as answering takes some
    time. A clock per move is used as `spec` does, all but the reserve.
    """
    spare = clock.remaining - RESERVE
    if clock.per_move or spare <= 0:
        return allowance(clock)
    return min(spare / MOVES_LEFT + INCREMENT_SHARE * clock.increment, spare / 3)
