"""Histories of ratings: samples at even distances, the last of which is the rating of all."""

from collections import Counter

import pytest

from arena.model.results import RatedResult
from arena.ratings.bradley_terry import rate
from arena.ratings.history import SAMPLES, NumberedResult, rating_history
from tests.support.tournaments.rated_results import random_results, single_scores

BOTS = ("anna", "bert", "carl")
RESULTS: list[RatedResult] = random_results(BOTS, 1000)
NUMBERED: list[NumberedResult] = [(None, result) for result in RESULTS]


def test_the_last_sample_is_the_rating_of_all_results() -> None:
    last = rating_history(NUMBERED, 1000, BOTS, None)[-1]
    tally = Counter(RESULTS)
    ratings = rate(tally, single_scores(tally))
    assert last.matches == 1000
    for bot in BOTS:
        assert last.ratings[bot] == pytest.approx((ratings.elo[bot], ratings.margin(bot)), abs=1e-3)


def test_samples_are_at_even_distances() -> None:
    matches = [sample.matches for sample in rating_history(NUMBERED, 1000, BOTS, None)]
    assert matches == [*range(5, 1001, 5)]
    assert len(matches) == SAMPLES
    samples = rating_history(NUMBERED[:3], 3, BOTS, None)
    assert [sample.matches for sample in samples] == [1, 2, 3]


def test_a_bot_has_no_rating_before_its_first_match() -> None:
    results = [
        (None, RatedResult("anna", "bert", 1, RESULTS[0].termination)),
        (None, RatedResult("anna", "carl", 1, RESULTS[0].termination)),
    ]
    first, second = rating_history(results, 2, BOTS, None)
    assert ([*first.ratings], [*second.ratings]) == (["anna", "bert"], [*BOTS])


def test_bots_and_an_anchor_are_chosen() -> None:
    assert {*rating_history(NUMBERED, 1000, ["carl"], None)[-1].ratings} == {"carl"}
    samples = rating_history(NUMBERED, 1000, BOTS, ("anna", 1500))
    assert {sample.ratings["anna"][0] for sample in samples if "anna" in sample.ratings} == {1500}


def test_margins_are_based_on_pairs() -> None:
    results: list[NumberedResult] = []
    for number in range(1, 201, 2):  # the opening decides both matches of a pair
        winner = 1 + number // 2 % 2
        results.append((number, RatedResult("anna", "bert", winner, RESULTS[0].termination)))
        results.append((number + 1, RatedResult("bert", "anna", winner, RESULTS[0].termination)))
    tied = rating_history(results, 200, BOTS, None)[-1]
    independent = [(None, result) for _, result in results]
    singles = rating_history(independent, 200, BOTS, None)[-1]
    assert tied.ratings["anna"][1] < singles.ratings["anna"][1]
