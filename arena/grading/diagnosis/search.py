"""Alpha-beta search by any reading of the rules, in plain Python, limited in nodes.

Each search is done once for all programs.
"""

from functools import lru_cache
from math import inf
from typing import NamedTuple

from arena.grading.diagnosis.evaluation import Evaluation, relations
from arena.grading.diagnosis.reading import (
    Ends,
    Halves,
    Order,
    Parity,
    Recorded,
    Rules,
    Side,
    Start,
    Update,
)
from arena.grading.diagnosis.variants import RIGHT, Reading

MAX_STONES = 200  # a diagnosis needs only small positions
MAX_PLIES = 150
MAX_CASE_NODES = 20_000  # of the right search; larger cases are not examined
MAX_NODES = 60_000  # of a search by a misreading
MAX_GROWTH = 30  # times the nodes of the right search
SPARE_NODES = 50


class TooLarge(Exception):
    """A search that visits more nodes than it may."""


class Position(NamedTuple):
    """A position and a depth limit; 0 searches to the end of the game."""

    stones: int
    taken: tuple[int, ...]
    depth: int


class Found(NamedTuple):
    """Result and counts of a search; the move is 0 if none was chosen."""

    move: int
    value: float
    visited: int  # the root included
    ends: int  # evaluated because the game is over, also those at the depth limit
    cuts: int  # evaluated because the depth limit is reached
    ends_at_limit: int
    generated: int  # successors of the nodes that were not evaluated, also those not visited
    max_depth: int
    deepest_end: int
    deepest_cut: int
    last_depth: int  # of the node that was evaluated last


def search(position: Position, rules: Rules, nodes: int) -> Found:
    """Search a position.

    Args:
        position: The position, where the player to move has a move.
        rules: The reading of the rules.
        nodes: The highest number of nodes to visit.

    Raises:
        TooLarge: The search needs more nodes, or the position is too large.
    """
    if position.stones > MAX_STONES:
        raise TooLarge
    return _Search(position, rules, nodes).run()


class _Side(NamedTuple):
    """The switches of the nodes of one player."""

    is_strict: bool  # in cutting off
    is_full: bool  # never cuts off
    has_own_bound: bool
    update: Update
    start: float
    takes_last: bool
    takes_first: bool  # also a first successor that is not better than the start


class _Switches(NamedTuple):
    """What the nodes of all searches by a reading need to know."""

    sides: tuple[_Side, _Side]  # of Min and of Max
    recorded: tuple[float, float, float]  # first successors that may be printed: root, odd, even
    end_values: tuple[float, float] | None  # on Min's turn and on Max's; None if evaluated


_evaluation = lru_cache(maxsize=5000)(Evaluation)


class _Search:
    """One search: its tables, its counts, its recursion."""

    def __init__(self, position: Position, rules: Rules, nodes: int) -> None:
        self._rules = rules
        self._nodes = nodes
        self._position = position
        self._evaluation = _evaluation(position.stones, rules.evaluation)
        self._neighbours = relations(position.stones).neighbours
        self._related = relations(position.stones).related[rules.related]
        self._movable = -1 & ~(2 * rules.skips_1) & ~(rules.skips_largest << position.stones)
        first = sum(1 << stone for stone in _first_moves(position.stones, rules))
        self._first_moves = first & self._movable if rules.skips_first else first
        self._limit = _limit(position.depth, rules)
        self._sides, self._recorded, self._end_values = _switches(rules)
        self._visited = self._ends = self._cuts = self._ends_at_limit = self._generated = 0
        self._max_depth = self._deepest_end = self._deepest_cut = self._last_depth = 0
        self._move = 0
        self._is_reversed = False  # whether Min maximises, and Max minimises
        self._was_cut = False  # whether the node visited last skipped successors
        self._left = 0  # stones that no node has taken, if none are put back

    def run(self) -> Found:
        stones, taken, _ = self._position
        remaining = ((1 << stones) - 1) << 1
        for stone in taken:
            remaining &= ~(1 << stone)
        self._left = remaining
        is_max = len(taken) % 2 == 0
        self._is_reversed = (self._rules.root_is_max and not is_max) != self._rules.is_reversed
        value = self._visit(remaining, taken[-1] if taken else 0, is_max, 0, -inf, inf)
        return Found(
            self._move,
            value,
            self._visited,
            self._ends,
            self._cuts,
            self._ends_at_limit,
            self._generated,
            self._max_depth,
            self._deepest_end,
            self._deepest_cut,
            self._last_depth,
        )

    def _visit(
        self, remaining: int, last: int, is_max: bool, depth: int, alpha: float, beta: float
    ) -> float:
        """Return the value of a node for Max.

        Args:
            remaining: The stones that are left, as a bit mask.
            last: The last move; 0 at the start of the game.
            is_max: Whether it is Max's turn.
            depth: The depth of the node.
            alpha: The value that Max has elsewhere.
            beta: The value that Min has elsewhere.
        """
        self._was_cut = False
        self._visited += 1
        if self._visited > self._nodes or depth > MAX_PLIES:
            raise TooLarge
        if depth > self._max_depth:
            self._max_depth = depth
        moves = self._related[last] & remaining & self._movable if last else self._first_moves
        if not moves or depth >= self._limit:
            return self._leaf(remaining, last, moves, is_max, depth)
        self._generated += moves.bit_count()

        rules = self._rules
        maximises = is_max != self._is_reversed
        side = self._sides[maximises]
        sign, low, high = (1, alpha, beta) if maximises else (-1, -beta, -alpha)
        best = low if rules.is_fail_hard else side.start
        passes = depth > 0 or rules.keeps_window
        recorded = self._recorded[depth and 2 - depth % 2]
        next_max, keeps_taken, was_cut = is_max == rules.is_fixed, rules.keeps_taken, False
        uncut, successors = [], self._ordered(moves, last)
        for index, move in enumerate(successors):
            if keeps_taken:
                remaining = self._left
            self._left = left = remaining & ~(1 << move)
            alpha, beta = (low, high) if maximises else (-high, -low)
            if not passes:
                alpha, beta = -inf, inf
            value = sign * self._visit(left, move, next_max, depth + 1, alpha, beta)
            if not self._was_cut:
                uncut.append(value)
            if index < recorded and (
                value > best
                or (side.takes_last and value == best)
                or (side.takes_first and not index)
            ):
                self._move = move
            if value > best:
                best = value
            bound = low if side.has_own_bound else high
            if best >= bound and not side.is_full and not (side.is_strict and best == bound):
                was_cut = True
                break
            if side.update is not Update.BEST:
                low = best if side.update is Update.NODE else value
            elif best > low:
                low = best
        if not depth:
            self._choose_again(successors, uncut, best, index)
        self._was_cut = was_cut
        return sign * best

    def _leaf(self, remaining: int, last: int, moves: int, is_max: bool, depth: int) -> float:
        """Return the value of a node at the end of the game or at the depth limit."""
        is_cut = depth >= self._limit
        self._last_depth = depth
        self._ends_at_limit += is_cut and not moves
        if moves or (is_cut and self._rules.evaluates_cut_first):
            self._cuts += 1
            if depth > self._deepest_cut:
                self._deepest_cut = depth
            return self._evaluation.value(remaining, last, moves, is_max)
        self._ends += 1
        if depth > self._deepest_end:
            self._deepest_end = depth
        if self._end_values:
            return self._end_values[is_max]
        return self._evaluation.value(remaining, last, 0, is_max)

    def _choose_again(
        self, successors: list[int], uncut: list[float], best: float, last: int
    ) -> None:
        """Replace the move at the root, if it is not the best one that is printed.

        Args:
            successors: The successors of the root.
            uncut: The values of the successors that skipped none of their own.
            best: The value of the root.
            last: The index of the last one that was visited.
        """
        recorded = self._rules.recorded
        if recorded is Recorded.LAST:
            self._move = successors[last]
        elif recorded is Recorded.UNCUT and best in uncut:
            self._move = successors[uncut.index(best)]

    def _ordered(self, moves: int, last: int) -> list[int]:
        found = [stone for stone in self._neighbours[last] if moves >> stone & 1]
        if self._rules.order is Order.DESCENDING:
            found.reverse()
        elif self._rules.order is Order.MULTIPLES_FIRST:
            found.sort(key=lambda stone: stone < last)
        return found


