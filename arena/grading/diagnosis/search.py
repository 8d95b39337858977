"""Alpha-beta search by any reading of the rules, in plain Python, limited in nodes."""

from functools import lru_cache
from math import inf
from typing import NamedTuple

from arena.grading.diagnosis.reading import (
    Cutoff,
    Divisor,
    Halves,
    Negated,
    Order,
    Primes,
    Recorded,
    Rules,
)

MAX_STONES = 200  # a diagnosis needs only small positions


class TooLarge(Exception):
    """A search that visits more nodes than it may."""


class Position(NamedTuple):
    """A position and a depth limit; 0 searches to the end of the game."""

    stones: int
    taken: tuple[int, ...]
    depth: int


class Found(NamedTuple):
    """Result and counts of a search; the move is 0 if the root itself is evaluated."""

    move: int
    value: float
    visited: int  # the root included
    ends: int  # evaluated because the game is over
    cuts: int  # evaluated because the depth limit is reached
    generated: int  # successors of the nodes that were not evaluated, also those not visited
    max_depth: int
    is_max: bool  # whether the player to move at the root is Max


def search(position: Position, rules: Rules, nodes: int) -> Found:
    """Search a position.

    Args:
        position: The position, in which the player to move has a move.
        rules: The reading of the rules.
        nodes: The highest number of nodes to visit.

    Raises:
        TooLarge: The search needs more nodes, or the position is too large.
    """
    if position.stones > MAX_STONES:
        raise TooLarge
    return _Search(position, rules, nodes).run()


class _Node(NamedTuple):
    """A node of the tree."""

    remaining: int  # bit mask of stones
    last: int  # 0 at the start of the game
    is_max: bool
    depth: int

    def after(self, move: int) -> "_Node":
        """Return the node after a move."""
        return _Node(self.remaining & ~(1 << move), move, not self.is_max, self.depth + 1)


