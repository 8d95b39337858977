"""Tests of the live_standings."""

import pytest

from arena.model.results import MatchRecord, RatedResult, Tally, Termination
from arena.ratings.bradley_terry import Ratings, rate
from arena.ratings.rater import Rater
from arena.tournament.live_standings import LiveStandings
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

EARLIER = Tally({RatedResult("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 3})


def make_live_standings(anchor: tuple[str, float] | None = None) -> LiveStandings:
    """Return a live_standings of three bots, two of which have played."""
    return LiveStandings(("anna", "bert", "carl"), EARLIER.copy(), anchor)


def wins_and_losses(live_standings: LiveStandings) -> dict[str, tuple[int, int]]:
    return {standing.bot: (standing.wins, standing.losses) for standing in live_standings.standings}


def test_earlier_results_count() -> None:
    assert wins_and_losses(make_live_standings()) == {
        "anna": (3, 0),
        "bert": (0, 3),
        "carl": (0, 0),
    }


def test_finished_matches_are_counted() -> None:
    live_standings = make_live_standings()
    live_standings.finished(make_record(make_pairing(players=("anna", "carl")), 2))
    live_standings.finished(
        make_record(make_pairing(players=("anna", "carl")), 2, Termination.TIMEOUT)
    )
    assert wins_and_losses(live_standings) == {"carl": (2, 0), "anna": (3, 2), "bert": (0, 3)}


def test_aborted_matches_do_not_count() -> None:
    live_standings = make_live_standings()
    live_standings.finished(make_aborted_record())
    assert wins_and_losses(live_standings)["anna"] == (3, 0)


def test_casual_matches_do_not_count() -> None:
    live_standings = make_live_standings()
    live_standings.finished(make_record(make_casual_pairing()))
    assert wins_and_losses(live_standings)["anna"] == (3, 0)


def test_ratings_of_earlier_results() -> None:
    assert make_live_standings().ratings.elo == rate(EARLIER).elo


def test_ratings_are_recomputed_after_a_match() -> None:
    live_standings = make_live_standings()
    before = live_standings.ratings
    assert live_standings.ratings is before
    live_standings.finished(make_record())
    assert live_standings.ratings.elo["anna"] > before.elo["anna"]


def test_the_anchor_keeps_its_rating() -> None:
    assert make_live_standings(("bert", 1500)).ratings.elo["bert"] == 1500


def test_standings_are_ordered_by_rating() -> None:
    live_standings = make_live_standings()
    for _ in range(9):
        live_standings.finished(make_record(winner=2))
    assert [standing.bot for standing in live_standings.standings] == ["bert", "anna", "carl"]


def test_each_result_is_rated_once() -> None:
    live_standings = make_live_standings()
    tally = EARLIER.copy()
    for winner in (1, 2, 1):
        record = make_record(winner=winner)
        assert record.rated_result
        live_standings.finished(record)
        tally[record.rated_result] += 1
        assert live_standings.ratings.elo == pytest.approx(rate(tally).elo, abs=1e-6)


def test_a_match_may_end_while_ratings_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, a separate thread renders the table."""
    live_standings = make_live_standings()
    pending: list[MatchRecord] = [make_record()]
    rate_quickly = Rater.rate

    def rate_slowly(rater: Rater) -> Ratings:
        if pending:
            live_standings.finished(pending.pop())
        return rate_quickly(rater)

    monkeypatch.setattr(Rater, "rate", rate_slowly)
    assert live_standings.ratings.elo == rate(EARLIER).elo
    assert live_standings.ratings.elo["anna"] > rate(EARLIER).elo["anna"]
