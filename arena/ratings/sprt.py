"""Sequential probability ratio test (SPRT) of an Elo difference, on pairs of matches.

The two matches of a pair have the same opening, with sides swapped. They are not independent of
each other, because the opening or the first move may decide both; pairs are. The unit is therefore
the pair, counted by its score: 0, 1 or 2 points, or with draws 0, 1/2, 1, 3/2 or 2 points
("pentanomial").

The hypotheses are that the Elo difference of the first bot is elo0 (H0) or elo1 (H1), that is, that
its mean score is s(elo) = 1 / (1 + 10^(-elo / 400)). The distribution of the scores is otherwise
unknown and is estimated by maximum likelihood under each hypothesis (generalised SPRT, as in
fishtest: Van den Bergh, GSPRT_approximation.pdf and support_MLE_multinomial.pdf at
www.cantate.be/Fishtest). With n_i pairs of score a_i, N pairs in all:

    p_i(s) = n_i / N / (1 + x (a_i - s)),  x such that sum of p_i(s) (a_i - s) = 0
    LLR    = sum of n_i ln(p_i(s(elo1)) / p_i(s(elo0)))

H0 is accepted at LLR <= ln(beta / (1 - alpha)), H1 at LLR >= ln((1 - beta) / alpha) (Wald,
"Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Self

ELO_PER_LOGIT = 400 / math.log(10)  # Elo points per unit of the logistic function
MAX_ELO = 1000.0  # of elo0 and elo1; it is a score of 99.7 %
PSEUDO_COUNT = 1e-3  # pairs added to each score, so that none is impossible; as in fishtest
TOLERANCE = 1e-12  # size of the last step of Newton's method
Z_95 = 1.959964  # standard deviations of the normal distribution on each side of 95 %
VIRTUAL_PAIRS = 0.5  # half of them won twice, half of them lost twice


class Hypothesis(StrEnum):
    """The hypothesis that a test accepts."""

    H0 = "accepted H0"
    H1 = "accepted H1"


@dataclass(frozen=True)
class Sprt:
    """Parameters of a test of H1 against H0.

    Wald's bounds meet `alpha` and `beta` only approximately: they neglect by how much the last pair
    exceeds a bound.

    Attributes:
        elo0: Elo difference of the first bot under H0.
        elo1: Elo difference of the first bot under H1.
        alpha: Probability of accepting H1 if H0 is true.
        beta: Probability of accepting H0 if H1 is true.

    Raises:
        ValueError: A number is out of its range, or elo0 is not below elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MAX_ELO:
                raise ValueError(f"sprt {self._word(name)} must be at most {MAX_ELO:g} Elo from 0")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"sprt {self._word(name)} must be above 0 and below 0.5")
        if not self.elo0 < self.elo1:
            raise ValueError(f"sprt {self._word('elo0')} must be below {self._word('elo1')}")

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """Parse words such as elo0=0 and elo1=20, in any order.

        Raises:
            ValueError: A word is invalid, repeated or missing, or a number is out of its range.
        """
        names = [field.name for field in fields(cls)]
        found: dict[str, float] = {}
        for word in words:
            name, _, text = word.partition("=")
            if name not in names:
                raise ValueError(
                    f"sprt: expected NAME=NUMBER (names: {', '.join(names)}), got {word!r}"
                )
            if name in found:
                raise ValueError(f"sprt: repeated {name}: {word!r}")
            found[name] = _parse_number(name, text)
        for name in ("elo0", "elo1"):
            if name not in found:
                raise ValueError(f"sprt: missing {name}=NUMBER (in Elo)")
        return cls(**found)

    def __str__(self) -> str:
        """Return the words that `parse` reads."""
        return " ".join(self._word(field.name) for field in fields(self))

    def _word(self, name: str) -> str:
        return f"{name}={getattr(self, name)}".removesuffix(".0")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        lower = math.log(self.beta) - math.log1p(-self.alpha)
        upper = math.log1p(-self.beta) - math.log(self.alpha)
        return lower, upper

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0. It is finite for any counts.

        Args:
            counts: The number of pairs of each score. There are two or more scores, evenly spaced
                from 0 to 1: as in `SequentialTest.counts`, three or five.
        """
        # Added to all counts, not only to 0: otherwise one more win could slightly lower the ratio.
        seen = [count + PSEUDO_COUNT for count in counts]
        return _log_likelihood(seen, _score(self.elo1)) - _log_likelihood(seen, _score(self.elo0))

    def decide(self, counts: Sequence[int]) -> Hypothesis | None:
        """Return the hypothesis accepted with these counts (as in `llr`), or None for neither."""
        llr = self.llr(counts)
        lower, upper = self.bounds
        if llr >= upper:
            return Hypothesis.H1
        return Hypothesis.H0 if llr <= lower else None


class SequentialTest:
    """A running test, whose pairs may finish in any order.

    A pair counts once all pairs before it in the schedule have finished. The pairs finished at some
    time would be a biased sample, because short matches finish first (fishtest issue 933). The
    first pair at which a bound is reached decides the test; later pairs do not count.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self._counts = [0] * 5  # by the first bot's half points
        self._pending: dict[int, float] = {}
        self._accepted: Hypothesis | None = None

    def add(self, number: int, points: float) -> None:
        """Add a finished pair.

        Args:
            number: The number of the pair in the schedule, from 1.
            points: The points of the first bot: 0, 1/2, 1, 3/2 or 2.
        """
        assert 0 <= points <= 2, "a pair has two matches"
        is_known = number <= self.pairs or number in self._pending
        assert not is_known, f"pair {number} was added before"
        self._pending[number] = points
        while self._accepted is None and self.pairs + 1 in self._pending:
            self._counts[int(2 * self._pending.pop(self.pairs + 1))] += 1
            self._accepted = self.sprt.decide(self.counts)

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of counted pairs in which the first bot has 0, 1/2, 1, 3/2 and 2 points.

        Those with 0, 1 and 2 points alone as long as there are no others, as in most games.
        """
        has_half_points = self._counts[1] or self._counts[3]
        return tuple(self._counts if has_half_points else self._counts[::2])

    @property
    def pairs(self) -> int:
        """The number of counted pairs, which are those from 1 to this number."""
        return sum(self._counts)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the counted pairs."""
        return self.sprt.llr(self.counts)

    @property
    def accepted(self) -> Hypothesis | None:
        """The accepted hypothesis; None before the decision."""
        return self._accepted

    @property
    def decided_at(self) -> int | None:
        """The number of the deciding pair; None before the decision."""
        return self.pairs if self._accepted else None


