"""Facts about the stones 1 to n that readings of the rules need; sets of stones are bit masks."""

from collections.abc import Callable
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from arena.grading.diagnosis.reading import Divisor, Primes, Related


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
