"""Size of batches: long enough that the work between processes is small beside them. Pure."""

import math
from collections.abc import Sequence

from arena.ratings.sprt import SequentialTest

TARGET_SECONDS = 0.2  # of a batch
MAX_MATCHES = 4000  # of a batch
GROWTH = 2  # of a batch over the largest one so far
WEIGHT = 0.3  # of the latest batch in the estimated time of a match

CERTAINTY = 2.0  # standard deviations
PRIOR_COUNT = 1  # virtual pairs of each score, so that few pairs do not look certain


class BatchSize:
    """Number of matches that take about `TARGET_SECONDS`; it starts at 1."""

    def __init__(self) -> None:
        self._seconds_per_match = 0.0
        self._largest = 0

    def add(self, matches: int, seconds: float) -> None:
        """Learn from a batch how long matches take."""
        seconds_per_match = seconds / matches
        if self._largest:
            seconds_per_match += (1 - WEIGHT) * (self._seconds_per_match - seconds_per_match)
        self._seconds_per_match = seconds_per_match
        self._largest = max(self._largest, matches)

    @property
    def matches(self) -> int:
        """The number of matches of the next batch."""
        limit = min(MAX_MATCHES, max(1, GROWTH * self._largest))
        if self._seconds_per_match * limit <= TARGET_SECONDS:
            return limit
        return max(1, int(TARGET_SECONDS / self._seconds_per_match))


def in_flight_limit(test: SequentialTest) -> int:
    """Return a number of matches that can be in flight: a test will hardly end before they do.

    The log-likelihood ratio moves by a step with each pair. After N more pairs, it has moved by at
    most about N (m + e) + z s sqrt(N), where m and s are the mean and the standard deviation of the
    steps so far, e is the standard error of the mean, and z is `CERTAINTY`. The limit is the N at
    which that reaches a bound, as matches, at least 2.
    """
    mean, deviation, error = _steps(test)
    lower, upper = test.sprt.bounds
    llr = test.llr
    pairs = min(
        _pairs_to(upper - llr, mean + error, CERTAINTY * deviation),
        _pairs_to(llr - lower, error - mean, CERTAINTY * deviation),
    )
    return 2 * max(1, int(pairs))


def _steps(test: SequentialTest) -> tuple[float, float, float]:
    """Return the mean of what a pair adds to the ratio, its standard deviation and its error."""
    counts = [count + PRIOR_COUNT for count in test.counts]
    total = sum(counts)
    llr = test.sprt.llr(counts)
    steps = [test.sprt.llr(_with_one_more(counts, place)) - llr for place in range(len(counts))]
    mean = sum(n * step for n, step in zip(counts, steps, strict=True)) / total
    variance = sum(n * (step - mean) ** 2 for n, step in zip(counts, steps, strict=True)) / total
    return mean, math.sqrt(variance), math.sqrt(variance / total)


def _with_one_more(counts: Sequence[int], place: int) -> list[int]:
    return [count + (index == place) for index, count in enumerate(counts)]


def _pairs_to(distance: float, mean: float, spread: float) -> float:
    """Return the smallest N with N mean + sqrt(N) spread >= distance, infinity without one.

    It is the square of the smaller positive root of mean x^2 + spread x = distance.
    """
    square = spread**2 + 4 * mean * distance
    if distance <= 0 or square < 0:
        return 0.0 if distance <= 0 else math.inf
    return (2 * distance / (spread + math.sqrt(square))) ** 2
