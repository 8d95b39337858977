"""Sequential probability ratio test (SPRT) and estimates of the difference of two bots, on pairs.

The two matches of a pair have the same opening, with sides swapped. They are not independent of
each other, because the opening or the first move may decide both; pairs are. The unit is therefore
the pair, counted by its score: 0, 1 or 2 points, or with draws 0, 1/2, 1, 3/2 or 2 points
("pentanomial").

The hypotheses H0 and H1 are differences of the first bot, in Elo or in normalised Elo:

- Elo (elo0, elo1): its mean score is 1 / (1 + 10^(-elo / 400)).
- Normalised Elo (nelo0, nelo1): with the mean m and the standard deviation s of the scores of
  pairs, (m - 1/2) / s = sqrt(2) nelo ln(10) / 800. The factor sqrt(2) turns the deviation of a pair
  into that of a match. The number of pairs that such a test takes hardly depends on the openings
  and on the share of draws.

The distribution of the scores is otherwise unknown, and is estimated by maximum likelihood under
each hypothesis: generalised SPRT as in fishtest and fastchess (Van den Bergh,
GSPRT_approximation.pdf, support_MLE_multinomial.pdf and normalized_elo_practical.pdf at
www.cantate.be/Fishtest). With n_i pairs of score i, and p_i(H) as below:

    LLR = sum of n_i ln(p_i(H1) / p_i(H0))

H0 is accepted at LLR <= ln(beta / (1 - alpha)), H1 at LLR >= ln((1 - beta) / alpha) (Wald,
"Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945).

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
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from arena.ratings.bradley_terry import ELO_PER_LOGIT, Z_95
from core.numbers import parse_number

TOLERANCE = 1e-12  # relative size of the last step of Newton's method
SPREAD_TOLERANCE = 1e-9  # of the spread; its square counts, as the likelihood has an extremum there
BISECTION_INTERVAL = 3  # steps of the secant method, so that the interval shrinks for certain
NELO_PER_T = 800 / math.log(10) / math.sqrt(2)  # by the standard deviation of a pair, not a match
VIRTUAL_PAIRS = 1.0  # half of them won twice, half of them lost twice
PSEUDO_COUNT = 1e-3  # pairs added to each score, so that none is impossible; as in fishtest


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


class Hypothesis(StrEnum):
    """The hypothesis that a test accepts."""

    H0 = "accepted H0"
    H1 = "accepted H1"


class Model(StrEnum):
    """The unit of a test's hypotheses."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"

    @property
    def word(self) -> str:
        """The name of a hypothesis in the text of a test, without its number."""
        return "elo" if self is Model.LOGISTIC else "nelo"

    @property
    def unit(self) -> str:
        """The unit as a phrase."""
        return "Elo" if self is Model.LOGISTIC else "normalised Elo"

    @property
    def limit(self) -> float:
        """The largest difference of a hypothesis: a mean score of 99.7 %, or (m - 1/2) / s of 2."""
        return 1000.0 if self is Model.LOGISTIC else 500.0


@dataclass(frozen=True)
class Sprt:
    """Parameters of a test of H1 against H0.

    Wald's bounds meet `alpha` and `beta` only approximately: they neglect by how much the last pair
    exceeds a bound.

    Attributes:
        elo0: Difference of the first bot under H0, in the unit of the model.
        elo1: Difference of the first bot under H1.
        alpha: Probability of accepting H1 if H0 is true.
        beta: Probability of accepting H0 if H1 is true.
        model: Unit of the differences.

    Raises:
        ValueError: A number is out of its range, or elo0 is not below elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.LOGISTIC

    def __post_init__(self) -> None:
        texts = self._texts()
        for name, value in (("0", self.elo0), ("1", self.elo1)):
            if not abs(value) <= self.model.limit:
                text = texts[self.model.word + name]
                limit = f"{self.model.limit:g} {self.model.unit}"
                raise ValueError(f"sprt {text} must be at most {limit} from 0")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"sprt {texts[name]} must be above 0 and below 0.5")
        if not self.elo0 < self.elo1:
            low, high, *_ = texts.values()
            raise ValueError(f"sprt {low} must be below {high}")

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """Parse words such as elo0=0 and elo1=20, or nelo0=0 and nelo1=5, in any order.

        Raises:
            ValueError: A word is invalid, repeated or missing, Elo and normalised Elo are mixed, or
                a number is out of its range.
        """
        names = [f"{model.word}{number}" for model in Model for number in (0, 1)]
        found = _parse_words(words, [*names, "alpha", "beta"])
        given = [name for name in found if name in names]
        models = {Model.NORMALISED if name[0] == "n" else Model.LOGISTIC for name in given}
        if len(models) > 1:
            raise ValueError(
                f"sprt: {' and '.join(given)} cannot be combined"
                " (choose elo0 and elo1, or nelo0 and nelo1)"
            )
        model = models.pop() if models else Model.LOGISTIC
        for name in (f"{model.word}0", f"{model.word}1"):
            if name not in found:
                raise ValueError(f"sprt: missing {name}=NUMBER (in {model.unit})")
        rates = {name: found[name] for name in ("alpha", "beta") if name in found}
        return cls(found[f"{model.word}0"], found[f"{model.word}1"], **rates, model=model)

    def __str__(self) -> str:
        """Return the words that `parse` reads."""
        return " ".join(self._texts().values())

    def _texts(self) -> dict[str, str]:
        """Return the words by name."""
        values = {
            f"{self.model.word}0": self.elo0,
            f"{self.model.word}1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
        }
        return {name: f"{name}={value}".removesuffix(".0") for name, value in values.items()}

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
        return self._log_likelihood(seen, self.elo1) - self._log_likelihood(seen, self.elo0)

    def _log_likelihood(self, counts: Sequence[float], difference: float) -> float:
        if self.model is Model.NORMALISED:
            return t_value_log_likelihood(counts, difference / NELO_PER_T)
        return mean_log_likelihood(counts, _score(difference))

    def decide(self, counts: Sequence[int]) -> Hypothesis | None:
        """Return the hypothesis accepted with these counts (as in `llr`), or None for neither."""
        llr = self.llr(counts)
        lower, upper = self.bounds
        if llr >= upper:
            return Hypothesis.H1
        return Hypothesis.H0 if llr <= lower else None

    def can_decide(self, pairs: int) -> bool:
        """Return whether a test can end with a number of pairs: if all are lost, or all are won."""
        return any(map(self.decide, ((pairs, 0, 0), (0, 0, pairs))))


class SequentialTest:
    """A running test; its pairs may finish in any order.

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
    def pair_scores(self) -> tuple[int, ...]:
        """The number of counted pairs in which the first bot has 0, 1/2, 1, 3/2 and 2 points."""
        return tuple(self._counts)

    @property
    def decisive(self) -> float:
        """The share of counted pairs that one of the bots has won; 0 before the first."""
        return 1 - self._counts[2] / self.pairs if self.pairs else 0.0

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


def _parse_words(words: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """Return the numbers of words NAME=NUMBER by name, in their order."""
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
    return found


def _parse_number(name: str, text: str) -> float:
    try:
        return parse_number(text)
    except ValueError as error:
        raise ValueError(f"sprt {name}: {error}") from None


def _score(elo: float) -> float:
    """Return the expected score of a match for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))
