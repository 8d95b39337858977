"""Accuracies of bots, from stored verdicts and from matches that are judged."""

import time

from arena.analysis.accuracy import Accuracy, add_match, add_verdicts, has_solver, judge_moves
from arena.storage.reader import DatabaseReader
from core import GAMES

JUDGE_SECONDS = 0.05  # time limit of a batch, checked after each match
JUDGE_BATCH = 50  # matches
VERDICT_BATCH = 20_000  # matches whose stored verdicts are counted at once


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
