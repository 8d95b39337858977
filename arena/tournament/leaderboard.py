"""What is known of the bots while a tournament is played."""

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Tally
from arena.ratings.bradley_terry import Ratings, rate
from arena.tournament.schedule import Standing, standings


class Scoreboard(Observer):
    """Counts what is finished, from what has been before, and rates it when asked.

    One thread may ask while another counts.
    """

    def __init__(
        self, bots: tuple[str, ...], tally: Tally, anchor: tuple[str, float] | None
    ) -> None:
        self._bots = bots
        self._tally = tally
        self._anchor = anchor
        self._rated: tuple[int, Ratings] | None = None  # of so many matches

    def finished(self, record: MatchRecord) -> None:
        """A match has ended and is stored."""
        if record.outcome:
            self._tally[record.outcome] += 1

    @property
    def ratings(self) -> Ratings:
        """The ratings by now."""
        return self._rate(self._tally.copy())

    @property
    def standings(self) -> list[Standing]:
        """The table by now."""
        tally = self._tally.copy()
        return standings(tally, self._rate(tally), self._bots)

    def _rate(self, tally: Tally) -> Ratings:
        matches, rated = tally.total(), self._rated
        if not rated or rated[0] != matches:
            self._rated = rated = matches, rate(tally, self._anchor)
        return rated[1]
