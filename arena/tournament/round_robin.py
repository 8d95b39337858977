"""Round-robin and gauntlet pairings, generated lazily: a plan of any length starts at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import gcd, lcm
from typing import NamedTuple

from arena.model.results import Points

Scores = Mapping[int, Points]
"""Points of each player of a pair, by its number, once both of its matches are finished."""


class MatchPair(NamedTuple):
    """Two bots on one opening: two matches with the sides swapped.

    Attributes:
        number: Position in the schedule, from 1, the same in every run.
        players: Players 1 and 2 of the first match.
        opening: Number of the opening within the tournament, from 0, unless each encounter has one
            of its own: see `Plan.opening_of`.
    """

    number: int
    players: tuple[str, str]
    opening: int


class Size(NamedTuple):
    """Number of bots and of rounds of a round robin or a gauntlet to which bots were added."""

    bots: int
    rounds: int


class OpeningPairs(NamedTuple):
    """The pairs of all bots on one opening.

    Attributes:
        opponents: Returns the indexes of opponents, for a number of bots and an opening.
        size: Returns how many pairs these are, for a number of bots; 0 for none.
    """

    opponents: Callable[[int, int], Iterable[tuple[int, int]]]
    size: Callable[[int], int]


def check_bots(bots: Sequence[str]) -> None:
    """Check that there are at least two bots, with different names.

    Raises:
        ValueError: If there are fewer bots, or a name occurs twice.
    """
    if len(bots) < 2:
        raise ValueError(f"expected at least 2 bots, got {len(bots)}")
    duplicates = [bot for index, bot in enumerate(bots) if bot in bots[:index]]
    if duplicates:
        raise ValueError(f"duplicate bot name {duplicates[0]!r}")


def round_robin(
    bots: Sequence[str],
    rounds: int,
    openings: int,
    former: Sequence[Size] = (),
    first: int = 1,
) -> Iterator[MatchPair]:
    """Return the pairs of a round robin, in order.

    All bots meet each other once on each opening, in the order of the circle method: in each turn
    of the circle every bot has one pair (or a bye, if their number is odd), so that no bot
    waits for long. On each opening, every bot is first as often as second; with an even number of
    bots the two counts differ by one.

    Args:
        bots: Names of the bots.
        rounds: Number of repetitions.
        openings: Number of openings in each round, which no other round repeats.
        former: Sizes before bots were added: see `_match_pairs`.
        first: Number of the first pair; those before take next to no time.

    Raises:
        ValueError: If there are fewer than 2 bots, or a name occurs twice.
    """
    check_bots(bots)
    sizes = (*former, Size(len(bots), rounds))
    pairs = OpeningPairs(lambda size, _: _circle(size), _circle_size)
    return _match_pairs(bots, sizes, openings, pairs, first)


def round_robin_size(bots: int, rounds: int, openings: int) -> int:
    """Return the number of pairs of a round robin."""
    return rounds * openings * _circle_size(bots)


def _circle_size(bots: int) -> int:
    return bots * (bots - 1) // 2


def _circle(size: int) -> Iterator[tuple[int, int]]:
    """Yield every two of the indexes below `size`: index 0 is fixed, the others rotate."""
    circle = [*range(size + size % 2)]
    half = len(circle) // 2
    for _ in circle[1:]:
        for one, two in zip(circle[:half], reversed(circle[half:]), strict=True):
            if max(one, two) < size:
                yield one, two
        circle.insert(1, circle.pop())


def gauntlet(
    seeds: Sequence[str],
    opponents: Sequence[str],
    rounds: int,
    openings: int,
    former: Sequence[Size] = (),
    first: int = 1,
) -> Iterator[MatchPair]:
    """Return the pairs of a gauntlet, in order.

    Each seed meets each opponent once on each opening. No bot has two pairs in a row, unless
    it is alone on its side or there are two bots on both sides. On each opening, the counts of a
    bot's pairs as first and as second differ by at most one.

    Args:
        seeds: Names of the bots that play the gauntlet.
        opponents: Names of the bots that they meet.
        rounds: Number of repetitions.
        openings: Number of openings in each round, which no other round repeats.
        former: Sizes before opponents were added: see `_match_pairs`.
        first: Number of the first pair; those before take next to no time.

    Raises:
        ValueError: If there are no seeds or no opponents, or a name occurs twice.
    """
    if not seeds or not opponents:
        raise ValueError(
            "expected at least 1 seed and at least 1 opponent in a gauntlet,"
            f" got {len(seeds)} and {len(opponents)}"
        )
    bots = [*seeds, *opponents]
    check_bots(bots)
    sizes = (*former, Size(len(bots), rounds))
    pairs = OpeningPairs(
        lambda size, opening: _crossings(len(seeds), size - len(seeds), opening),
        lambda size: len(seeds) * max(0, size - len(seeds)),
    )
    return _match_pairs(bots, sizes, openings, pairs, first)


def gauntlet_size(seeds: int, opponents: int, rounds: int, openings: int) -> int:
    """Return the number of pairs of a gauntlet."""
    return rounds * openings * seeds * opponents


def _crossings(seeds: int, opponents: int, turn: int) -> Iterator[tuple[int, int]]:
    """Yield every index below `seeds` with each of the following indexes, on turn 0, 1, ...

    Both sides advance together, which covers all pairs if their sizes are coprime (the Chinese
    remainder theorem); else the longer side is shifted by one as often as needed. A turn starts
    with the last shift of the previous one, which keeps pairs of the same bot apart.
    """
    shifts = gcd(seeds, opponents)
    for shift in range(turn * (shifts - 1), (turn + 1) * (shifts - 1) + 1):
        seed_shift, opponent_shift = (shift, 0) if seeds >= opponents else (0, shift)
        for step in range(lcm(seeds, opponents)):
            yield (step + seed_shift) % seeds, seeds + (step + opponent_shift) % opponents


def _match_pairs(
    bots: Sequence[str],
    sizes: Sequence[Size],
    openings: int,
    pairs: OpeningPairs,
    first: int,
) -> Iterator[MatchPair]:
    """Yield the pairs of all sizes in order; of each size, the pairs that the one before lacks.

    So the pairs of a smaller tournament are the first ones of the larger one. The lower index of
    two bots is first if the sum of the indexes is odd: opponents of a bot follow each other in the
    list, so its sides alternate. The next opening swaps all sides.

    Args:
        bots: Names of the bots; the first ones took part in the smaller tournaments.
        sizes: Growing sizes; the last one is the size of the tournament.
        openings: Number of openings in each round.
        pairs: The opponents on each opening.
        first: Number of the first pair.
    """
    number = 0
    paired = Size(0, 0)
    for size in sizes:
        for opening in range(size.rounds * openings):
            oldest = paired.bots if opening < paired.rounds * openings else 0
            last = number + pairs.size(size.bots) - pairs.size(oldest)
            if last < first:
                number = last
                continue
            for indexes in pairs.opponents(size.bots, opening):
                low, high = sorted(indexes)
                if high >= oldest:
                    number += 1
                    one, two = (low, high) if (low + high + opening) % 2 else (high, low)
                    if number >= first:
                        yield MatchPair(number, (bots[one], bots[two]), opening)
        paired = size
