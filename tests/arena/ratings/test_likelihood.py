"""Likelihood: its derivatives against differences of its values, solutions against matrices."""

import math

import numpy as np
import pytest

from arena.model.results import RatedResult, Termination
from arena.ratings import likelihood as likelihood_module
from arena.ratings.crosstable import Crosstable
from arena.ratings.likelihood import Array, Likelihood, centred
from tests.support.tournaments.rated_results import random_results

BOTS = [f"bot {number}" for number in range(9)]
RESULTS = random_results(BOTS, 60)


def make_crosstable(results: list[RatedResult]) -> Crosstable:
    crosstable = Crosstable()
    crosstable.add(results)
    return crosstable


def log_likelihood(crosstable: Crosstable, theta: Array) -> float:
    """Return the log-likelihood of RESULTS with the virtual draws, from its definition."""

    def log_chance(logit: float) -> float:
        return -math.log1p(math.exp(-logit))

    def drawn(logit: float) -> float:
        return (log_chance(logit) + log_chance(-logit)) / 4

    total = drawn(theta[-1])
    for first, second in crosstable.players.T:
        total += drawn(theta[first] - theta[second])
    for result in RESULTS:
        index = crosstable.index
        ahead = theta[index[result.one]] + theta[-1] - theta[index[result.two]]
        total += result.points[0] * log_chance(ahead) + result.points[1] * log_chance(-ahead)
    return total


def derivative(function: object, theta: Array) -> Array:
    """Return the central differences of a function of theta."""
    assert callable(function)
    steps = 1e-5 * np.eye(len(theta))
    return np.array([(function(theta + step) - function(theta - step)) / 2e-5 for step in steps])


@pytest.fixture
def theta() -> Array:
    return np.random.default_rng(1).normal(size=len(BOTS) + 1)


@pytest.fixture(params=[7, 8192])
def part(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the pairs in several parts, or in one."""
    monkeypatch.setattr(likelihood_module, "PART", request.param)


@pytest.mark.usefixtures("part")
def test_derivatives_of_the_likelihood(theta: Array) -> None:
    crosstable = make_crosstable(RESULTS)
    expected = derivative(lambda at: log_likelihood(crosstable, at), theta)
    assert Likelihood(crosstable).gradient(theta) == pytest.approx(expected, abs=1e-6)
    likelihood = Likelihood(make_crosstable(RESULTS))
    expected = -derivative(likelihood.gradient, theta)
    assert likelihood.information(theta).matrix == pytest.approx(expected, abs=1e-6)


@pytest.mark.usefixtures("part")
@pytest.mark.parametrize("dense", [0, 8])
def test_the_matrix_product(theta: Array, dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood_module, "DENSE", dense)
    information = Likelihood(make_crosstable(RESULTS)).information(theta)
    assert information.product(theta) == pytest.approx(information.matrix @ theta)


def test_solution_is_centred_in_each_group(theta: Array) -> None:
    others = [result._replace(one=f"x{result.one}", two=f"x{result.two}") for result in RESULTS]
    likelihood = Likelihood(make_crosstable([*RESULTS, *others]))
    both = np.concatenate([theta[:-1], theta[:-1], theta[-1:]])
    information, groups = likelihood.information(both), likelihood.groups
    right = centred(np.arange(len(both), dtype=float), groups)
    solution = information.solve(right, 1e-12)
    assert information.product(solution) == pytest.approx(right, abs=1e-9)
    assert np.bincount(groups, solution[:-1]) == pytest.approx(0, abs=1e-9)


def test_solutions_take_few_iterations(theta: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood_module, "MAX_ITERATIONS", 1)
    likelihood = Likelihood(make_crosstable(RESULTS))
    right = likelihood.gradient(theta)
    information = likelihood.information(theta)
    solution = information.solve(right, 0.0)
    assert information.product(solution) == pytest.approx(centred(right, likelihood.groups))


def test_expected_scores_are_those_of_the_model(theta: Array) -> None:
    crosstable = make_crosstable(RESULTS)
    scores = Likelihood(crosstable).expected_scores(theta)
    for (first, second), (as_first, as_second) in zip(crosstable.players.T, scores.T, strict=True):
        ahead = theta[first] - theta[second]
        assert as_first == pytest.approx(1 / (1 + math.exp(-ahead - theta[-1])))
        assert as_second == pytest.approx(1 / (1 + math.exp(-ahead + theta[-1])))


def test_weight_2_counts_every_match_twice(theta: Array) -> None:
    once, twice = make_crosstable(RESULTS), make_crosstable([*RESULTS, *RESULTS])
    weighted = Likelihood(once, np.full(once.players.shape[1], 2.0))
    assert weighted.gradient(theta) == pytest.approx(Likelihood(twice).gradient(theta))


def test_the_maximum_has_no_gradient_whatever_the_start(theta: Array) -> None:
    likelihood = Likelihood(make_crosstable(RESULTS))
    expected, _ = likelihood.maximum(np.zeros(len(BOTS) + 1))
    assert likelihood.gradient(expected) == pytest.approx(0, abs=1e-7)
    assert likelihood.maximum(20 * theta)[0] == pytest.approx(expected, abs=1e-7)


def test_results_added_later_do_not_count() -> None:
    crosstable = make_crosstable(RESULTS)
    likelihood = Likelihood(crosstable)
    before, _ = likelihood.maximum(np.zeros(len(BOTS) + 1))
    crosstable.add([RatedResult("new", BOTS[0], 1, Termination.TIMEOUT), *RESULTS])
    after, _ = likelihood.maximum(np.zeros(len(BOTS) + 1))
    assert after.tolist() == before.tolist()
