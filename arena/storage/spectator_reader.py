"""Database readers for spectators: leaderboards, plots, matches of a bot, puzzles, and days."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from arena.model.results import FORFEITS, MatchRecord, MatchResult, PairScore, Termination
from arena.storage.reader import MATCH_COLUMNS, DatabaseReader, match_row, record_of
from arena.storage.rows import OpeningText, Seconds, SetupText, Winner
from arena.storage.schema import IS_RATED, DatabaseError

# Matches of the database that are looked through, in times that were measured.
LATEST = 200_000  # 0.1 s
LATEST_CONTINUED = 50_000  # 0.3 s after 12 moves
OWN_MOVE = "player1 = ? AND ply % 2 = 0 OR player2 = ? AND ply % 2 = 1"
AMONG = "id IN (SELECT value FROM json_each(?))"
ID_BITS = 62  # of the highest id that is looked for
DAY = "date(finished_at, 'unixepoch')"

StoredResult = tuple[str, str, int | None, str]
"""The fields of a RatedResult: plain tuples, as there may be millions."""


class SetupResult(NamedTuple):
    """Number of matches of a bot with the same setup, side and winner.

    Attributes:
        setup: The setup, as JSON.
        side: 1 or 2.
        winner: 1 or 2; None for a draw.
        matches: The number of matches.
        since: The end of the first of them. Unix time, seconds.
    """

    setup: SetupText
    side: int
    winner: Winner
    matches: int
    since: Seconds


class OwnMove(NamedTuple):
    """Move of a bot: its match, the number of moves before it, and its charged seconds."""

    match: int
    ply: int
    charged: Seconds


class Judged(NamedTuple):
    """Analysed match of a bot.

    Attributes:
        match: Its id.
        players: The names of players 1 and 2.
        setup: The setup, as JSON.
        opening: The number of opening moves.
        winner: 1 or 2; None for a draw.
        verdicts: A letter for each move after the opening.
    """

    match: int
    players: tuple[str, str]
    setup: str
    opening: int
    winner: int | None
    verdicts: str


class BotReader(DatabaseReader):
    """Read access to the rated matches of one bot in one game, the latest ones first."""

    def setup_results(self, bot: str, game: str, latest: int = LATEST) -> list[SetupResult]:
        """Return the results of a bot by setup, side and winner.

        Args:
            bot: The bot.
            game: The game.
            latest: Number of stored matches that are looked through, of all games.
        """
        found = self._rows(
            SetupResult,
            "SELECT setup, iif(player1 = ?, 1, 2) AS side, winner, count(*), min(finished_at)"
            f" FROM matches WHERE {IS_RATED} AND id > (SELECT max(id) FROM matches) - ?"
            " AND game = ? AND ? IN (player1, player2) GROUP BY setup, side, winner",
            *(bot, latest, game, bot),
        )
        return [*found]

    def latest_ids(self, bot: str, game: str, limit: int, latest: int = LATEST) -> list[int]:
        """Return the ids of at most `limit` of these matches, the latest first."""
        found = self._rows(
            tuple[int],
            f"SELECT id FROM matches WHERE {IS_RATED} AND id > (SELECT max(id) FROM matches) - ?"
            " AND game = ? AND ? IN (player1, player2) ORDER BY id DESC LIMIT ?",
            *(latest, game, bot, limit),
        )
        return [match for (match,) in found]

    def own_moves(self, bot: str, matches: Collection[int], limit: int) -> list[OwnMove]:
        """Return at most `limit` moves of a bot in matches, the latest matches first."""
        found = self._rows(
            OwnMove,
            "SELECT id, ply, charged FROM matches JOIN moves ON match = id"
            f" WHERE {AMONG} AND ({OWN_MOVE}) ORDER BY id DESC, ply LIMIT ?",
            *(json.dumps([*matches]), bot, bot, limit),
        )
        return [*found]

    def judged(self, matches: Collection[int]) -> list[Judged]:
        """Return the analysed ones of matches, the latest first."""
        found = self._rows(
            tuple[int, str, str, SetupText, int, Winner, str],
            "SELECT id, player1, player2, setup, json_array_length(opening), winner, verdicts"
            f" FROM matches JOIN verdicts ON match = id WHERE {AMONG} ORDER BY id DESC",
            json.dumps([*matches]),
        )
        return [
            Judged(match, (one, two), setup, opening, winner, verdicts)
            for match, one, two, setup, opening, winner, verdicts in found
        ]

    def reported(
        self, bot: str, matches: Collection[int], limit: int
    ) -> list[tuple[int | None, int | None]]:
        """Return depth and nodes of at most `limit` infos of a bot, None where it gave none."""
        found = self._rows(
            tuple[int | None, int | None],
            "SELECT json_extract(info, '$.depth'), json_extract(info, '$.nodes')"
            f" FROM matches JOIN infos ON match = id WHERE {AMONG} AND ({OWN_MOVE})"
            " ORDER BY id DESC, ply LIMIT ?",
            *(json.dumps([*matches]), bot, bot, limit),
        )
        return [*found]

    def forfeits_of(self, bot: str, game: str, opponents: Sequence[str]) -> Counter[str]:
        """Return the numbers of rated matches that a bot has forfeited, by termination.

        They are found in the tallies of the bot with each opponent: no match is read.
        """
        tallies = "SELECT termination, matches FROM json_each(?) JOIN tallies ON game = ? AND"
        found: Counter[str] = Counter()
        for termination, matches in self._rows(
            tuple[str, int],
            f"{tallies} player1 = ? AND player2 = value AND winner = 2"
            f" UNION ALL {tallies} player1 = value AND player2 = ? AND winner = 1",
            *2 * (json.dumps([*opponents]), game, bot),
        ):
            if termination in FORFEITS:
                found[termination] += matches
        return found


class ContinuationReader(DatabaseReader):
    """Read access to the moves that followed a beginning, of rated matches."""

    def continuations(
        self,
        game: str,
        setups: Collection[str],
        moves: Sequence[int],
        latest: int = LATEST_CONTINUED,
    ) -> list[tuple[int, int, int, int]]:
        """Return how the latest matches went on that began with the same moves.

        Args:
            game: The game.
            setups: The texts of the setup in the database.
            moves: The first moves, including the opening's.
            latest: Number of stored matches that are looked through, of all games.

        Returns:
            Each next move with the numbers of matches that player 1 won, that were drawn and that
            player 2 won, ascending by the move.
        """
        known = " AND ".join(f"{_move(ply)} = ?" for ply in range(len(moves))) or "TRUE"
        texts = ", ".join("?" for _ in setups)
        found = self._rows(
            tuple[int, int, int, int],
            "SELECT next, sum(winner IS 1), sum(winner IS NULL), sum(winner IS 2) FROM ("
            f"SELECT {_move(len(moves))} AS next, winner FROM matches WHERE {IS_RATED}"
            f" AND id > (SELECT max(id) FROM matches) - ? AND game = ? AND setup IN ({texts})"
            f" AND {known}) WHERE next IS NOT NULL GROUP BY next ORDER BY next",
            latest,
            game,
            *setups,
            *moves,
        )
        return [*found]


def _move(ply: int) -> str:
    """Return an expression for the move of a match at a ply: openings are stored apart."""
    played = f"(SELECT move FROM moves WHERE match = id AND ply = {ply})"
    return f"coalesce(json_extract(opening, '$[{ply}]'), {played})"


class PuzzleReader(DatabaseReader):
    """Read access to the matches that puzzles are chosen from: few rows of any database."""

    def last_before(self, time: float) -> int:
        """Return an id up to which the matches were started before a time; 0 without any.

        Matches get their ids in the order of their starts, so that it is found by bisection, in at
        most ID_BITS + 1 rows. It does not change when matches are added that start later.

        Args:
            time: Unix time.
        """
        last = 0
        for bit in reversed(range(ID_BITS + 1)):
            found = self._rows(
                tuple[Seconds],
                "SELECT started_at FROM matches WHERE id >= ? ORDER BY id LIMIT 1",
                last + (1 << bit),
            )
            if any(started < time for (started,) in [*found]):
                last += 1 << bit
        return last

    def rated_among(
        self, ids: Sequence[int], ended_before: float
    ) -> list[tuple[MatchRecord, str | None]]:
        """Return the rated matches among some ids, in the order of these, without their moves.

        Args:
            ids: The ids; there may be no matches with some of them.
            ended_before: Only matches that ended before this Unix time.

        Returns:
            Each record with the verdicts on its moves; None if it was not analysed.
        """
        rows = self._rows(
            match_row(str | None),
            f"SELECT {MATCH_COLUMNS}, verdicts FROM matches LEFT JOIN verdicts ON id = match"
            f" WHERE id IN (SELECT value FROM json_each(?)) AND {IS_RATED} AND finished_at < ?",
            json.dumps([*ids]),
            ended_before,
        )
        found = {columns[0]: (record_of(columns), verdicts) for *columns, verdicts in [*rows]}
        return [found[match] for match in ids if match in found]


class SpectatorReader(ContinuationReader, PuzzleReader, BotReader):
    """Read access to matches and sums of them, over one connection to the database."""


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


class PlotReader(DatabaseReader):
    """Read access to the sums that plots show, all of rated matches."""

    def check_tallies(self) -> None:
        """Check that the tallies, the source of ratings, agree with the matches.

        Raises:
            DatabaseError: They differ, or cannot be read.
        """
        counted = (
            "SELECT game, player1, player2, ifnull(winner, 0), termination, count(*) FROM matches"
            f" WHERE {IS_RATED} GROUP BY game, player1, player2, winner, termination"
        )
        stored = "SELECT game, player1, player2, winner, termination, matches FROM tallies"
        query = " UNION ALL ".join(
            f"SELECT count(*) FROM ({one} EXCEPT {two})"
            for one, two in ((counted, stored), (stored, counted))
        )
        if any(number for (number,) in [*self._rows(tuple[int], query)]):
            raise DatabaseError(f"{self.path} is damaged: the tallies are not those of the matches")

    def games_by_size(self) -> list[tuple[str, int]]:
        """Return each game and its number of rated matches, the most frequent first."""
        return [
            *self._rows(
                tuple[str, int],
                f"SELECT game, count(*) FROM matches WHERE {IS_RATED} GROUP BY game"
                " ORDER BY count(*) DESC, game",
            )
        ]

    def numbered_results(self, game: str) -> Iterator[tuple[int | None, StoredResult]]:
        """Yield number and result of each match, in the order in which they were started."""
        for number, one, two, winner, termination in self._rows(
            tuple[int | None, str, str, Winner, Termination],
            "SELECT number, player1, player2, winner, termination FROM matches"
            f" WHERE {IS_RATED} AND game = ? ORDER BY id",
            game,
        ):
            yield number, (one, two, winner, termination)

    def openings(self, game: str) -> Iterator[tuple[str, str, str, str, int | None]]:
        """Yield setup and opening of each match, both as JSON, with its players and its winner."""
        return self._rows(
            tuple[SetupText, OpeningText, str, str, Winner],
            "SELECT setup, opening, player1, player2, winner FROM matches"
            f" WHERE {IS_RATED} AND game = ?",
            game,
        )

    def lengths(self, game: str) -> list[tuple[int, int]]:
        """Return each number of plies, including the opening's, with its number of games."""
        plies = (
            "json_array_length(opening) + (SELECT count(*) FROM moves WHERE match = id) AS plies"
        )
        return [
            *self._rows(
                tuple[int, int],
                f"SELECT plies, count(*) FROM (SELECT {plies} FROM matches"
                f" WHERE {IS_RATED} AND game = ?) GROUP BY plies ORDER BY plies",
                game,
            )
        ]

    def move_times(self, game: str) -> list[tuple[str, int, int, float]]:
        """Return bot, ply, number of moves and their charged seconds in total, by bot and ply."""
        return [
            *self._rows(
                tuple[str, int, int, Seconds],
                "SELECT CASE ply % 2 WHEN 0 THEN player1 ELSE player2 END AS bot, ply, count(*),"
                f" sum(charged) FROM matches JOIN moves ON match = id WHERE {IS_RATED}"
                " AND game = ? GROUP BY bot, ply ORDER BY bot, ply",
                game,
            )
        ]


