"""Table of each game of a database: standings with the ratings and accuracies behind them."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from arena.analysis.accuracy import accuracies_by_bot
from arena.model.results import MatchRecord, PairScore, Tally
from arena.ratings import rate
from arena.reports.text import GameStandings
from arena.tournament.plan import Plan
from arena.tournament.standings import standings


class RatedMatches(Protocol):
    """Source of the rated matches, as the database reader is."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Let all queries of a `with` block see the same state."""

    def tallies(self) -> dict[str, Tally]:
        """Return the number of matches by game and outcome."""

    def pair_scores(self, game: str) -> tuple[int, list[PairScore]]:
        """Return a number, and the scores of the pairs of a game."""

    def analysed(self, game: str) -> Iterator[tuple[MatchRecord, str]]:
        """Yield the analysed matches of a game and their verdicts."""

    def distinct_games(self, game: str) -> int:
        """Return the number of different games."""


def tables_of(
    matches: RatedMatches, plan: Plan | None, anchor: tuple[str, float] | None = None
) -> dict[str, GameStandings]:
    """Return the table of each game that was played or is planned.

    Args:
        matches: The matches, of one state while others are stored.
        plan: The plan: its bots have a row before they have played; None without a tournament.
        anchor: The bot with the fixed rating, and that rating in Elo; None for a mean of 0.
    """
    with matches.snapshot():
        tallies = matches.tallies()
        if plan:
            tallies.setdefault(plan.game, Tally())
        return {game: _table(matches, game, tally, plan, anchor) for game, tally in tallies.items()}


def _table(
    matches: RatedMatches,
    game: str,
    tally: Tally,
    plan: Plan | None,
    anchor: tuple[str, float] | None,
) -> GameStandings:
    _, scores = matches.pair_scores(game)
    ratings = rate(tally, scores, anchor)
    return GameStandings(
        standings(tally, ratings, plan.bots if plan else (), scores),
        tally,
        ratings,
        accuracies_by_bot(matches.analysed(game)),
        matches.distinct_games(game),
    )
