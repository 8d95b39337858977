"""Pairings of a grid: the same bots in each cell, a combination of a setup and an opening length.

A grid measures how strength varies over its cells. In each cell every two bots meet, each pair of
matches on an opening of its own.

Every two bots meet, not only neighbours in depth. With an expected score of p, a match of two bots
that are d plies apart says d^2 p (1 - p) about the worth of a ply. While a ply is worth less than
200 Elo, distant depths therefore tell more than neighbours: with 8 depths and 50 Elo a ply,
neighbours alone would need 8 times as many matches for the same interval, and with 200 Elo a ply as
many. Also, differences between distant depths do not add up the errors of all plies between
them, and strength that is not transitive shows, which a chain of neighbours cannot reveal.

An opening of its own for each pair, rather than one for all bots: the openings are the sample that
the intervals refer to, and the more of them, the tighter they are. As the openings are drawn
independently, so are the results of different pairs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.tournament.round_robin import MatchPair, round_robin

MAX_CELLS = 100_000  # of a new grid; a stored one may have more


class Cell(NamedTuple):
    """One point of the grid: a setup, and the number of random moves at the start of a match."""

    setup: Mapping[str, int]
    opening_plies: int


def grid(bots: Sequence[str], rounds: int, cells: int, first: int = 1) -> Iterator[MatchPair]:
    """Return the pairs of a grid, in order.

    The cells come in turn, and all encounters come in turn in each of them, so that an interrupted
    grid has about the same number of pairs everywhere. The opening of each pair is the next one.

    Args:
        bots: Names of the bots.
        rounds: Number of pairs of every two bots in each cell.
        cells: Number of cells.
        first: Number of the first pair.

    Raises:
        ValueError: If there are fewer than 2 bots, or a name occurs twice.
    """
    encounters = [pair.players for pair in round_robin(bots, rounds=1, openings=1)]
    return (
        MatchPair(number, encounters[(number - 1) // cells % len(encounters)], number - 1)
        for number in range(first, rounds * cells * len(encounters) + 1)
    )
