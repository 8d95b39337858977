"""Covariance: single solutions against the matrix of all."""

from itertools import combinations

import numpy as np
import pytest

from arena.ratings import covariance as covariance_module
from arena.ratings.bradley_terry import FIRST_MOVE
from arena.ratings.covariance import Covariance
from arena.ratings.crosstable import Crosstable
from arena.ratings.likelihood import Information, Likelihood
from tests.support.tournaments.rated_results import random_results

BOTS = [f"bot {number}" for number in range(15)]


def test_single_variances_are_those_of_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    crosstable = Crosstable()
    crosstable.add(random_results(BOTS, 100))
    crosstable.add(random_results([f"other {bot}" for bot in BOTS], 100))
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
    monkeypatch.setattr(covariance_module, "MATRIX_BOTS", 0)
    single = Covariance(likelihood, theta, lambda: variance)
    assert [single.variance(each) for each in factors] == pytest.approx(expected)
    assert min(expected) > 0