class Results(NamedTuple):
    """Results of one game.

    Attributes:
        game: The name of the game.
        results: Tuples of the fields of RatedResult.
        times: How often each of them is counted; None for once.
        scores: The changed scores of pairs.
    """

    game: str
    results: Sequence[StoredResult]
    times: Sequence[int] | None
    scores: Sequence[PairScore]


class NewResults:
    """Cursor in the rated results of a database, where matches end in any order of their ids."""

    def __init__(self, database: DatabaseReader) -> None:
        """Start before the first result; nothing is read yet."""
        self._database = database
        self._last_id = 0  # of the matches that have been seen
        self._last_score = 0
        self._running: list[int] = []  # of the matches that have been seen

    def read(self) -> Iterator[Results]:
        """Yield the results that were stored since the last call.

        After an error, some of them are lost.

        Raises:
            DatabaseError: If the database cannot be read.
        """
        database, seen = self._database, (self._last_id, self._running)
        with database.snapshot():
            self._last_id, self._running = database.last_id(), database.running(*seen)
            if seen == (0, []):
                for game, tally in database.tallies().items():
                    yield Results(game, [*tally], [*tally.values()], ())
            else:
                for game in database.games_since(*seen):
                    for batch in database.rated_results(game, *seen):
                        yield Results(game, batch, None, ())
            last = self._last_score
            for game in database.games():
                number, scores = database.pair_scores(game, last)
                self._last_score = max(self._last_score, number)
                yield Results(game, (), None, scores)


class LeaderboardReader(PlotReader, BotReader):
    """Read access to all rated results, over one connection to the database."""
