"""Tests of the leaderboard."""

import pytest

from arena.model.results import MatchRecord, RatedResult, Tally, Termination
from arena.ratings.bradley_terry import Ratings, rate
from arena.tournament import leaderboard as leaderboard_module
from arena.tournament.leaderboard import Leaderboard
from tests.support.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

EARLIER = Tally({RatedResult("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 3})


def make_leaderboard(anchor: tuple[str, float] | None = None) -> Leaderboard:
    """Return a leaderboard of three bots, two of which have played."""
    return Leaderboard(("anna", "bert", "carl"), EARLIER.copy(), anchor)


def wins_and_losses(leaderboard: Leaderboard) -> dict[str, tuple[int, int]]:
    return {standing.bot: (standing.wins, standing.losses) for standing in leaderboard.standings}


def test_earlier_results_count() -> None:
    assert wins_and_losses(make_leaderboard()) == {"anna": (3, 0), "bert": (0, 3), "carl": (0, 0)}


def test_finished_matches_are_counted() -> None:
    leaderboard = make_leaderboard()
    leaderboard.finished(make_record(make_pairing(players=("anna", "carl")), 2))
    leaderboard.finished(
        make_record(make_pairing(players=("anna", "carl")), 2, Termination.TIMEOUT)
    )
    assert wins_and_losses(leaderboard) == {"carl": (2, 0), "anna": (3, 2), "bert": (0, 3)}


def test_aborted_matches_do_not_count() -> None:
    leaderboard = make_leaderboard()
    leaderboard.finished(make_aborted_record())
    assert wins_and_losses(leaderboard)["anna"] == (3, 0)


def test_casual_matches_do_not_count() -> None:
    leaderboard = make_leaderboard()
    leaderboard.finished(make_record(make_casual_pairing()))
    assert wins_and_losses(leaderboard)["anna"] == (3, 0)


def test_ratings_of_earlier_results() -> None:
    assert make_leaderboard().ratings.elo == rate(EARLIER).elo


def test_ratings_are_recomputed_after_a_match() -> None:
    leaderboard = make_leaderboard()
    before = leaderboard.ratings
    assert leaderboard.ratings is before
    leaderboard.finished(make_record())
    assert leaderboard.ratings.elo["anna"] > before.elo["anna"]


def test_the_anchor_keeps_its_rating() -> None:
    assert make_leaderboard(("bert", 1500)).ratings.elo["bert"] == 1500


def test_standings_are_ordered_by_rating() -> None:
    leaderboard = make_leaderboard()
    for _ in range(9):
        leaderboard.finished(make_record(winner=2))
    assert [standing.bot for standing in leaderboard.standings] == ["bert", "anna", "carl"]


def test_a_match_may_end_while_ratings_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a separate thread renders the table."""
    leaderboard = make_leaderboard()
    pending: list[MatchRecord] = [make_record()]

    def rate_slowly(tally: Tally, anchor: tuple[str, float] | None) -> Ratings:
        if pending:
            leaderboard.finished(pending.pop())
        return rate(tally, anchor)

    monkeypatch.setattr(leaderboard_module, "rate", rate_slowly)
    assert leaderboard.ratings.elo == rate(EARLIER).elo
    assert leaderboard.ratings.elo["anna"] > rate(EARLIER).elo["anna"]
