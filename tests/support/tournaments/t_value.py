"""Reference for tests in normalised Elo: the iteration of Van den Bergh, with mean and deviation.

It follows section 4.1 of normalized_elo_practical.pdf (www.cantate.be/Fishtest) by the letter, and
solves each equation by bisection.
"""

import math
from collections.abc import Sequence

ITERATIONS = 20
BISECTIONS = 60


def normalised_llr(counts: Sequence[float], nelo0: float, nelo1: float) -> float:
    """Return the log-likelihood ratio of two differences in normalised Elo, from pairs."""
    total = sum(counts)
    shares = [count / total for count in counts]
    zero, one = (
        _estimate(shares, math.sqrt(2) * nelo / (800 / math.log(10))) for nelo in (nelo0, nelo1)
    )
    return sum(
        count * (math.log(p1) - math.log(p0))
        for count, p0, p1 in zip(counts, zero, one, strict=True)
    )


def _estimate(shares: Sequence[float], t: float) -> list[float]:
    scores = [place / (len(shares) - 1) for place in range(len(shares))]
    chances = [1 / len(shares)] * len(shares)
    for _ in range(ITERATIONS):
        mean = sum(p * a for p, a in zip(chances, scores, strict=True))
        deviation = math.sqrt(
            sum(p * (a - mean) ** 2 for p, a in zip(chances, scores, strict=True))
        )
        phi = [a - 0.5 - t * deviation * (1 + ((mean - a) / deviation) ** 2) / 2 for a in scores]
        x = _secular_root(shares, phi)
        chances = [p / (1 + x * f) for p, f in zip(shares, phi, strict=True)]
    return chances


def _secular_root(shares: Sequence[float], phi: Sequence[float]) -> float:
    low, high = -1 / max(phi), -1 / min(phi)
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        value = sum(p * f / (1 + x * f) for p, f in zip(shares, phi, strict=True))
        low, high = (x, high) if value > 0 else (low, x)
    return (low + high) / 2
