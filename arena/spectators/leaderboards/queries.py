"""Leaderboards for spectators, with the accuracies of bots, for a worker process.

The process reads the results from the database by itself: the event loop does nothing for a million
of them.
"""

import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from arena.analysis.accuracy import Accuracy, add_match, add_verdicts, has_solver, judge_moves
from arena.protocol.bots import BotInfo, FindBot
from arena.protocol.codec import RequestError, encode
from arena.protocol.plots import Panel, PanelSize
from arena.protocol.spectator import (
    FindMargins,
    FindPlots,
    Leaderboards,
    Margins,
    Plots,
    TournamentInfo,
)
from arena.reports.plots.panel import SIZE
from arena.spectators.leaderboards.game_table import GameTable
from arena.spectators.leaderboards.plots import LEAST_AGE, SHARE, GamePlots
from arena.spectators.stored_matches import reported_damage
from arena.storage.reader import DatabaseReader
from arena.storage.spectator_reader import LeaderboardReader, NewResults
from arena.tournament.format_state import FormatState
from core import GAMES

JUDGE_SECONDS = 0.05  # time limit of a batch, checked after each match
JUDGE_BATCH = 50  # matches
VERDICT_BATCH = 20_000  # matches; their stored verdicts are counted at once


class Accuracies:
    """Accuracies of bots: first the stored verdicts are counted, then other matches are judged.

    Attributes:
        by_game: The accuracies by game and bot.
    """

    def __init__(self, database: DatabaseReader) -> None:
        """Start without accuracies."""
        self._database = database
        self._solved_games = [*filter(has_solver, GAMES)]
        self.by_game: dict[str, dict[str, Accuracy]] = {game: {} for game in self._solved_games}
        self._last_counted = 0  # id of a match with stored verdicts
        self._all_counted = False
        self._last_judged = 0  # id of a match

    def count_first_verdicts(self) -> None:
        """Count the first batch of stored verdicts, unless it is counted already."""
        if not (self._last_counted or self._all_counted):
            self._count_verdicts()

    def judge_matches(self, before: int | None) -> tuple[bool, list[tuple[int, str]]]:
        """Count stored verdicts, or judge the next matches that have none.

        Args:
            before: Only matches with a lower id are judged, so that no running match is skipped;
                None for no limit.

        Returns:
            Whether there may be more to do at once, and the new verdicts by match.

        Raises:
            DatabaseError: If the matches cannot be read.
        """
        if not self._all_counted:
            self._count_verdicts()
            return True, []
        started, judged = time.monotonic(), []
        found = self._database.unanalysed_between(
            self._last_judged, before, self._solved_games, JUDGE_BATCH
        )
        for record in found:
            self._last_judged = record.id
            complete = self._database.with_moves(record)
            try:
                verdicts = judge_moves(complete)
            except Exception:  # of a package's game, which must not end the judging of others
                continue
            judged.append((record.id, verdicts))
            add_match(self.by_game[record.pairing.game], record, verdicts)
            if time.monotonic() > started + JUDGE_SECONDS:
                break
        return bool(found), judged

    def _count_verdicts(self) -> None:
        stored = self._database.verdicts(self._last_counted, VERDICT_BATCH)
        for match, game, players, opening, verdicts in stored:
            self._last_counted = match
            if game in self.by_game:
                add_verdicts(self.by_game[game], players, opening, verdicts)
        self._all_counted = len(stored) < VERDICT_BATCH


class LeaderboardQueries:
    """Leaderboards of a database, kept up to date, for a worker process."""

    def __init__(
        self,
        path: Path,
        anchor: tuple[str, float] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open a database; results and accuracies are read with the first calls.

        Args:
            path: The database.
            anchor: The bot with the fixed rating, and that rating in Elo.
            clock: Returns the time, in seconds.

        Raises:
            DatabaseError: If the database cannot be opened.
        """
        self._database = LeaderboardReader(path)
        self._clock = clock
        self._fresh_until = -math.inf  # until then no question reads the results again
        self._anchor = anchor
        self._results = NewResults(self._database)
        self._tables: dict[str, GameTable] = {}
        self._accuracies = Accuracies(self._database)
        self._plots = GamePlots(self._database, anchor)

    def compute(self, tournament: TournamentInfo | None, state: FormatState) -> str:
        """Return the frame with the leaderboard of each game, from the results stored so far.

        Args:
            tournament: The tournament; its leaderboard has all of its bots.
            state: The state of the tournament's format.

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
            own = tournament if tournament and tournament.game == game else None
            references = own.bots[: own.references] if own else ()
            tables.append(table.leaderboard(game, bots, accuracies, state, references))
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

    def answer(self, question: FindBot | FindMargins | FindPlots) -> str:
        """Return the frame that answers a question.

        Raises:
            RequestError: If there is no such leaderboard, it has too many bots or matches, or the
                results cannot be read.
        """
        with reported_damage():
            match question:
                case FindBot():
                    return encode(self._bot_info(question))
                case FindMargins(request, game):
                    return encode(Margins(request, game, *self._table(game).margins()))
                case _:
                    request, game, bot = question.request, question.game, question.bot
                    return encode(Plots(request, game, *self._find_plots(game, bot)))

    def _table(self, game: str) -> GameTable:
        """Return the table of a game. Raises RequestError without one."""
        if not self._tables:  # this process has taken the place of another one
            self.compute(None, FormatState())
        if game not in self._tables:
            raise RequestError("unknown_game", f"no rated match of {game!r} has finished")
        return self._tables[game]

    def _find_plots(self, game: str, bot: str | None) -> tuple[int, PanelSize, list[Panel]]:
        """Return the number of matches in the plots of a game, or of a bot in it, and the plots."""
        elo = self._table(game).elo
        if bot is not None:
            matches, panels = self._plots.find_ratings(game, elo, bot)
        else:
            matches, panels, _ = self._plots.find(game, elo)
        return matches, SIZE, panels

    def _bot_info(self, question: FindBot) -> BotInfo:
        """Return the standings of a bot, which may lack the latest matches."""
        self._refresh()
        bot, found = question.bot, []
        for game, table in sorted(self._tables.items()):
            if bot in table.elo:
                accuracy = self._accuracies.by_game.get(game, {}).get(bot)
                find_forfeits = partial(self._database.forfeits_of, bot, game)
                found.append(table.standing(game, bot, accuracy, find_forfeits))
        found.sort(key=lambda standing: -standing.score.played)
        return BotInfo(question.request, bot, found)

    def _refresh(self) -> None:
        """Read and rate the latest results, at most as often as plots are drawn again."""
        started = self._clock()
        if started < self._fresh_until:
            return
        self._read_results()
        self._accuracies.count_first_verdicts()
        for table in self._tables.values():
            table.rate()
        ended = self._clock()
        self._fresh_until = ended + max(LEAST_AGE, (ended - started) / SHARE)

    def _read_results(self) -> None:
        try:
            for new in self._results.read():
                if new.game not in self._tables:
                    self._tables[new.game] = GameTable(self._anchor)
                self._tables[new.game].add(new.results, new.times, new.scores)
        except BaseException:  # some results are counted: start again with the next call
            self._results, self._tables = NewResults(self._database), {}
            self._fresh_until = -math.inf
            raise
