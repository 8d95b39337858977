"""Maximum likelihood of the scores of pairs of matches under a hypothesis about their distribution.

The scores a_i are evenly spaced from 0 to 1, and n_i of N pairs have the score a_i. Nothing else is
known about the distribution: each p_i is free, apart from the hypothesis.

A hypothesis of the form "the mean of some f_i is 0" has a maximum in closed form but for one number
(Van den Bergh, support_MLE_multinomial.pdf, proposition 1.1, www.cantate.be/Fishtest):

    p_i = n_i / N / (1 + x f_i),  x such that sum of p_i f_i = 0

All log-likelihoods are relative to the maximum without a hypothesis. The counts are above 0.
"""

import math
from collections.abc import Sequence

TOLERANCE = 1e-12  # relative size of the last step of Newton's method
SPREAD_TOLERANCE = 1e-9  # of the spread; its square counts, as the likelihood has an extremum there
BISECTION_INTERVAL = 3  # steps of the secant method, so that the interval shrinks for certain


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
