"""Variance of the gradient against loops over pairs; single solutions against the matrix of all."""

import math
from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from arena.model.results import MISSING, PairScore
from arena.ratings import likelihood as likelihood_module
from arena.ratings.bradley_terry import FIRST_MOVE
from arena.ratings.clusters import PairResult, count_scores, rate_pairs
from arena.ratings.crosstable import Crosstable, PairScores
from arena.ratings.likelihood import (
    PRIOR_CLUSTERS,
    VIRTUAL_PAIRS,
    Array,
    Covariance,
    Information,
    Likelihood,
    cluster_weights,
    gradient_variance,
)
from tests.support.cases import loop_over
from tests.support.tournaments.rated_results import random_results

BOTS = ["d", "a", "c", "b"]
FIFTEEN = [f"bot {number}" for number in range(15)]


def random_pairs(number: int, seed: int = 1) -> list[PairResult]:
    """Return pairs of random bots, some of them several times."""
    random = Random(seed)
    pairs = []
    for game in range(number):
        one, two = random.sample(BOTS, 2)
        points = random.choice([0.0, 0.5, 1.0]), random.choice([0.0, 0.5, 1.0])
        pair = PairResult((one, two), points, (2 * game, 2 * game + 1))
        pairs += [pair] * random.choice([1, 1, 3])
    return pairs


class Estimate:
    """Ratings of pairs, and what they are computed from."""

    def __init__(self, pairs: list[PairResult], unpaired: list[PairResult]) -> None:
        self.crosstable, self.scores = Crosstable(), PairScores()
        self.crosstable.add([result for pair in pairs for result in pair.results])
        self.crosstable.add([pair.results[0] for pair in unpaired])
        self.scores.replace(self.crosstable, count_scores(pairs))
        self.weights = cluster_weights(self.scores, self.crosstable)
        self.likelihood = Likelihood(self.crosstable, self.weights)
        start = np.zeros(len(self.crosstable.index) + 1)
        self.theta, _ = self.likelihood.maximum(start)

    @property
    def matrix(self) -> Array:
        variance = gradient_variance(self.likelihood, self.theta, self.scores, self.weights)
        return variance.matrix


def reference(pairs: list[PairResult], unpaired: list[PairResult], estimate: Estimate) -> Array:
    """Return the variance of the gradient by the formulas of the module, pair by pair."""
    index, theta = estimate.crosstable.index, estimate.theta

    def chance(bot: str, other: str, advantage: float) -> float:
        return 1 / (1 + math.exp(-(theta[index[bot]] - theta[index[other]] + advantage)))

    clusters = Counter((pair.bots, pair.points, pair.cluster) for pair in pairs)
    groups: dict[frozenset[str], list[tuple[float, ...]]] = {}
    for ((bot, other), points, _), times in clusters.items():
        expected = chance(bot, other, theta[-1]), chance(bot, other, -theta[-1])
        surplus = points[0] - expected[0], points[1] - expected[1]
        sides = [1 if index[bot] < index[other] else -1] * 2
        s, f = sides[0] * (surplus[0] + surplus[1]), surplus[0] - surplus[1]
        model = [share * (1 - share) for share in expected]
        skew = sides[0] * (model[0] - model[1])
        bots = frozenset((bot, other))
        copies = sum(frozenset(pair.bots) == bots for pair in pairs)
        different = sum(frozenset(key[0]) == bots for key in clusters)
        weight = times * different / copies
        row = weight**2 * s * s, weight**2 * f * f, weight**2 * s * f, weight * sum(model)
        groups.setdefault(bots, []).append((*row, weight * skew))
    total = len(clusters)
    model_sum = sum(row[3] for rows in groups.values() for row in rows)
    ratios = [
        (sum(row[place] for rows in groups.values() for row in rows) + 1) / (model_sum + 1)
        for place in (0, 1)
    ]
    size = len(theta)
    found = np.zeros((size, size))
    for bots, rows in groups.items():
        one, two = sorted(index[bot] for bot in bots)
        first, second = (next(bot for bot in bots if index[bot] == place) for place in (one, two))
        own = len(rows) / (len(rows) + PRIOR_CLUSTERS)
        sums = [sum(row[place] for row in rows) for place in range(5)]
        share = VIRTUAL_PAIRS * len(rows) / total
        even = chance(first, second, 0)
        prior = PRIOR_CLUSTERS / len(rows)
        rating = own * (sums[0] + prior * ratios[0] * sums[3])
        rating += 2 * share * (even**2 + (1 - even) ** 2)
        move = own * (sums[1] + prior * ratios[1] * sums[3]) + share
        both = own * (sums[2] + prior * math.sqrt(ratios[0] * ratios[1]) * sums[4])
        single = [pair for pair in unpaired if {*pair.bots} == bots]
        extra = 0.0
        for pair in single:
            expected_points = chance(*pair.bots, theta[-1])
            weight = len(rows) / sum(frozenset(pair.bots) == bots for pair in pairs)
            extra += weight * expected_points * (1 - expected_points)
        scale = 1 + extra / sums[3]
        found[[one, two], [one, two]] += rating * scale
        found[[one, two], [two, one]] -= rating * scale
        found[one, -1] += both * scale
        found[two, -1] -= both * scale
        found[-1, -1] += move * scale
    found[-1, :-1] = found[:-1, -1]
    estimates = size - 1
    return found * min(2, (total + 1) / (max(total - estimates, 0) + 1))


