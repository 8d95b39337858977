"""Ratings from pairs: their intervals hold the truth in 95 % of simulated tournaments."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, count
from random import Random

import pytest

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings.bradley_terry import ELO_PER_LOGIT, Ratings, rate
from arena.ratings.clusters import PairResult, Share, number_clusters, rate_pairs, share_of_player_1
from arena.ratings.regression import slope_of_ratings

BOTS, PLY, FIRST_MOVE = 3, 60.0, -40.0  # each bot is 60 Elo stronger than the one before
TOURNAMENTS = 250
NAMES = [f"bot {index}" for index in range(BOTS)]


def expected(ahead: float) -> float:
    return 1 / (1 + math.exp(-ahead / ELO_PER_LOGIT))


def simulate(
    random: Random, pairs: int, dependence: float, copies: Callable[[], int]
) -> list[PairResult]:
    """Play a tournament.

    With a negative `dependence`, a bot that wins one match of a pair often loses the other one, as
    if the opening decided; with a positive one, it often wins both.
    """
    numbers, results = count(), []
    for one, two in combinations(range(BOTS), 2):
        ahead = PLY * (one - two)
        for _ in range(pairs):
            luck, other = random.random(), random.random()
            if random.random() < abs(dependence):
                other = luck if dependence > 0 else 1 - luck
            points = (
                float(luck < expected(ahead + FIRST_MOVE)),
                float(other < expected(ahead - FIRST_MOVE)),
            )
            pair = PairResult((NAMES[one], NAMES[two]), points, (next(numbers), next(numbers)))
            results += [pair] * copies()
    return results


def true_share() -> float:
    shares = [
        (expected(ahead + FIRST_MOVE) + 1 - expected(ahead - FIRST_MOVE)) / 2
        for one, two in combinations(range(BOTS), 2)
        for ahead in [PLY * (one - two)]
    ]
    return sum(shares) / len(shares)


def hits(ratings: Ratings) -> Iterator[bool]:
    """Yield for every two bots whether the interval of their difference holds the true one."""
    for one, two in combinations(range(BOTS), 2):
        difference, margin = ratings.difference(NAMES[one], NAMES[two])
        yield abs(difference - PLY * (one - two)) <= margin


@pytest.mark.slow
@pytest.mark.unmeasured
def test_intervals_hold_the_truth_in_95_percent() -> None:
    random = Random(7)
    differences: list[bool] = []
    slopes: list[bool] = []
    shares: list[bool] = []
    for dependence, most_copies in ((-0.8, 1), (0.0, 1), (0.8, 1), (-0.8, 9)):
        for _ in range(TOURNAMENTS):
            copies = partial(random.randint, 1, most_copies)
            pairs = simulate(random, 40, dependence, copies)
            ratings = rate_pairs(pairs)
            differences += hits(ratings)
            slope = slope_of_ratings(ratings, {name: float(NAMES.index(name)) for name in NAMES})
            slopes.append(abs(slope.value - PLY) <= slope.margin)
            share = share_of_player_1(pairs)
            shares.append(abs(share.value - true_share()) <= share.margin)
    for held in (differences, slopes, shares):
        assert 0.93 <= sum(held) / len(held) <= 0.97


def share_held_without_pairs(dependence: float) -> float:
    """Return how often the intervals of independent matches hold the truth."""
    random, held = Random(7), list[bool]()
    for _ in range(TOURNAMENTS):
        pairs = simulate(random, 40, dependence, lambda: 1)
        results = [result for pair in pairs for result in pair.results]
        end = Termination.NO_LEGAL_MOVE
        held += hits(rate(Tally(RatedResult(one, two, won, end) for one, two, won, _ in results)))
    return sum(held) / len(held)


@pytest.mark.unmeasured
def test_margins_that_ignore_pairs_are_wrong() -> None:
    assert share_held_without_pairs(0.8) < 0.93
    assert share_held_without_pairs(-0.8) > 0.97


def test_copies_change_neither_ratings_nor_margins() -> None:
    pairs = simulate(Random(1), 6, -0.5, lambda: 1)
    once, often = rate_pairs(pairs), rate_pairs(pairs * 50)
    for bot in NAMES:
        assert often.elo[bot] == pytest.approx(once.elo[bot], abs=1e-4)
        assert often.margin(bot) == pytest.approx(once.margin(bot), rel=1e-4)
    assert often.first_move == pytest.approx(once.first_move, abs=1e-4)
    assert often.first_move_margin == pytest.approx(once.first_move_margin, rel=1e-4)
    assert share_of_player_1(pairs * 50) == pytest.approx(share_of_player_1(pairs))


def test_unknown_intervals() -> None:
    pair = PairResult(("anna", "bert"), (1.0, 1.0), ("game", "other game"))
    ratings = rate_pairs([pair] * 100)
    assert ratings.elo["anna"] > 0
    assert ratings.margin("anna") == math.inf
    assert share_of_player_1([pair] * 100) == Share(0.5, math.inf)
    pairs = [PairResult(("anna", "bert"), (float(n), float(n)), (n, n)) for n in (0, 1)]
    pairs.append(PairResult(("anna", "bert"), (1.0, 0.0), (2, 3)))
    assert share_of_player_1(pairs).margin == math.inf
    assert rate_pairs([]).elo == {}


def test_intervals_of_even_results() -> None:
    pairs = [PairResult(("anna", "bert"), (n % 2, 1 - n % 2), (n, -n)) for n in range(1, 101)]
    ratings = rate_pairs(pairs)
    assert ratings.elo["anna"] == pytest.approx(0)
    assert 1 < ratings.margin("anna") < 20
    pairs = [PairResult(("anna", "bert"), (1.0, 0.0), (n, -n)) for n in range(1, 101)]
    assert rate_pairs(pairs).margin("anna") > 100
    assert 0.005 < share_of_player_1(pairs).margin < 0.05


def test_margin_of_the_share_of_player_1_is_as_computed_by_hand() -> None:
    won, drawn = (1.0, 0.0), (1.0, 1.0)  # by player 1, as points of the first bot
    results = [(won, "a"), (won, "a"), (drawn, "b"), (won, "c"), (won, "d")]
    pairs = [PairResult(("anna", "bert"), points, (game, game)) for points, game in results]
    residuals = 0.2**2 + 0.4**2 + 0.1**2 + 0.1**2  # of the clusters, from the mean of 0.9
    virtual = 0.5 * (4 + 1 + 1 + 1) / 4 * (0.9**2 + 0.1**2) / 2
    student_t = 3.182  # of three degrees of freedom, from a table
    margin = student_t * math.sqrt((residuals + virtual) * 4 / 3) / 5
    assert share_of_player_1(pairs) == pytest.approx(Share(0.9, margin), rel=1e-6)


def test_orders_and_draws() -> None:
    there = PairResult(("anna", "bert"), (1.0, 0.0), ("x", "y"))
    back = PairResult(("bert", "anna"), (1.0, 0.0), ("y", "x"))
    assert number_clusters([there, back, there]).tolist() == [0, 0, 0]
    pairs = [PairResult(("anna", "bert"), (1.0, 0.5), (n, -n)) for n in range(1, 21)]
    ratings = rate_pairs(pairs, anchor=("bert", 100.0))
    assert ratings.elo["bert"] == 100
    assert ratings.elo["anna"] > 200
    assert share_of_player_1(pairs).value == 0.75
    few, many = (rate_pairs(simulate(Random(1), pairs, 0.0, lambda: 1)) for pairs in (10, 90))
    assert many.margin(NAMES[0]) == pytest.approx(few.margin(NAMES[0]) / 3, rel=0.25)
