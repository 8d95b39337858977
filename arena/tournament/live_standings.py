"""Ratings and standings during a tournament."""

import threading
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING

from arena.model.observer import Observer
from arena.model.results import MatchRecord, RatedResult, Tally
from arena.ratings.bradley_terry import Ratings, start_rater
from arena.tournament.standings import Standing, standings

if TYPE_CHECKING:
    from arena.ratings.rater import Rater


class LiveStandings(Observer):
    """Observer that counts finished matches and rates them on demand, from the last ratings.

    Threads may read while another one counts.
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
        self._earlier = tally.copy()
        self._anchor = anchor
        self._lock = threading.Lock()  # of the rater and the latest ratings
        self._unrated: deque[RatedResult] = deque()
        self._ratings: Ratings | None = None

    def finished(self, record: MatchRecord) -> None:
        """Count a finished match, unless it was aborted or casual."""
        if result := record.rated_result:
            self._tally[result] += 1
            self._unrated.append(result)

    def played(self, record: MatchRecord) -> None:
        """Count a match that was played in process."""
        self.finished(record)

    @property
    def ratings(self) -> Ratings:
        """The current ratings."""
        with self._lock:
            new = [self._unrated.popleft() for _ in range(len(self._unrated))]
            if new or self._ratings is None:
                self._rater.add(new)
                self._ratings = self._rater.rate()
            return self._ratings

    @property
    def standings(self) -> list[Standing]:
        """The current standings, the best bot first."""
        return standings(self._tally.copy(), self.ratings, self._bots)

    @cached_property
    def _rater(self) -> "Rater":
        return start_rater(self._earlier, self._anchor)
