"""Plots of the rated matches for spectators, drawn again as rarely as they take long."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from arena.protocol.codec import RequestError
from arena.protocol.plots import Panel
from arena.ratings.rater import Sample, rating_history
from arena.reports.plots import KINDS
from arena.reports.plots.lines import rating_panel
from arena.reports.plots.panels import PlotRecords, plot_panels

MAX_MATCHES = 200_000  # of a game; more take longer than 3 s, in which no table is sent
# With ratings over time: all plots of 200 bots took 2.3 s, of 500 bots 9 s, and of 3,000 bots
# longer than a call may take. For one bot's plot they are kept, in up to 10 MB.
MAX_BOTS = 200
LEAST_AGE = 5.0  # seconds until plots are drawn again, if matches have finished
SHARE = 0.05  # of the time of the process that they take at most

T = TypeVar("T")


class Drawn(NamedTuple, Generic[T]):
    """Plots that were drawn, or what one is drawn from.

    Attributes:
        matches: The number of matches in them.
        value: The plots.
        fresh_until: The time from which they are drawn again, once more matches have finished.
    """

    matches: int
    value: T
    fresh_until: float


class GamePlots:
    """The latest plots of each game."""

    def __init__(
        self,
        records: PlotRecords,
        anchor: tuple[str, float] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Draw nothing yet.

        Args:
            records: The matches.
            anchor: The bot with the fixed rating, and that rating in Elo.
            clock: Returns the time, in seconds.
        """
        self._records = records
        self._anchor = anchor
        self._clock = clock
        self._drawn: dict[str, Drawn[list[Panel]]] = {}
        self._histories: dict[str, Drawn[list[Sample]]] = {}  # of all bots

    def find(self, game: str, elo: Mapping[str, float]) -> Drawn[list[Panel]]:
        """Return the plots of a game, which may lack the latest matches.

        With more than MAX_BOTS bots their ratings have no plot.

        Args:
            game: The name of the game, which has rated matches.
            elo: The ratings of its bots.

        Raises:
            RequestError: If there are too many matches.
            DatabaseError: If they cannot be read.
        """
        kinds = [kind for kind in KINDS if kind != "rating" or len(elo) <= MAX_BOTS]
        draw = partial(plot_panels, self._records, game, elo, self._anchor, kinds)
        return self._renewed(self._drawn, game, lambda _: draw())

    def find_ratings(
        self, game: str, elo: Mapping[str, float], bot: str
    ) -> tuple[int, list[Panel]]:
        """Return the plot of the ratings of a bot, which may lack the latest matches.

        The ratings of all bots are computed together: questions about many bots cost no more than
        those about one.

        Args:
            game: The name of the game, which has rated matches.
            elo: The ratings of its bots.
            bot: The bot.

        Returns:
            The number of matches of the game that are drawn, and the plot; none if the bot has no
            rating.

        Raises:
            RequestError: If there are too many matches or bots.
            DatabaseError: If the matches cannot be read.
        """
        if len(elo) > MAX_BOTS:
            text = f"ratings over time are kept for at most {MAX_BOTS} bots, not for {len(elo)}"
            raise RequestError("too_large", text)
        matches, history, _ = self._renewed(
            self._histories,
            game,
            lambda total: rating_history(
                self._records.numbered_results(game), total, [*elo], self._anchor
            ),
        )
        samples = [
            Sample(sample.matches, {bot: sample.ratings[bot]})
            for sample in history
            if bot in sample.ratings
        ]
        return matches, [rating_panel(samples, [bot], 1)] if samples else []

    def _renewed(self, kept: dict[str, Drawn[T]], game: str, draw: Callable[[int], T]) -> Drawn[T]:
        """Return what is kept of a game; draw it again if that is worth the time.

        Args:
            kept: The latest drawings by game.
            game: The game.
            draw: Draws, given the number of matches.
        """
        drawn, started = kept.get(game), self._clock()
        if drawn and started < drawn.fresh_until:
            return drawn
        matches = dict(self._records.games_by_size())[game]
        if drawn and matches == drawn.matches:
            return drawn
        if matches > MAX_MATCHES:
            text = f"plots are drawn for at most {MAX_MATCHES:,} matches, not for {matches:,}"
            raise RequestError("too_large", text)
        value = draw(matches)
        ended = self._clock()
        kept[game] = Drawn(matches, value, ended + max(LEAST_AGE, (ended - started) / SHARE))
        return kept[game]
