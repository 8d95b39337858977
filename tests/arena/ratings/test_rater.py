"""Rater: ratings that are kept up to date, against matrices of all bots, and their history."""

from collections import Counter

import pytest
from hypothesis import given

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings import rate
from arena.ratings.rater import SAMPLES, NumberedResult, Rater, rating_history
from tests.arena.ratings.test_bradley_terry import extreme_tallies, tallies
from tests.support.cases import loop_over
from tests.support.tournaments.dense_ratings import dense_rate
from tests.support.tournaments.rated_results import random_results, single_scores

BOTS = [f"bot {number}" for number in range(60)]
TRIO = ("anna", "bert", "carl")
RESULTS: list[RatedResult] = random_results(TRIO, 400)
NUMBERED: list[NumberedResult] = [(None, result) for result in RESULTS]


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


@loop_over("matches", [40, 200, 1000])
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


def test_the_last_sample_is_the_rating_of_all_results() -> None:
    last = rating_history(NUMBERED[:60], 60, TRIO, None)[-1]
    tally = Counter(RESULTS[:60])
    ratings = rate(tally, single_scores(tally))
    assert last.matches == 60
    for bot in TRIO:
        assert last.ratings[bot] == pytest.approx((ratings.elo[bot], ratings.margin(bot)), abs=1e-3)


def test_samples_are_at_even_distances() -> None:
    matches = [sample.matches for sample in rating_history(NUMBERED, 400, TRIO, None)]
    assert matches == [*range(2, 401, 2)]
    assert len(matches) == SAMPLES
    samples = rating_history(NUMBERED[:3], 3, TRIO, None)
    assert [sample.matches for sample in samples] == [1, 2, 3]


def test_a_bot_has_no_rating_before_its_first_match() -> None:
    results = [
        (None, RatedResult("anna", "bert", 1, RESULTS[0].termination)),
        (None, RatedResult("anna", "carl", 1, RESULTS[0].termination)),
    ]
    first, second = rating_history(results, 2, TRIO, None)
    assert ([*first.ratings], [*second.ratings]) == (["anna", "bert"], [*TRIO])


def test_bots_and_an_anchor_are_chosen() -> None:
    assert {*rating_history(NUMBERED[:20], 20, ["carl"], None)[-1].ratings} == {"carl"}
    samples = rating_history(NUMBERED[:20], 20, TRIO, ("anna", 1500))
    assert {sample.ratings["anna"][0] for sample in samples if "anna" in sample.ratings} == {1500}


def test_margins_are_based_on_pairs() -> None:
    results: list[NumberedResult] = []
    for number in range(1, 41, 2):  # the opening decides both matches of a pair
        winner = 1 + number // 2 % 2
        results.append((number, RatedResult("anna", "bert", winner, RESULTS[0].termination)))
        results.append((number + 1, RatedResult("bert", "anna", winner, RESULTS[0].termination)))
    tied = rating_history(results, 40, TRIO, None)[-1]
    independent = [(None, result) for _, result in results]
    singles = rating_history(independent, 40, TRIO, None)[-1]
    assert tied.ratings["anna"][1] < singles.ratings["anna"][1]
