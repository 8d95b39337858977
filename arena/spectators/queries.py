"""What viewers want to know that takes a while: stored matches, tables, who wins, analyses.

All of it waits for the disk or computes, and is meant for threads. Only `analysis` may run next to
anything else: the rest reads from one connection to the database, in one thread.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from arena.analysis.accuracy import Accuracy, accuracies, count, judge
from arena.analysis.position import Line, answer
from arena.model.results import MatchRecord, Tally
from arena.protocol.errors import RequestError
from arena.protocol.spectator import (
    Analyse,
    Analysis,
    FindGames,
    FindRecord,
    Games,
    HeadToHead,
    Leaderboard,
    LeaderboardRow,
    Leaderboards,
    MatchSnapshot,
    Record,
    TournamentInfo,
)
from arena.ratings.bradley_terry import rate
from arena.reports.text import apart, first_move, meetings
from arena.spectators.live_state import shown_of, summary_of
from arena.storage.pgn import write
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from arena.tournament.schedule import standings
from core import GAMES

SOLVE_SECONDS = 1.0  # to solve the first position of a match; beyond, nobody knows who wins
SEARCH_SECONDS = 2.0  # for one question
JUDGE_SECONDS = 0.05  # at one time
JUDGED = 50  # matches that are looked for at one time
CROSSTABLE = 100  # bots; larger ones nobody reads

SOLVED = [name for name, game in GAMES.items() if game.solver]


class Queries:
    """Answers from the database of a store; `anchor` is the bot whose rating is given, its Elo."""

    def __init__(self, store: DatabaseWriter, anchor: tuple[str, float] | None = None) -> None:
        self._store = store
        self._anchor = anchor
        self._lines: dict[int, Line] = {}
        self._judged_up_to = 0  # the id of a match

    @cached_property
    def _records(self) -> DatabaseReader:
        return DatabaseReader(self._store.path)

    def close(self) -> None:
        """Let go of the database."""
        if "_records" in self.__dict__:
            self._records.close()

    # Questions

    def games(self, question: FindGames) -> Games:
        """Matches that have ended. Raises RequestError."""
        limit = question.limit
        try:
            found = self._records.latest_matches(
                limit + 1, question.before, question.bot, question.game
            )
            summaries = [summary_of(record, plies) for record, plies in found[:limit]]
        except (DatabaseError, ValueError) as error:
            raise RequestError("damaged", str(error)) from None
        return Games(question.request, summaries, len(found) > limit)

    def record(self, question: FindRecord) -> Record:
        """The record of a match as text. Raises RequestError."""
        return Record(question.request, write(self._match(question.match)))

    def match(self, match: int) -> MatchSnapshot:
        """A match that has ended. Raises RequestError."""
        record = self._match(match)
        pairing = record.pairing
        try:
            shown = shown_of(record)
            line = Line(pairing.game, pairing.setup, SOLVE_SECONDS)
            line.follow(shown.moves)
        except (KeyError, TypeError, ValueError, MemoryError) as error:
            raise RequestError("damaged", f"match {match} is damaged: {error}") from None
        winners = line.winners if line.is_solved else None
        return MatchSnapshot(shown.facts, shown.since(0, 0.0), winners, shown.result)

    def _match(self, match: int) -> MatchRecord:
        try:
            record = self._records.match(match)
        except (DatabaseError, OverflowError) as error:
            raise RequestError("damaged", str(error)) from None
        if record is None:
            raise RequestError("unknown_match", f"there is no match {match}")
        return record

    def analysis(self, question: Analyse) -> Analysis:
        """What there is to say of a position. Raises RequestError."""
        try:
            return answer(question, SEARCH_SECONDS)
        except ValueError as error:
            raise RequestError("bad_position", str(error)) from None

    # Who wins

    def winners(
        self, match: int, game: str, setup: Mapping[str, int], moves: Sequence[int]
    ) -> Sequence[int] | None:
        """Who wins after 0, 1, 2 ... moves of a match that is followed; None if nobody knows."""
        if match not in self._lines:
            self._lines[match] = Line(game, setup, SOLVE_SECONDS)
        line = self._lines[match]
        line.follow(moves)
        return [*line.winners] if line.is_solved else None

    def forget(self, match: int) -> None:
        """A match is not followed any more."""
        self._lines.pop(match, None)

    # Leaderboards

    def tables(
        self,
        tallies: Mapping[str, Tally],
        tournament: TournamentInfo | None,
        blocks: Sequence[tuple[str, str]],
    ) -> Leaderboards:
        """The table of each game, of what has been counted. Raises DatabaseError.

        That of a tournament has all of its bots, and `blocks` as well.
        """
        games = {tournament.game: Tally(), **tallies} if tournament else tallies
        bots = tournament.bots if tournament else ()
        return Leaderboards(
            [self._table(game, tally, bots, blocks) for game, tally in games.items()]
        )

    def _table(
        self,
        game: str,
        tally: Tally,
        bots: Collection[str],
        blocks: Sequence[tuple[str, str]],
    ) -> Leaderboard:
        ratings = rate(tally, self._anchor)
        lines = standings(tally, ratings, bots)
        known = self._accuracies.get(game, {})
        judged = sum(accuracy.games for accuracy in known.values()) // 2
        rated = []
        for line in lines:
            elo = ratings.elo.get(line.bot)
            margin = None if elo is None else ratings.margin(line.bot)
            accuracy = known.get(line.bot, Accuracy()).share
            forfeits = line.forfeits.total()
            rated.append(
                LeaderboardRow(line.bot, elo, margin, line.wins, line.losses, forfeits, accuracy)
            )
        places = {line.bot: place for place, line in enumerate(lines[:CROSSTABLE])}
        met = [
            HeadToHead(places[one], places[other], *found)
            for (one, other), found in meetings(tally).items()
            if one in places and other in places and places[one] < places[other]
        ]
        about, note = first_move(ratings).strip(), apart(ratings.islands).strip()
        return Leaderboard(game, tally.total(), judged, about, note, rated, met, blocks)

    # Accuracies

    @cached_property
    def _accuracies(self) -> dict[str, dict[str, Accuracy]]:
        """By game, the bots' accuracies."""
        return {game: accuracies(self._records.analysed(game)) for game in SOLVED}

    def judge(self, before: int | None) -> bool:
        """Judge some matches that have not been judged, and keep what is found.

        Only those before an id, if there is one, so that none is passed over while it is played.
        Returns whether there were any. Raises DatabaseError.
        """
        begun, known = time.monotonic(), self._accuracies  # read before more are kept
        found = self._records.unanalysed_between(self._judged_up_to, before, SOLVED, JUDGED)
        for record in found:
            verdicts = judge(self._records.with_moves(record))
            self._store.save_verdicts(record.id, verdicts)
            count(known[record.pairing.game], record, verdicts)
            self._judged_up_to = record.id
            if time.monotonic() > begun + JUDGE_SECONDS:
                break
        return bool(found)
