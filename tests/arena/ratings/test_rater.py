"""Rater: ratings that are kept up to date, against matrices of all bots."""

import pytest
from hypothesis import given

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings.bradley_terry import rate
from arena.ratings.rater import Rater
from tests.arena.ratings.test_bradley_terry import extreme_tallies, tallies
from tests.support.cases import loop_over
from tests.support.tournaments.dense_ratings import dense_rate
from tests.support.tournaments.rated_results import random_results

BOTS = [f"bot {number}" for number in range(60)]


def assert_equal(tally: Tally, rater: Rater) -> None:
    """Compare the ratings of a rater with those of the reference."""
    ratings, expected = rater.rate(), dense_rate(tally)
    # Of few matches beside a million, the reference itself is not more exact.
    assert ratings.elo == pytest.approx(expected.elo, abs=1e-5, rel=1e-8)
    assert ratings.first_move == pytest.approx(expected.first_move, abs=1e-5)
    margins = [*map(ratings.margin, ratings.bots), ratings.first_move_margin]
    assert margins == pytest.approx(expected.margins(), rel=1e-5, abs=1e-5)


@given(tallies)
def test_ratings_agree_with_the_reference(tally: Tally) -> None:
    rater = Rater()
    rater.add(tally.keys(), tally.values())
    assert_equal(tally, rater)


@given(extreme_tallies)
def test_extreme_ratings_agree_with_the_reference(tally: Tally) -> None:
    rater = Rater()
    rater.add(tally.keys(), tally.values())
    assert_equal(tally, rater)


@loop_over("matches", [40, 200, 5000])
def test_ratings_after_many_updates_agree_with_the_reference(matches: int) -> None:
    results, rater = random_results(BOTS, matches), Rater()
    size = matches // 20
    for begin in range(0, matches, size):
        rater.add(results[begin : begin + size])
        rater.rate()
    ratings, expected = rater.rate(), dense_rate(Tally(results))
    assert ratings.elo == pytest.approx(expected.elo, abs=1e-6)
    assert ratings.first_move == pytest.approx(expected.first_move, abs=1e-6)


def test_results_that_connect_groups_agree_with_the_reference() -> None:
    groups = [[f"{name} {number}" for number in range(6)] for name in "abcd"]
    results, rater = [], Rater()
    for group in groups:
        results += random_results(group, 30)
    results += random_results([bot for group in groups for bot in group], 12)
    for result in results:
        rater.add([result])
        ratings = rater.rate()
    assert ratings.elo == pytest.approx(dense_rate(Tally(results)).elo, abs=1e-6)


def test_anchor_is_ignored_until_it_plays() -> None:
    rater = Rater(("ann", 1000.0))
    rater.add([RatedResult("bob", "cat", 1, Termination.NO_LEGAL_MOVE)])
    assert sum(rater.rate().elo.values()) == pytest.approx(0)
    rater.add([RatedResult("ann", "cat", 1, Termination.NO_LEGAL_MOVE)])
    assert rater.rate().elo["ann"] == 1000.0


def test_earlier_ratings_keep_their_margins() -> None:
    results, rater = random_results(BOTS, 200), Rater()
    rater.add(results)
    earlier = rater.rate()
    rater.add([*results, RatedResult("new", BOTS[0], 1, Termination.NO_LEGAL_MOVE)])
    later = rater.rate()
    assert earlier.margin(BOTS[0]) == pytest.approx(rate(Tally(results)).margin(BOTS[0]))
    assert later.margin(BOTS[0]) < earlier.margin(BOTS[0])