def estimate_elo(counts: Sequence[int]) -> tuple[float, float]:
    """Return the estimated Elo difference of the first bot, and its margin. `counts` as in `llr`.

    With the mean m and the variance v of the scores of N pairs:

        elo    = 400 log10(m / (1 - m))
        margin = 1.96 sqrt(v / N) 400 / ln(10) / (m (1 - m))

    The margin is half of a 95 % interval, by the delta method. Half a virtual pair (see
    VIRTUAL_PAIRS) keeps both numbers finite and the margin above 0. After a sequential test, the
    estimate is biased towards the accepted hypothesis.
    """
    weights: list[float] = [*counts]
    weights[0] += VIRTUAL_PAIRS / 2
    weights[-1] += VIRTUAL_PAIRS / 2
    total = sum(weights)
    scores = _scores(len(counts))
    mean = sum(w * a for w, a in zip(weights, scores, strict=True)) / total
    variance = sum(w * (a - mean) ** 2 for w, a in zip(weights, scores, strict=True)) / total
    elo = ELO_PER_LOGIT * (math.log(mean) - math.log1p(-mean))
    return elo, Z_95 * math.sqrt(variance / total) * ELO_PER_LOGIT / (mean * (1 - mean))


def _parse_number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"sprt {name}: expected a finite number, got {text!r}")
    return number


def _score(elo: float) -> float:
    """Return the expected score of a match for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def _scores(number: int) -> list[float]:
    return [place / (number - 1) for place in range(number)]


def _log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Return the maximum log-likelihood of the counts under a mean score.

    It is relative to the maximum without that constraint (Van den Bergh,
    support_MLE_multinomial.pdf, proposition 1.1).
    """
    deviations = [score - mean for score in _scores(len(counts))]
    x = _multiplier(counts, deviations)
    return -sum(n * math.log1p(x * d) for n, d in zip(counts, deviations, strict=True))


def _multiplier(counts: Sequence[float], deviations: Sequence[float]) -> float:
    """Return the x of the formulas above, by Newton's method with bisection as a fallback.

    It is the root of a decreasing function, in an interval given by p_i <= 1.
    """
    total = sum(counts)
    low = (counts[-1] / total - 1) / deviations[-1]
    high = (counts[0] / total - 1) / deviations[0]
    x, step = 0.0, 1.0
    while abs(step) > TOLERANCE:
        tilted = [d / (1 + x * d) for d in deviations]
        value = sum(n * t for n, t in zip(counts, tilted, strict=True))
        slope = sum(n * t * t for n, t in zip(counts, tilted, strict=True))
        target = x + value / slope
        inside = low < target < high
        low, high = (x, high) if value > 0 else (low, x)
        step = (target if inside else (low + high) / 2) - x
        x += step
    return x
