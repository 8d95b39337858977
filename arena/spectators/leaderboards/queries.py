"""Leaderboards for spectators, for a worker process.

The process reads the results from the database by itself: the event loop does nothing for a million
of them.
"""

from collections.abc import Sequence
from pathlib import Path

from arena.protocol.codec import encode
from arena.protocol.errors import RequestError
from arena.protocol.spectator import FindMargins, Leaderboards, Margins, TournamentInfo
from arena.spectators.leaderboards.accuracies import Accuracies
from arena.spectators.leaderboards.game_table import GameTable
from arena.storage.new_results import NewResults
from arena.storage.reader import DatabaseReader


class LeaderboardQueries:
    """Leaderboards of a database, kept up to date, for a worker process."""

    def __init__(self, path: Path, anchor: tuple[str, float] | None = None) -> None:
        """Open a database; results and accuracies are read with the first calls.

        Args:
            path: The database.
            anchor: The bot whose rating is fixed, and its Elo.

        Raises:
            DatabaseError: If the database cannot be opened.
        """
        self._database = DatabaseReader(path)
        self._anchor = anchor
        self._results = NewResults(self._database)
        self._tables: dict[str, GameTable] = {}
        self._accuracies = Accuracies(self._database)

    def compute(self, tournament: TournamentInfo | None, blocks: Sequence[tuple[str, str]]) -> str:
        """Return the frame with the leaderboard of each game, from the results stored so far.

        Args:
            tournament: The tournament; its leaderboard has all of its bots.
            blocks: Text blocks of the tournament's format, each with its heading.

        Raises:
            DatabaseError: If the results cannot be read.
        """
        self._read_results()
        self._accuracies.count_first_verdicts()
        games = sorted({tournament.game, *self._tables} if tournament else self._tables)
        bots = tournament.bots if tournament else ()
        tables = []
        for game in games:
            table = self._tables.get(game) or GameTable(self._anchor)
            accuracies = self._accuracies.by_game.get(game, {})
            tables.append(table.leaderboard(game, bots, accuracies, blocks))
        return encode(Leaderboards(tables))

    def judge_matches(self, before: int | None) -> tuple[bool, list[tuple[int, str]]]:
        """Judge the next matches that have not been judged.

        Args:
            before: Only matches with a lower id, so that no running match is skipped; None for no
                limit.

        Returns:
            Whether the accuracies may have changed, and the verdicts by match, to be stored before
            the next call.

        Raises:
            DatabaseError: If the matches cannot be read.
        """
        return self._accuracies.judge_matches(before)

    def answer(self, question: FindMargins) -> str:
        """Return the frame with the margins of the latest leaderboard of a game.

        Raises:
            RequestError: If there is no such leaderboard, or it has too many bots.
            DatabaseError: If the results cannot be read.
        """
        if not self._tables:  # this process has taken the place of another one
            self.compute(None, [])
        table = self._tables.get(question.game)
        if table is None:
            raise RequestError("unknown_game", f"no rated match of {question.game!r} has finished")
        first_move, margins = table.margins()
        return encode(Margins(question.request, question.game, first_move, margins))

    def _read_results(self) -> None:
        try:
            for game, results in self._results.read():
                if game not in self._tables:
                    self._tables[game] = GameTable(self._anchor)
                self._tables[game].add(results)
        except BaseException:  # some results are counted: start again with the next call
            self._results, self._tables = NewResults(self._database), {}
            raise
