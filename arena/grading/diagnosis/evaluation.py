"""Static evaluation by any reading of the rules, and the facts about stones that readings need."""

from collections.abc import Callable
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from arena.grading.diagnosis.reading import (
    Divisor,
    EvaluationRules,
    Kind,
    Negated,
    Primes,
    Related,
    Side,
)

KINDS = Kind.ONE, Kind.PRIME, Kind.COMPOSITE  # in the order of their sizes
NEGATED = {  # whether the evaluation is negated on Min's turn, and on Max's
    Negated.MIN: (True, False),
    Negated.MAX: (False, True),
    Negated.NEVER: (False, False),
    Negated.ALWAYS: (True, True),
}


class Relations(NamedTuple):
    """Relations of stones, by stone."""

    neighbours: list[list[int]]  # factors and multiples, ascending; all stones for 0
    related: dict[Related, list[int]]
    multiples: list[int]
    divisors: list[int]


@lru_cache(maxsize=300)
def relations(stones: int) -> Relations:
    """Return the relations of the stones."""
    numbers = range(1, stones + 1)
    multiples = [0, *(sum(1 << other for other in range(s, stones + 1, s)) for s in numbers)]
    divisors = [0, *(sum(1 << d for d in range(1, s + 1) if s % d == 0) for s in numbers)]
    related = {
        Related.BOTH: [m | d for m, d in zip(multiples, divisors, strict=True)],
        Related.MULTIPLES: multiples,
        Related.FACTORS: divisors,
    }
    neighbours = [
        [other for other in numbers if mask >> other & 1] for mask in related[Related.BOTH]
    ]
    neighbours[0] = [*numbers]
    return Relations(neighbours, related, multiples, divisors)


@lru_cache(maxsize=1000)
def primes(stones: int, rule: Primes) -> list[bool]:
    """Return whether each number from 0 to `stones` counts as a prime."""
    return [number > 1 and PRIMES[rule](number) for number in range(stones + 1)]


@lru_cache(maxsize=1000)
def chosen_divisors(stones: int, rule: Divisor, tested: Primes) -> list[int]:
    """Return the divisor that is chosen after each composite number.

    Args:
        stones: The largest number.
        rule: The rule for the divisor.
        tested: The numbers among which a largest prime divisor is found.
    """
    return [0, *(_divisor(number, rule, tested) for number in range(1, stones + 1))]


def _divisor(number: int, rule: Divisor, tested: Primes) -> int:
    if rule is Divisor.LARGEST_PRIME and tested is not Primes.PRIMES:
        candidates = range(number, 1, -1)
        return next((d for d in candidates if number % d == 0 and PRIMES[tested](d)), number)
    factors = _prime_factors(number) or [1]
    return {
        Divisor.LARGEST_PRIME: factors[-1],
        Divisor.SMALLEST_PRIME: factors[0],
        Divisor.LARGEST: number // factors[0],
        Divisor.ITSELF: number,
        Divisor.FORGOTTEN: _before_the_last(number),
        Divisor.UP_TO_ROOT: max(
            (factor for factor in factors if factor * factor <= number), default=number
        ),
    }[rule]


def _before_the_last(number: int) -> int:
    """Return the largest factor that a division finds which stops at half of what is left."""
    found, divisor = 1, 2
    while divisor <= number // 2:
        if number % divisor:
            divisor += 1
        else:
            found, number = divisor, number // divisor
    return found


def _prime_factors(number: int) -> list[int]:
    """Return the prime factors, ascending, each as often as it divides the number."""
    factors, divisor = [], 2
    while number > 1:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    return factors


def _is_prime(number: int) -> bool:
    return _prime_factors(number) == [number]


PRIMES: dict[Primes, Callable[[int], bool]] = {
    Primes.PRIMES: _is_prime,
    Primes.ODD: lambda number: number % 2 == 1,
    Primes.ODD_AND_2: lambda number: number % 2 == 1 or number == 2,
    Primes.COMPOSITES: lambda number: not _is_prime(number),
    Primes.NONE: lambda _: False,
    Primes.ALL: lambda _: True,
    Primes.ABOVE_2: lambda number: number > 2,
    Primes.NOT_2: lambda number: number > 2 and _is_prime(number),
    Primes.AND_4: lambda number: number == 4 or _is_prime(number),
    Primes.SQUARES: lambda number: _is_prime(number) or _is_square_of_prime(number),
    Primes.NO_ODD_DIVISOR: lambda number: all(number % d for d in range(3, isqrt(number) + 1)),
}


def _is_square_of_prime(number: int) -> bool:
    return isqrt(number) ** 2 == number and _is_prime(isqrt(number))


class _AfterKind(NamedTuple):
    """The switches after one kind of a last move."""

    odd_value: float  # of an odd count, for Max on his turn
    counted: list[int] | None  # stones that are counted after each stone; None for all successors
    is_any_counted: bool  # whether they need not be successors
    negated: tuple[bool, bool]  # on Min's turn, and on Max's


class Evaluation:
    """The evaluation of positions with a number of stones."""

    def __init__(self, stones: int, rules: EvaluationRules) -> None:
        """Create the evaluation by a reading of the rules."""
        self._zero = Side.MIN not in rules.no_zero, Side.MAX not in rules.no_zero
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


def _after(stones: int, rules: EvaluationRules, kind: Kind) -> _AfterKind:
    size = rules.sizes[KINDS.index(kind)]
    on_min, on_max = NEGATED[rules.negated]
    is_divided = kind is Kind.COMPOSITE or rules.tests_size
    divisor = rules.divisor if is_divided else Divisor.ITSELF
    tested = rules.primes if rules.tests_factors else Primes.PRIMES
    counts_itself = rules.counts_prime or kind is Kind.PRIME
    return _AfterKind(
        -size if kind in rules.inverted else size,
        None
        if rules.counts_all and kind is Kind.COMPOSITE
        else _counted(
            stones,
            divisor,
            tested,
            kind in rules.counts_divisors,
            counts_itself,
            rules.counts_largest,
        ),
        rules.counts_remaining,
        (on_min and kind not in rules.not_negated, on_max),
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
