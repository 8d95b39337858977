"""Ratings and standings during a tournament."""

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Tally
from arena.ratings.bradley_terry import Ratings, rate
from arena.tournament.standings import Standing, standings


class LiveStandings(Observer):
    """Observer that counts finished matches and rates them on demand.

    One thread may read while another one counts.
    """

    def __init__(
        self, bots: tuple[str, ...], tally: Tally, anchor: tuple[str, float] | None
    ) -> None:
        """Start from earlier results.

        Args:
            bots: Bots in the standings, even if they have not played.
            tally: Results of earlier matches, which is updated in place.
            anchor: Bot whose rating is fixed, and its Elo; None for a mean of 0.
        """
        self._bots = bots
        self._tally = tally
        self._anchor = anchor
        self._cache: tuple[int, Ratings] | None = None  # number of matches, their ratings

    def finished(self, record: MatchRecord) -> None:
        """Count a finished match, unless it was aborted or casual."""
        if record.rated_result:
            self._tally[record.rated_result] += 1

    @property
    def ratings(self) -> Ratings:
        """The current ratings."""
        return self._rate(self._tally.copy())

    @property
    def standings(self) -> list[Standing]:
        """The current standings, the best bot first."""
        tally = self._tally.copy()
        return standings(tally, self._rate(tally), self._bots)

    def _rate(self, tally: Tally) -> Ratings:
        matches, cache = tally.total(), self._cache
        if not cache or cache[0] != matches:
            self._cache = cache = matches, rate(tally, self._anchor)
        return cache[1]