def _first_moves(stones: int, rules: Rules) -> range:
    limit = {
        Halves.EXACT: (stones - 1) // 2,
        Halves.WHOLE: stones // 2 - 1,
        Halves.UP_TO: stones // 2,
        Halves.BELOW_N: stones - 1,
        Halves.NONE: stones,
    }[rules.halves]
    first = 2 if rules.parity is Parity.EVEN else 1
    return range(first, limit + 1, 1 if rules.parity is Parity.ANY else 2)


def _limit(depth: int, rules: Rules) -> float:
    if rules.ignores_limit:
        return inf
    if depth:
        return depth + rules.depth_offset
    return inf if rules.zero_limit is None else rules.zero_limit


@lru_cache(maxsize=20_000)
def _switches(rules: Rules) -> _Switches:
    """Return the switches of all searches by a reading."""
    recorded = rules.recorded
    other = inf if recorded is Recorded.ANY else 0
    return _Switches(
        (_side(rules, Side.MIN), _side(rules, Side.MAX)),
        (
            1 if recorded is Recorded.FIRST else inf,
            other,
            inf if recorded is Recorded.SAME_PLAYER else other,
        ),
        {
            Ends.RIGHT: (1.0, -1.0),
            Ends.SWAPPED: (-1.0, 1.0),
            Ends.LOSS: (-1.0, -1.0),
            Ends.WIN: (1.0, 1.0),
            Ends.EVALUATED: None,
        }[rules.ends],
    )


def _side(rules: Rules, side: Side) -> _Side:
    """Return the switches of the nodes of a player."""
    start = {Start.INFINITE: -inf, Start.ZERO: 0.0, Start.LOSS: -1.0}[rules.start]
    return _Side(
        side in rules.strict_cutoff,
        side in rules.no_cutoff,
        side in rules.own_bound,
        rules.update if side in rules.updated else Update.BEST,
        start if side in rules.started else -inf,
        side in rules.takes_last,
        rules.start is Start.INFINITE,
    )


class Searches:
    """Searches by readings, each done once."""

    def __init__(self, growth: int = MAX_GROWTH) -> None:
        """Create the searches.

        Args:
            growth: How many times the nodes of the right search a misreading may visit.
        """
        self._growth = growth
        self._found: dict[Reading, dict[Position, Found | None]] = {}

    def find(self, position: Position, reading: Reading) -> Found | None:
        """Return what a reading finds; None if its search, or one of its parts', is too large."""
        known = self._found.setdefault(reading, {})
        if position not in known:
            known[position] = self._search(position, reading)
        return known[position]

    def _search(self, position: Position, reading: Reading) -> Found | None:
        limit = MAX_CASE_NODES
        if reading is not RIGHT:
            right = self.find(position, RIGHT)
            assert right, "readings are searched where the right search is small"
            limit = min(MAX_NODES, SPARE_NODES + self._growth * right.visited)
        if not all(self.find(position, part) for part in reading.parts):
            return None
        try:
            return search(position, reading.rules, limit)
        except TooLarge:
            return None
