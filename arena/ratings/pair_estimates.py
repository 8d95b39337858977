"""Likelihood of the scores of pairs of matches, and estimates of the difference of two bots.

The scores a_i are evenly spaced from 0 to 1, and n_i of N pairs have the score a_i. Nothing else is
known about the distribution: each p_i is free, apart from a hypothesis about it.

A hypothesis of the form "the mean of some f_i is 0" has a maximum of the likelihood in closed form
but for one number (Van den Bergh, support_MLE_multinomial.pdf, proposition 1.1,
www.cantate.be/Fishtest):

    p_i = n_i / N / (1 + x f_i),  x such that sum of p_i f_i = 0

All log-likelihoods are relative to the maximum without a hypothesis. The counts are above 0.

The estimates are based on the mean m and the variance v of the scores of N pairs, which include a
virtual pair (see VIRTUAL_PAIRS): it keeps all numbers finite and the margins above 0, and intervals
of few pairs from being too short. The margins are halves of 95 % intervals, by the delta method;
their coverage is that of `python -m bench.ratings.intervals`. After a sequential test, an estimate
is biased towards the accepted hypothesis.
"""

import math
from collections.abc import Sequence

from arena.ratings.bradley_terry import ELO_PER_LOGIT, Z_95

TOLERANCE = 1e-12  # relative size of the last step of Newton's method
SPREAD_TOLERANCE = 1e-9  # of the spread; its square counts, as the likelihood has an extremum there
BISECTION_INTERVAL = 3  # steps of the secant method, so that the interval shrinks for certain
NELO_PER_T = 800 / math.log(10) / math.sqrt(2)  # by the standard deviation of a pair, not a match
VIRTUAL_PAIRS = 1.0  # half of them won twice, half of them lost twice


def mean_log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Return the maximum log-likelihood of the counts if the mean score is `mean`."""
    deviations = [score - mean for score in pair_scores(len(counts))]
    return _log_likelihood(counts, deviations, _multiplier(counts, deviations))


def t_value_log_likelihood(counts: Sequence[float], t: float) -> float:
    """Return the maximum log-likelihood of the counts if (mean - 1/2) / standard deviation is `t`.

    With b_i = 2 a_i - 1 and u = t / sqrt(1 + t^2), the hypothesis is that the mean of the b_i is
    u r, where the spread r is the root of the mean of the b_i^2. Since r is the minimum of
    (s + r^2 / s) / 2 over s, attained at s = r, the maximum is that of a linear hypothesis:

        f_i = b_i - u (s + b_i^2 / s) / 2,  s such that sum of p_i b_i^2 = s^2

    This is section 4.1 of Van den Bergh, normalized_elo_practical.pdf, with a single unknown s in
    place of the mean and the standard deviation. If five scores strongly contradict a t of more
    than about 0.4, several s are possible; the result is the likelihood for one of them.
    """
    u = t / math.hypot(1, t)
    places = [2 * score - 1 for score in pair_scores(len(counts))]
    # At `low` and below, all f_i have the same sign.
    low = min(b for b in places if b > 0) * abs(u) / (1 + math.sqrt(1 - u * u))
    high = 1.0
    s = _spread(counts, places)
    s = s if s > low else (low + high) / 2
    previous = math.nan, math.nan
    step = 0
    while True:
        step += 1
        values = [b - u / 2 * (s + b * b / s) for b in places]
        x = _multiplier(counts, values)
        weights = [n / (1 + x * f) for n, f in zip(counts, values, strict=True)]
        excess = _spread(weights, places) - s
        if abs(excess) < SPREAD_TOLERANCE or high - low < SPREAD_TOLERANCE:
            return _log_likelihood(counts, values, x)
        low, high = (s, high) if excess > 0 else (low, s)
        target = _secant_root(previous, (s, excess))
        previous = s, excess
        s = target if low < target < high and step % BISECTION_INTERVAL else (low + high) / 2


def pair_scores(number: int) -> list[float]:
    """Return a number of scores, evenly spaced from 0 to 1."""
    return [place / (number - 1) for place in range(number)]


def _spread(weights: Sequence[float], places: Sequence[float]) -> float:
    """Return the root of the weighted mean of the squares."""
    squares = sum(w * b * b for w, b in zip(weights, places, strict=True))
    return math.sqrt(squares / sum(weights))


def _secant_root(previous: tuple[float, float], last: tuple[float, float]) -> float:
    """Return the root of the line through two points; without two, a step of the fixed point."""
    (s0, excess0), (s1, excess1) = previous, last
    if math.isnan(s0) or excess0 == excess1:
        return s1 + excess1
    return s1 - excess1 * (s1 - s0) / (excess1 - excess0)


def _log_likelihood(counts: Sequence[float], values: Sequence[float], x: float) -> float:
    return -sum(n * math.log1p(x * f) for n, f in zip(counts, values, strict=True))


def _multiplier(counts: Sequence[float], values: Sequence[float]) -> float:
    """Return the x of the formula above, by Newton's method with bisection as a fallback.

    It is the root of a decreasing function, in an interval given by p_i <= 1.
    """
    total = sum(counts)
    low = max((n / total - 1) / f for n, f in zip(counts, values, strict=True) if f > 0)
    high = min((n / total - 1) / f for n, f in zip(counts, values, strict=True) if f < 0)
    x, step = 0.0, 1.0
    while abs(step) > TOLERANCE * (1 + abs(x)):
        tilted = [f / (1 + x * f) for f in values]
        value = sum(n * t for n, t in zip(counts, tilted, strict=True))
        slope = sum(n * t * t for n, t in zip(counts, tilted, strict=True))
        target = x + value / slope
        inside = low < target < high
        low, high = (x, high) if value > 0 else (low, x)
        step = (target if inside else (low + high) / 2) - x
        x += step
    return x


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
