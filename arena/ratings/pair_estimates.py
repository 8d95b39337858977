"""Estimates of the difference between two bots, from the scores of their pairs of matches.

They are based on the mean m and the variance v of the scores of N pairs, which include a virtual
pair (see VIRTUAL_PAIRS): it keeps all numbers finite and the margins above 0, and intervals of few
pairs from being too short. The margins are halves of 95 % intervals, by the delta method; their
coverage is that of `python -m bench.ratings.intervals`. After a sequential test, an estimate is
biased towards the accepted hypothesis.
"""

import math
from collections.abc import Sequence

from arena.ratings.pair_likelihood import pair_scores

ELO_PER_LOGIT = 400 / math.log(10)  # Elo points per unit of the logistic function
NELO_PER_T = 800 / math.log(10) / math.sqrt(2)  # by the standard deviation of a pair, not a match
Z_95 = 1.959964  # standard deviations of the normal distribution on each side of 95 %
VIRTUAL_PAIRS = 1.0  # half of them won twice, half of them lost twice


def estimate_elo(counts: Sequence[int]) -> tuple[float, float]:
    """Return the estimated Elo difference of the first bot, and its margin.

        elo    = 400 log10(m / (1 - m))
        margin = 1.96 sqrt(v / N) 400 / ln(10) / (m (1 - m))

    Args:
        counts: The number of pairs of each score, as for `Sprt.llr`.
    """
    weights, scores = _weights(counts), pair_scores(len(counts))
    mean, variance = _moments(weights, scores)
    elo = ELO_PER_LOGIT * (math.log(mean) - math.log1p(-mean))
    error = math.sqrt(variance / sum(weights))
    return elo, Z_95 * error * ELO_PER_LOGIT / (mean * (1 - mean))


def estimate_nelo(counts: Sequence[int]) -> tuple[float, float]:
    """Return the estimated difference of the first bot in normalised Elo, and its margin.

        t      = (m - 1/2) / sqrt(v)
        nelo   = 800 / ln(10) / sqrt(2) t
        margin = 1.96 sqrt(w / N) 800 / ln(10) / sqrt(2)

    The variance w is that of z - t (z^2 - 1) / 2, where z = (score - m) / sqrt(v): the second term
    is due to the error of v. For small differences w is 1. `counts` is as for `estimate_elo`.
    """
    weights, scores = _weights(counts), pair_scores(len(counts))
    mean, variance = _moments(weights, scores)
    deviation = math.sqrt(variance)
    t = (mean - 0.5) / deviation
    standard = [(score - mean) / deviation for score in scores]
    _, spread = _moments(weights, [z - t * (z * z - 1) / 2 for z in standard])
    return NELO_PER_T * t, Z_95 * math.sqrt(spread / sum(weights)) * NELO_PER_T


def _weights(counts: Sequence[int]) -> list[float]:
    """Return the counts with the virtual pairs."""
    weights: list[float] = [*counts]
    weights[0] += VIRTUAL_PAIRS / 2
    weights[-1] += VIRTUAL_PAIRS / 2
    return weights


def _moments(weights: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the variance of weighted values."""
    total = sum(weights)
    mean = sum(w * value for w, value in zip(weights, values, strict=True)) / total
    squares = (w * (value - mean) ** 2 for w, value in zip(weights, values, strict=True))
    return mean, sum(squares) / total