class _Search:
    """One search: its tables, its counts, its recursion."""

    def __init__(self, position: Position, rules: Rules, nodes: int) -> None:
        self._rules = rules
        self._nodes = nodes
        self._table = _table(position.stones, rules.divisor, rules.counts_prime)
        self._position = position
        self._limit = position.depth + rules.depth_offset if position.depth else inf
        self._visited = self._ends = self._cuts = self._generated = self._max_depth = 0
        self._move = 0
        self._is_reversed = False  # whether Min maximises, and Max minimises
        self._was_cut = False  # whether the node visited last skipped successors

    def run(self) -> Found:
        stones, taken, _ = self._position
        remaining = ((1 << stones) - 1) << 1
        for stone in taken:
            remaining &= ~(1 << stone)
        last = taken[-1] if taken else 0
        is_max = len(taken) % 2 == 0
        self._is_reversed = self._rules.root_is_max and not is_max
        value = self._visit(_Node(remaining, last, is_max, 0), -inf, inf)
        return Found(
            self._move,
            value,
            self._visited,
            self._ends,
            self._cuts,
            self._generated,
            self._max_depth,
            is_max,
        )

    def _visit(self, node: "_Node", alpha: float, beta: float) -> float:
        """Return the value of a node."""
        self._was_cut = False
        self._visited += 1
        if self._visited > self._nodes:
            raise TooLarge
        self._max_depth = max(self._max_depth, node.depth)
        successors = self._successors(node.remaining, node.last)
        is_cut = node.depth >= self._limit
        if not successors and not (is_cut and self._rules.evaluates_cut_first):
            self._ends += 1
            return -1.0 if node.is_max != self._rules.loser_wins else 1.0
        if is_cut:
            self._cuts += 1
            return self._evaluate(node, successors)
        self._generated += len(successors)
        return self._best(node, successors, alpha, beta)

    def _best(self, node: "_Node", successors: list[int], alpha: float, beta: float) -> float:
        """Return the best value of the successors."""
        rules = self._rules
        maximises = node.is_max != self._is_reversed
        sign = 1 if maximises else -1
        low, high = (alpha, beta) if maximises else (-beta, -alpha)  # as if Max were to move
        best, was_cut = low if rules.is_fail_hard else -inf, False
        uncut: list[float] = []
        for index, move in enumerate(successors):
            window = (low, high) if node.depth or rules.keeps_window else (-inf, inf)
            lower, upper = window if maximises else (-window[1], -window[0])
            value = sign * self._visit(node.after(move), lower, upper)
            if not self._was_cut:
                uncut.append(value)
            if value > best or not index or (rules.takes_last and value == best):
                self._record(node, move)
            best = max(best, value)
            if was_cut := self._is_cutoff(best, high):
                break
            low = max(low, best)
        if not node.depth and rules.recorded is Recorded.UNCUT and best in uncut:
            self._move = successors[uncut.index(best)]
        self._was_cut = was_cut
        return sign * best

    def _record(self, node: "_Node", move: int) -> None:
        """Store the best move so far of a node, if it is to be printed."""
        is_recorded = {
            Recorded.SAME_PLAYER: node.depth % 2 == 0,
            Recorded.ANY: True,
        }.get(self._rules.recorded, node.depth == 0)
        if is_recorded:
            self._move = move

    def _is_cutoff(self, value: float, bound: float) -> bool:
        if self._rules.cutoff is Cutoff.AT_BOUND:
            return value >= bound
        return self._rules.cutoff is Cutoff.BEYOND_BOUND and value > bound

    def _successors(self, remaining: int, last: int) -> list[int]:
        if not last:
            found = self._first_moves()
        else:
            related = self._table.related[last] & remaining
            found = [stone for stone in self._table.neighbours[last] if related >> stone & 1]
        if self._rules.order is Order.DESCENDING:
            found.reverse()
        elif self._rules.order is Order.MULTIPLES_FIRST:
            found.sort(key=lambda stone: stone < last)
        return found

    def _first_moves(self) -> list[int]:
        stones = self._position.stones
        limit = {
            Halves.EXACT: (stones - 1) // 2,
            Halves.WHOLE: stones // 2 - 1,
            Halves.UP_TO: stones // 2,
        }[self._rules.halves]
        return [*range(1, limit + 1, 1 if self._rules.any_parity else 2)]

    def _evaluate(self, node: "_Node", successors: list[int]) -> float:
        value = self._heuristic(node.remaining, node.last, successors)
        negated = self._rules.negated
        if negated in (Negated.MIN, Negated.MAX):
            is_negated = node.is_max == (negated is Negated.MAX)
        else:
            is_negated = negated is Negated.ALWAYS
        return -value if is_negated and value else value

    def _heuristic(self, remaining: int, last: int, successors: list[int]) -> float:
        """Return the evaluation for Max on his turn."""
        rules = self._rules
        if rules.has_zero_rule and remaining & 2:
            return 0.0
        if last <= 1:
            size, count = rules.one.value, len(successors)
        else:
            is_prime = self._is_prime(last)
            size = 0.7 if is_prime else 0.6
            related = remaining if rules.counts_remaining else remaining & self._table.related[last]
            if not rules.counts_largest:
                related &= ~(1 << self._position.stones)
            counted = self._table.multiples if is_prime else self._table.counted
            count = (counted[last] & related).bit_count()
        return size if count % 2 else -size

    def _is_prime(self, number: int) -> bool:
        is_prime = self._table.is_prime[number]
        return {
            Primes.PRIMES: is_prime,
            Primes.ODD: number % 2 == 1,
            Primes.COMPOSITES: not is_prime,
            Primes.NONE: False,
        }[self._rules.primes]


class _Table(NamedTuple):
    """Facts about the stones 1 to n, by stone; sets of stones are bit masks."""

    neighbours: list[list[int]]  # factors and multiples, ascending
    related: list[int]  # the same as a mask
    multiples: list[int]
    counted: list[int]  # stones that count after a composite number
    is_prime: list[bool]


@lru_cache(maxsize=1000)
def _table(stones: int, divisor: Divisor, counts_prime: bool) -> _Table:
    numbers = range(1, stones + 1)
    neighbours: list[list[int]] = [[]]
    neighbours += [
        [other for other in numbers if other != stone and not (other % stone and stone % other)]
        for stone in numbers
    ]
    multiples = [0, *(sum(1 << other for other in range(s, stones + 1, s)) for s in numbers)]
    chosen = [0, *(_divisor(stone, divisor) for stone in numbers)]
    return _Table(
        neighbours,
        [sum(1 << other for other in others) for others in neighbours],
        multiples,
        [multiples[one] & ~(0 if counts_prime else 1 << one) for one in chosen],
        [False, *(_prime_factors(stone) == [stone] for stone in numbers)],
    )


def _divisor(stone: int, divisor: Divisor) -> int:
    factors = _prime_factors(stone) or [1]
    if divisor is Divisor.LARGEST:
        return stone // factors[0]
    return factors[-1] if divisor is Divisor.LARGEST_PRIME else factors[0]


def _prime_factors(number: int) -> list[int]:
    """Return the prime factors, ascending, each as often as it divides the number."""
    factors, divisor = [], 2
    while number > 1:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return factors
