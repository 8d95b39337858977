"""Ratings and standings during a tournament."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.model.results import PairScore, Tally
from arena.ratings import rate
from arena.ratings.bradley_terry import Ratings
from arena.tournament.standings import Standing, standings


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
