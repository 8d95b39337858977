"""Database reader: days on which matches were played."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from arena.model.results import MatchResult, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.rows import Seconds, Winner
from arena.storage.schema import IS_RATED

DAY = "date(finished_at, 'unixepoch')"


class DayMatch(NamedTuple):
    """A match of a day: its id, its game, its players and its result."""

    match: int
    game: str
    players: tuple[str, str]
    result: MatchResult


class Day(NamedTuple):
    """The rated matches that ended on one day in UTC.

    Attributes:
        day: The day.
        games: The number of matches by game.
        latest: The latest of these matches, the last one first.
        updated_at: Unix time of the end of the last one.
    """

    day: date
    games: Mapping[str, int]
    latest: Sequence[DayMatch]
    updated_at: float

    @property
    def matches(self) -> int:
        """The number of matches."""
        return sum(self.games.values())


class Progress(NamedTuple):
    """The stored rated matches of a tournament: their number, and the end of the last one."""

    matches: int
    updated_at: Seconds


class DayReader(DatabaseReader):
    """Reader of the days on which rated matches ended."""

    def tournament_progress(self) -> Progress:
        """Return how much of the tournament is stored; Unix time 0 for none.

        Raises:
            DatabaseError: If the database cannot be read.
        """
        [row] = self._rows(
            Progress,
            f"SELECT count(*), coalesce(max(finished_at) FILTER (WHERE {DAY} >= '0001'), 0.0)"
            f" FROM matches WHERE {IS_RATED} AND number IS NOT NULL",
        )
        return row

    def latest_days(self, limit: int, matches: int) -> list[Day]:
        """Return the latest days on which matches ended, the last one first.

        It reads all results, a million in about 1.2 s. Imported matches may have any time: one
        without a day in the calendar is left out.

        Args:
            limit: The highest number of days.
            matches: The highest number of matches that are listed for a day.

        Raises:
            DatabaseError: If the database cannot be read.
        """
        found = self._rows(
            tuple[str, str, int, int, Seconds],
            f"SELECT {DAY} AS day, game, count(*), max(id), max(finished_at) FROM matches"
            f" WHERE {IS_RATED} AND day >= '0001' GROUP BY day, game ORDER BY day DESC, game",
        )
        return [
            self._day(text, [*games], matches)
            for text, games in islice(groupby([*found], itemgetter(0)), limit)
        ]

    def _day(self, text: str, games: Sequence[tuple[str, str, int, int, float]], limit: int) -> Day:
        last = max(match for *_, match, _ in games)
        return Day(
            date.fromisoformat(text),
            {game: count for _, game, count, *_ in games},
            [*self._matches_of(text, last, limit)],
            max(time for *_, time in games),
        )

    def _matches_of(self, day: str, last: int, limit: int) -> Iterator[DayMatch]:
        for match, game, one, two, termination, winner, reason in self._rows(
            tuple[int, str, str, str, Termination, Winner, str],
            "SELECT id, game, player1, player2, termination, winner, reason FROM matches"
            f" WHERE id <= ? AND {IS_RATED} AND {DAY} = ? ORDER BY id DESC LIMIT ?",
            last,
            day,
            limit,
        ):
            result = MatchResult(termination, winner, reason)
            yield DayMatch(match, game, (one, two), result)