@loop_over("number", [3, 30, 300])
def test_variance_is_that_of_the_formulas(number: int) -> None:
    pairs = random_pairs(number)
    met = {frozenset(pair.bots) for pair in pairs}
    unpaired = [pair for pair in random_pairs(9, seed=2) if frozenset(pair.bots) in met]
    estimate = Estimate(pairs, unpaired)
    groups = estimate.likelihood.groups
    assert len({*groups.tolist()}) == 1
    assert estimate.matrix == pytest.approx(reference(pairs, unpaired, estimate), abs=1e-9)


def test_bots_without_a_pair_have_the_mean_dispersion() -> None:
    pairs = [PairResult(("a", "b"), (1.0, 0.0), (2 * n, 2 * n + 1)) for n in range(50)]
    pairs += [PairResult(("a", "b"), (0.0, 1.0), (-2 * n, -2 * n - 1)) for n in range(1, 51)]
    half = PairResult(("b", "c"), (1.0, 0.0), ("x", "y"))
    estimate = Estimate(pairs, [half])
    matrix, place = estimate.matrix, estimate.crosstable.index["c"]
    independent = estimate.likelihood.information(estimate.theta).matrix[place, place]
    assert 0 < matrix[place, place] < 0.1 * independent


def test_dispersion_without_or_with_deciding_pairs() -> None:
    estimate = Estimate([], random_pairs(40))
    information = estimate.likelihood.information(estimate.theta).matrix
    assert estimate.matrix.tolist() == information.tolist()
    """A bot that wins with one side and loses with the other is as strong as its opponent."""
    tied = [PairResult(("a", "b"), (n % 2, n % 2), (2 * n, 2 * n + 1)) for n in range(200)]
    mixed = [PairResult(("a", "b"), (n % 2, 1 - n % 2), (2 * n, 2 * n + 1)) for n in range(200)]
    narrow, wide = rate_pairs(mixed).margin("a"), rate_pairs(tied).margin("a")
    assert 5 * narrow < wide


def test_a_match_outside_of_pairs_is_a_cluster() -> None:
    crosstable, scores = Crosstable(), PairScores()
    crosstable.add([("a", "b", 1, ""), ("b", "a", 1, "")])
    scores.replace(
        crosstable,
        [PairScore("a", "b", 2, MISSING, 1, 1, 1), PairScore("a", "b", MISSING, 0, 1, 1, 1)],
    )
    weights = cluster_weights(scores, crosstable)
    likelihood = Likelihood(crosstable, weights)
    theta, _ = likelihood.maximum(np.zeros(3))
    matrix = gradient_variance(likelihood, theta, scores, weights).matrix
    assert weights.tolist() == [1.0]
    assert matrix[0, 0] > 0


def test_single_variances_are_those_of_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    crosstable = Crosstable()
    crosstable.add(random_results(FIFTEEN, 100))
    crosstable.add(random_results([f"other {bot}" for bot in FIFTEEN], 100))
    likelihood = Likelihood(crosstable)
    theta, _ = likelihood.maximum(np.zeros(len(crosstable.index) + 1))
    factors = [{FIRST_MOVE: 1.0}] + [{bot: 1.0} for bot in range(len(theta) - 1)]
    factors += [{one: 1.0, two: -1.0} for one, two in combinations(range(len(theta) - 1), 2)]
    information = likelihood.information(theta)
    variance = Information(
        likelihood.players,
        likelihood.groups,
        1 + np.random.default_rng(1).random(likelihood.players.shape[1:]),
        np.append(np.zeros(len(theta) - 1), information.matrix[-1, -1:]),
    )
    matrix = Covariance(likelihood, theta, lambda: variance)
    expected = [matrix.variance(each) for each in factors]
    monkeypatch.setattr(likelihood_module, "MATRIX_BOTS", 0)
    single = Covariance(likelihood, theta, lambda: variance)
    assert [single.variance(each) for each in factors] == pytest.approx(expected)
    assert min(expected) > 0
