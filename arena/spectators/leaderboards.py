"""Leaderboards for spectators: ratings, head-to-head records and accuracies."""

import time
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from arena.analysis.accuracy import (
    Accuracy,
    accuracies_by_bot,
    add_match,
    has_solver,
    judge_moves,
)
from arena.model.results import Tally
from arena.protocol.spectator import (
    HeadToHead,
    Leaderboard,
    LeaderboardRow,
    Leaderboards,
    TournamentInfo,
)
from arena.ratings.bradley_terry import Ratings, rate
from arena.reports.text import disconnected_groups_text, first_move_text
from arena.spectators.queries import Queries
from arena.storage.writer import DatabaseWriter
from arena.tournament.standings import Standing, head_to_head, standings
from core import GAMES

JUDGE_SECONDS = 0.05  # time limit of a batch, checked after each match
JUDGE_BATCH = 50  # matches
CROSSTABLE_BOTS = 100  # with head-to-head records; larger tables are unreadable


class LeaderboardQueries:
    """Leaderboards with accuracies, for the thread of the queries."""

    def __init__(
        self, queries: Queries, writer: DatabaseWriter, anchor: tuple[str, float] | None = None
    ) -> None:
        """Start without accuracies.

        Args:
            queries: Queries of the same database.
            writer: Receives the verdicts on moves.
            anchor: The bot whose rating is fixed, and its Elo.
        """
        self._queries = queries
        self._writer = writer
        self._anchor = anchor
        self._last_judged = 0  # id of a match
        self._solved_games = [*filter(has_solver, GAMES)]

    def compute(
        self,
        tallies: Mapping[str, Tally],
        tournament: TournamentInfo | None,
        blocks: Sequence[tuple[str, str]],
    ) -> Leaderboards:
        """Return the leaderboard of each game.

        Args:
            tallies: The results so far, by game.
            tournament: The tournament; its leaderboard has all of its bots.
            blocks: Text blocks of the tournament's format, each with its heading.

        Raises:
            DatabaseError: If the accuracies cannot be read.
        """
        games = {tournament.game: Tally(), **tallies} if tournament else tallies
        bots = tournament.bots if tournament else ()
        return Leaderboards(
            [self._leaderboard(game, tally, bots, blocks) for game, tally in games.items()]
        )

    def judge_matches(self, before: int | None) -> bool:
        """Judge the next matches that have not been judged, and store the verdicts.

        Args:
            before: Only matches with a lower id, so that no running match is skipped; None for no
                limit.

        Returns:
            Whether any match was judged.

        Raises:
            DatabaseError: If the matches cannot be read.
        """
        # The accuracies are read first: they must not count these matches twice.
        started, accuracies, database = time.monotonic(), self._accuracies, self._queries.database
        found = database.unanalysed_between(
            self._last_judged, before, self._solved_games, JUDGE_BATCH
        )
        for record in found:
            self._last_judged = record.id
            complete = database.with_moves(record)
            try:
                verdicts = judge_moves(complete)
            except Exception:  # of a package's game, which must not end the judging of others
                continue
            self._writer.save_verdicts(record.id, verdicts)
            add_match(accuracies[record.pairing.game], record, verdicts)
            if time.monotonic() > started + JUDGE_SECONDS:
                break
        return bool(found)

    @cached_property
    def _accuracies(self) -> dict[str, dict[str, Accuracy]]:
        """Accuracies by game and bot."""
        database = self._queries.database
        return {game: accuracies_by_bot(database.analysed(game)) for game in self._solved_games}

    def _leaderboard(
        self,
        game: str,
        tally: Tally,
        bots: Collection[str],
        blocks: Sequence[tuple[str, str]],
    ) -> Leaderboard:
        ratings = rate(tally, self._anchor)
        ranked = standings(tally, ratings, bots)
        accuracies = self._accuracies.get(game, {})
        return Leaderboard(
            game,
            tally.total(),
            sum(accuracy.games for accuracy in accuracies.values()) // 2,
            first_move_text(ratings).strip(),
            disconnected_groups_text(ratings.groups).strip(),
            [_row(standing, ratings, accuracies.get(standing.bot)) for standing in ranked],
            _crosstable(ranked[:CROSSTABLE_BOTS], tally),
            blocks,
        )


def _row(standing: Standing, ratings: Ratings, accuracy: Accuracy | None) -> LeaderboardRow:
    elo = ratings.elo.get(standing.bot)
    return LeaderboardRow(
        standing.bot,
        elo,
        None if elo is None else ratings.margin(standing.bot),
        standing.wins,
        standing.losses,
        standing.forfeits.total(),
        accuracy.share if accuracy else None,
        standing.draws,
    )


def _crosstable(ranked: Sequence[Standing], tally: Tally) -> list[HeadToHead]:
    """Return the record of each pair once, from the view of the better bot."""
    ranks = {standing.bot: rank for rank, standing in enumerate(ranked)}
    return [
        HeadToHead(ranks[one], ranks[other], *record)
        for (one, other), record in head_to_head(tally).items()
        if one in ranks and other in ranks and ranks[one] < ranks[other]
    ]
