"""Who meets whom: lazy generators of pairings, so that a plan of any length starts at once."""

from collections.abc import Collection, Iterator, Mapping, Sequence

Legs = Iterator[tuple[str, str]]


def round_robin(bots: Sequence[str]) -> Legs:
    """Every pair of bots twice, once for each side, as (player 1, player 2).

    The order is the circle method's: in each of its rounds every bot plays once (or, of an odd
    number, has a bye), so that nobody waits for long. The second half swaps the sides.
    """
    circle: list[str | None] = [*bots]
    if len(circle) % 2:
        circle.append(None)
    half = len(circle) // 2
    pairs = []
    for number in range(len(circle) - 1):
        for one, two in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is not None and two is not None:
                pairs.append((two, one) if number % 2 else (one, two))
        circle.insert(1, circle.pop())
    yield from pairs
    yield from ((two, one) for one, two in pairs)


def least_played(
    free: Mapping[str, Collection[str]], played: Mapping[tuple[str, str, str], int]
) -> tuple[str, str, str] | None:
    """The (player 1, player 2, game) that has been played least often, or None.

    `free` holds the games that each free bot plays, `played` counts the matches. Of equals, the
    pair that has met least often in that game with either side, then the first in order of name.
    """
    bots = sorted(free)
    legs = [
        (one, two, game)
        for one in bots
        for two in bots
        if one != two
        for game in sorted({*free[one]} & {*free[two]})
    ]

    def meetings(leg: tuple[str, str, str]) -> tuple[int, int]:
        one, two, game = leg
        return played.get(leg, 0), played.get((two, one, game), 0)

    return min(legs, key=meetings, default=None)
