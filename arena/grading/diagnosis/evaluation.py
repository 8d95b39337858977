"""Static evaluation by any reading of the rules."""

from functools import lru_cache
from typing import NamedTuple

from arena.grading.diagnosis.reading import Divisor, Kind, Negated, Primes, Rules, Side
from arena.grading.diagnosis.tables import chosen_divisors, primes, relations

NEGATED = {  # whether the evaluation is negated on Min's turn, and on Max's
    Negated.MIN: (True, False),
    Negated.MAX: (False, True),
    Negated.NEVER: (False, False),
    Negated.ALWAYS: (True, True),
}


class _AfterKind(NamedTuple):
    """The switches after one kind of a last move."""

    odd_value: float  # of an odd count, for Max on his turn
    counted: list[int] | None  # stones that are counted after each stone; None for all successors
    is_any_counted: bool  # whether they need not be successors
    negated: tuple[bool, bool]  # on Min's turn, and on Max's


class Evaluation:
    """The evaluation of positions with a number of stones."""

    def __init__(self, stones: int, rules: Rules) -> None:
        """Create the evaluation by a reading of the rules."""
        self._zero = not rules.no_zero & Side.MIN, not rules.no_zero & Side.MAX
        self._stone_of_zero = 0 if rules.zero_without_1 else 2
        self._is_prime = primes(stones, rules.primes)
        self._one = _after(stones, rules, rules.one)._replace(counted=None)
        self._prime = _after(stones, rules, Kind.PRIME)
        self._composite = _after(stones, rules, Kind.COMPOSITE)

    def value(self, remaining: int, last: int, moves: int, is_max: bool) -> float:
        """Return the value of a position for Max.

        Args:
            remaining: The stones that are left, as a bit mask.
            last: The last move; 0 at the start of the game.
            moves: The successors, as a bit mask.
            is_max: Whether it is Max's turn.
        """
        if remaining & 2 == self._stone_of_zero and self._zero[is_max]:
            return 0.0
        after = self._prime if self._is_prime[last] else self._composite
        if last <= 1:
            after = self._one
        counted = moves
        if after.counted:
            counted = after.counted[last] & (remaining if after.is_any_counted else moves)
        value = after.odd_value if counted.bit_count() % 2 else -after.odd_value
        return -value if after.negated[is_max] else value


def _after(stones: int, rules: Rules, kind: Kind) -> _AfterKind:
    size = dict(zip((Kind.ONE, Kind.PRIME, Kind.COMPOSITE), rules.sizes, strict=True))[kind]
    on_min, on_max = NEGATED[rules.negated]
    is_divided = kind is Kind.COMPOSITE or rules.tests_size
    divisor = rules.divisor if is_divided else Divisor.ITSELF
    tested = rules.primes if rules.tests_factors else Primes.PRIMES
    divides = bool(rules.counts_divisors & kind)
    counts_itself = rules.counts_prime or kind is Kind.PRIME
    return _AfterKind(
        -size if rules.inverted & kind else size,
        None
        if rules.counts_all and kind is Kind.COMPOSITE
        else _counted(stones, divisor, tested, divides, counts_itself, rules.counts_largest),
        rules.counts_remaining,
        (on_min and not rules.not_negated & kind, on_max),
    )


@lru_cache(maxsize=3000)
def _counted(
    stones: int,
    divisor: Divisor,
    tested: Primes,
    divides: bool,
    counts_itself: bool,
    counts_largest: bool,
) -> list[int]:
    """Return the stones that are counted after each stone, if they are successors.

    Args:
        stones: The number of stones.
        divisor: The rule for the divisor of the last stone.
        tested: The numbers among which a largest prime divisor is found.
        divides: Whether the divisor's divisors are counted, instead of its multiples.
        counts_itself: Whether the divisor is counted.
        counts_largest: Whether stone n is counted.
    """
    facts = relations(stones)
    related = facts.divisors if divides else facts.multiples
    removed = 0 if counts_largest else 1 << stones
    return [
        related[one] & ~removed & ~(0 if counts_itself else 1 << one)
        for one in chosen_divisors(stones, divisor, tested)
    ]
