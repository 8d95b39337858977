"""Model of pairs of matches with openings that favour a side, for simulations.

In each pair the opening favours one of the sides by the same number of Elo; which one is random.
"""

import math
from collections.abc import Callable, Sequence

from arena.ratings.bradley_terry import ELO_PER_LOGIT
from arena.ratings.sprt import NELO_PER_T

STEPS = 60  # of bisection
LARGEST = 4000.0  # Elo difference


def pair_distribution(elo: float, bias: float = 0, draws: float = 0) -> list[float]:
    """Return the probabilities of a bot's scores in a pair: 0, 1/2, 1, 3/2 and 2 points.

    Args:
        elo: Elo difference of the bot from an unbiased opening.
        bias: Advantage of the favoured side in Elo.
        draws: Draws in proportion to the most that the expected score allows.
    """
    one, two = _match(elo + bias, draws), _match(elo - bias, draws)
    chances = [0.0] * 5
    for i, first in enumerate(one):
        for j, second in enumerate(two):
            chances[i + j] += first * second
    return chances


def _match(elo: float, draws: float) -> tuple[float, float, float]:
    """Return the probabilities of a loss, a draw and a win."""
    score = expected_score(elo)
    drawn = 2 * draws * min(score, 1 - score)
    return 1 - score - drawn / 2, drawn, score - drawn / 2


def expected_score(elo: float) -> float:
    """Return the expected score of a match for an Elo difference."""
    return 1 / (1 + math.pow(10, -elo / 400))


def moments(chances: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the variance of the score of a pair, as a share of its points."""
    mean = sum(p * place / 4 for place, p in enumerate(chances))
    return mean, sum(p * (place / 4 - mean) ** 2 for place, p in enumerate(chances))


def true_elo(chances: Sequence[float]) -> float:
    """Return the Elo difference of a distribution, that of its mean score."""
    mean, _ = moments(chances)
    return ELO_PER_LOGIT * math.log(mean / (1 - mean))


def true_nelo(chances: Sequence[float]) -> float:
    """Return the difference of a distribution in normalised Elo."""
    mean, variance = moments(chances)
    return (mean - 0.5) / math.sqrt(variance) * NELO_PER_T


def distribution_with(
    measure: Callable[[Sequence[float]], float], value: float, bias: float, draws: float
) -> list[float]:
    """Return the distribution of an Elo difference such that an increasing measure has a value."""
    low, high = -LARGEST, LARGEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        below = measure(pair_distribution(middle, bias, draws)) < value
        low, high = (middle, high) if below else (low, middle)
    return pair_distribution(low, bias, draws)
