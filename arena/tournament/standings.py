"""Standings of a tournament and head-to-head records, computed from a tally of results."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.model.results import Tally, Termination
from arena.ratings.bradley_terry import Ratings


@dataclass
class Standing:
    """One bot's row in the standings; `forfeits` counts its losses by each forfeit."""

    bot: str
    wins: int = 0
    losses: int = 0
    forfeits: Counter[Termination] = field(default_factory=Counter)

    @property
    def played(self) -> int:
        """Number of finished matches."""
        return self.wins + self.losses


def standings(tally: Tally, ratings: Ratings, bots: Iterable[str] = ()) -> list[Standing]:
    """Return the standings, the best bot first.

    Args:
        tally: Results of all matches.
        ratings: Ratings computed from the tally.
        bots: Bots to include even if they have not played.

    Returns:
        A row for each bot, ordered by rating, then by wins, then by name.
    """
    table = {bot: Standing(bot) for bot in bots}
    for result, times in tally.items():
        players = result.one, result.two
        winner, loser = players[result.winner - 1], players[2 - result.winner]
        winning = table.setdefault(winner, Standing(winner))
        losing = table.setdefault(loser, Standing(loser))
        winning.wins += times
        losing.losses += times
        if result.termination.is_forfeit:
            losing.forfeits[result.termination] += times

    def sort_key(standing: Standing) -> tuple[float, int, str]:
        elo = round(ratings.elo.get(standing.bot, -math.inf), 3)  # further digits are noise
        return -elo, -standing.wins, standing.bot

    return sorted(table.values(), key=sort_key)


class HeadToHeadRecord(NamedTuple):
    """One bot's record against another.

    `first` and `second` are its wins and losses as player 1 and as player 2; `forfeits` counts
    the forfeits of both bots.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    forfeits: int


_NO_MATCHES = HeadToHeadRecord((0, 0), (0, 0), 0)


def head_to_head(tally: Tally) -> dict[tuple[str, str], HeadToHeadRecord]:
    """Return the record of each bot against each opponent, by (bot, opponent)."""
    records: dict[tuple[str, str], HeadToHeadRecord] = {}
    for (one, two, winner, termination), times in tally.items():
        won, lost = times * (winner == 1), times * (winner == 2)
        forfeits = times * termination.is_forfeit
        first, second, before = records.get((one, two), _NO_MATCHES)
        records[one, two] = HeadToHeadRecord(
            (first[0] + won, first[1] + lost), second, before + forfeits
        )
        first, second, before = records.get((two, one), _NO_MATCHES)
        records[two, one] = HeadToHeadRecord(
            first, (second[0] + lost, second[1] + won), before + forfeits
        )
    return records
