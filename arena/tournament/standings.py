"""Standings of a tournament, also during it, and head-to-head records, from a tally of results."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

from arena.model.results import PairScore, Tally, Termination
from arena.ratings import rate
from arena.ratings.bradley_terry import Ratings


@dataclass
class Standing:
    """One bot's row in the standings.

    Attributes:
        bot: Its name.
        wins: The matches that it has won.
        draws: Its draws.
        losses: The matches that it has lost.
        forfeits: Its losses by each forfeit.
        pairs: The pairs that it has won, tied and lost.
    """

    bot: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: Counter[Termination] = field(default_factory=Counter)
    pairs: tuple[int, int, int] = (0, 0, 0)

    @property
    def played(self) -> int:
        """Number of finished matches."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins, and half of the draws."""
        return self.wins + self.draws / 2


def standings(
    tally: Tally,
    ratings: Ratings,
    bots: Iterable[str] = (),
    scores: Iterable[PairScore] = (),
) -> list[Standing]:
    """Return the standings, the best bot first.

    Args:
        tally: Results of all matches.
        ratings: Ratings computed from the tally.
        bots: Bots to include even if they have not played.
        scores: The scores of the pairs of these matches.

    Returns:
        A row for each bot, ordered by the place of its group, by rating, by points and by name.
    """
    table = {bot: Standing(bot) for bot in bots}
    for result, times in tally.items():
        players = [table.setdefault(bot, Standing(bot)) for bot in (result.one, result.two)]
        if result.winner is None:
            for player in players:
                player.draws += times
            continue
        winner, loser = players[result.winner - 1], players[2 - result.winner]
        winner.wins += times
        loser.losses += times
        if result.termination.is_forfeit:
            loser.forfeits[result.termination] += times
    for score in scores:
        for bot, numbers in zip((score.one, score.two), score.pair_results, strict=True):
            standing = table[bot]
            won, tied, lost = map(add, standing.pairs, numbers)
            standing.pairs = won, tied, lost

    places = group_places(ratings)

    def key(standing: Standing) -> tuple[int, tuple[float, float, str]]:
        bot = standing.bot
        return places[bot], sort_key(bot, ratings.elo.get(bot), standing.points)

    return sorted(table.values(), key=key)


def group_places(ratings: Ratings) -> Mapping[str, int]:
    """Return the place of each bot's group, from 0: the largest one is first.

    Bots that have not played are behind all groups, or in the only one.
    """
    groups = sorted(ratings.groups, key=len, reverse=True)
    last = len(groups) if len(groups) > 1 else 0
    return defaultdict(
        lambda: last, {bot: place for place, group in enumerate(groups) for bot in group}
    )


def sort_key(bot: str, elo: float | None, points: float) -> tuple[float, float, str]:
    """Return the key that sorts bots by rating, then by points, then by name."""
    rating = -math.inf if elo is None else round(elo, 3)  # further digits are noise
    return -rating, -points, bot


class HeadToHeadRecord(NamedTuple):
    """One bot's record against another.

    Attributes:
        first: Its wins and losses as player 1.
        second: Its wins and losses as player 2.
        forfeits: Forfeits of both bots.
        draws: Its draws as player 1 and as player 2.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    forfeits: int
    draws: tuple[int, int] = (0, 0)


_NO_MATCHES = HeadToHeadRecord((0, 0), (0, 0), 0)


def head_to_head(tally: Tally) -> dict[tuple[str, str], HeadToHeadRecord]:
    """Return the record of each bot against each opponent, by (bot, opponent)."""
    records: dict[tuple[str, str], HeadToHeadRecord] = {}
    for (one, two, winner, termination), times in tally.items():
        won, lost, drawn = (times * (winner == result) for result in (1, 2, None))
        forfeits = times * termination.is_forfeit
        first, second, before, draws = records.get((one, two), _NO_MATCHES)
        records[one, two] = HeadToHeadRecord(
            (first[0] + won, first[1] + lost),
            second,
            before + forfeits,
            (draws[0] + drawn, draws[1]),
        )
        first, second, before, draws = records.get((two, one), _NO_MATCHES)
        records[two, one] = HeadToHeadRecord(
            first,
            (second[0] + lost, second[1] + won),
            before + forfeits,
            (draws[0], draws[1] + drawn),
        )
    return records


class StoredResults(NamedTuple):
    """Results of a tournament so far."""

    tally: Tally
    scores: Sequence[PairScore]


class Table(NamedTuple):
    """Standings, the best bot first, and the ratings that they are ordered by."""

    standings: Sequence[Standing]
    ratings: Ratings


class LiveStandings:
    """Standings of the results stored so far. Threads may call it."""

    def __init__(
        self,
        bots: tuple[str, ...],
        read: Callable[[], StoredResults],
        anchor: tuple[str, float] | None,
    ) -> None:
        """Refer to results; nothing is read yet.

        Args:
            bots: Bots in the standings, even if they have not played.
            read: Returns the results; any thread may call it.
            anchor: Bot with the fixed rating, and that rating in Elo; None for a mean of 0.
        """
        self._bots = bots
        self._read = read
        self._anchor = anchor
        self._latest: tuple[StoredResults, Table] | None = None

    def table(self) -> Table:
        """Return the current table."""
        results, latest = self._read(), self._latest
        if latest is None or latest[0] != results:
            ratings = rate(*results, self._anchor)
            lines = standings(results.tally, ratings, self._bots, results.scores)
            latest = self._latest = results, Table(lines, ratings)
        return latest[1]
