"""Database readers for leaderboards and plots: sums over all rated results, and the latest ones."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.model.results import PairScore, Termination
from arena.ratings.rater import NumberedResult
from arena.storage.reader import DatabaseReader
from arena.storage.rows import OpeningText, Seconds, SetupText, Winner
from arena.storage.schema import IS_RATED, DatabaseError
from arena.storage.spectator_reader import BotReader


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

    def numbered_results(self, game: str) -> Iterator[NumberedResult]:
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
    results: Sequence[tuple[str, str, int | None, str]]
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
