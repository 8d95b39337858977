"""Who meets whom: lazy generators of pairings, so that a plan of any length starts at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import gcd, lcm
from typing import NamedTuple

# What is known of a tournament: the number of an encounter -> how many of its two matches each of
# its players has won. An encounter is there only once both matches are finished.
Scores = Mapping[int, tuple[int, int]]


class Encounter(NamedTuple):
    """Two bots on one opening: two matches with the sides swapped.

    `number` is the place in the schedule, from 1, and the same in every run. The first of `players`
    is player 1 in the first of the matches. `opening` is one of the tournament's openings, from 0.
    """

    number: int
    players: tuple[str, str]
    opening: int


def check_bots(bots: Sequence[str]) -> None:
    """Make sure that there are 2 or more bots, with different names; else ValueError."""
    if len(bots) < 2:
        raise ValueError(f"a tournament needs 2 or more bots, not {len(bots)}")
    twice = [bot for place, bot in enumerate(bots) if bot in bots[:place]]
    if twice:
        raise ValueError(f"bot {twice[0]!r} is there twice, but names must differ")


def round_robin(bots: Sequence[str], rounds: int, openings: int) -> Iterator[Encounter]:
    """Every two bots once on each opening; each of the rounds has so many openings of its own.

    The order on an opening is the circle method's: in each turn of the circle every bot has one
    encounter (or, of an odd number, a bye), so that nobody waits for long. On each opening, every
    bot is first as often as second, or once more or less if the number of bots is even. ValueError
    for fewer than 2 bots or a name that is there twice.
    """
    check_bots(bots)
    return _encounters(bots, rounds * openings, lambda _: _circle(len(bots)))


def round_robin_size(bots: int, rounds: int, openings: int) -> int:
    """The number of encounters of a round robin."""
    return rounds * openings * (bots * (bots - 1) // 2)


def _circle(size: int) -> Iterator[tuple[int, int]]:
    """Every two of so many places: place 0 stands still, and the others go round."""
    circle = [*range(size + size % 2)]
    half = len(circle) // 2
    for _ in circle[1:]:
        for one, two in zip(circle[:half], reversed(circle[half:]), strict=True):
            if max(one, two) < size:
                yield one, two
        circle.insert(1, circle.pop())


def gauntlet(
    seeds: Sequence[str], rest: Sequence[str], rounds: int, openings: int
) -> Iterator[Encounter]:
    """Each of the seeds against each of the rest once on each opening, as in a round robin.

    No bot has two encounters in a row, unless it is the only seed or the only one of the rest, or
    there are two of both. On each opening, every bot is first as often as second, or once more or
    less. ValueError if there are no seeds or no rest, or for a name that is there twice.
    """
    if not seeds or not rest:
        raise ValueError(
            "a gauntlet needs 1 or more seeds and 1 or more others,"
            f" not {len(seeds)} and {len(rest)}"
        )
    bots = [*seeds, *rest]
    check_bots(bots)
    return _encounters(
        bots, rounds * openings, lambda opening: _crossings(len(seeds), len(rest), opening)
    )


def gauntlet_size(seeds: int, rest: int, rounds: int, openings: int) -> int:
    """The number of encounters of a gauntlet."""
    return rounds * openings * seeds * rest


def _crossings(seeds: int, rest: int, sweep: int) -> Iterator[tuple[int, int]]:
    """Every place below `seeds` with each of the `rest` that follow, for the so-manieth time.

    Both sides step on together, which meets every two if their numbers have no common divisor
    (the Chinese remainder theorem); else the longer side is shifted by one as often as needed. A
    sweep starts with the shift that the one before has ended with, which keeps neighbours apart.
    """
    shifts = gcd(seeds, rest)
    for shift in range(sweep * (shifts - 1), (sweep + 1) * (shifts - 1) + 1):
        ahead, behind = (shift, 0) if seeds >= rest else (0, shift)
        for step in range(lcm(seeds, rest)):
            yield (step + ahead) % seeds, seeds + (step + behind) % rest


def _encounters(
    bots: Sequence[str], openings: int, sweep: Callable[[int], Iterable[tuple[int, int]]]
) -> Iterator[Encounter]:
    """The encounters of all sweeps, each of which gives the places of those who meet.

    The lower place is first if the sum of the places is odd: as its opponents follow each other,
    that is every other time. The next sweep swaps all.
    """
    numbers = count(1)
    for opening in range(openings):
        for places in sweep(opening):
            low, high = sorted(places)
            first, second = (low, high) if (low + high + opening) % 2 else (high, low)
            yield Encounter(next(numbers), (bots[first], bots[second]), opening)
