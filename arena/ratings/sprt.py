"""Is one bot stronger than another? Asked after every pair of matches: the SPRT of Wald, 1945.

The two matches of a pair begin with the same opening, with sides swapped. The opening or the first
move may decide both, so that the matches are not independent, but the pairs are, and the pair is
the unit that is counted: by its score, 0, 1/2 or 1 a match. The field calls this pentanomial, after
the five scores that a pair has in a game with draws; nothing here depends on how many there are.

The test compares the hypotheses that the first bot's Elo difference is elo0 (H0) or elo1 (H1), that
is, that its mean score is s = 1 / (1 + 10^(-elo / 400)). What else there is to know of the scores
is taken at its most likely under either hypothesis: the generalized SPRT, as fishtest's (Van den
Bergh, www.cantate.be/Fishtest, GSPRT_approximation.pdf and support_MLE_multinomial.pdf). Pure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Self

ELO = 400 / math.log(10)  # a difference's unit, in units of the logistic function
LIMIT = 1000.0  # Elo: beyond, not one loss in 300 matches is expected
UNSEEN = 1e-3  # of a pair for each score, so that none is impossible; as much as with fishtest
EXACT = 1e-12  # a step of Newton's method that does not matter any more
SIDES = 1.959964  # standard deviations on both sides that hold 95 %
VIRTUAL = 0.5  # of a pair


class Verdict(StrEnum):
    """How a test has ended."""

    H0 = "accepted H0"
    H1 = "accepted H1"


@dataclass(frozen=True)
class Sprt:
    """A test of elo1 against elo0, both Elo differences, from the first bot's view.

    `alpha` is the chance that it accepts H1 if H0 is true, `beta` that it accepts H0 if H1 is true;
    both are met nearly, as Wald's bounds neglect by how much the last pair exceeds them. Raises
    ValueError if elo0 is not below elo1, or if a number is out of its range.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= LIMIT:
                raise ValueError(f"sprt {self._word(name)} must be at most {LIMIT:g} Elo from 0")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"sprt {self._word(name)} must be above 0 and below 0.5")
        if not self.elo0 < self.elo1:
            raise ValueError(f"sprt {self._word('elo0')} must be below {self._word('elo1')}")

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """The test that words like elo0=0 and elo1=20 mean, in any order. Raises ValueError."""
        names = [field.name for field in fields(cls)]
        found: dict[str, float] = {}
        for word in words:
            name, _, text = word.partition("=")
            if name not in names:
                raise ValueError(f"sprt {word!r} is not NAME=NUMBER of one of {', '.join(names)}")
            if name in found:
                raise ValueError(f"sprt {word!r} gives {name} a second time")
            found[name] = _number(name, text)
        for name in ("elo0", "elo1"):
            if name not in found:
                raise ValueError(f"sprt needs {name}=NUMBER, in Elo")
        return cls(**found)

    def __str__(self) -> str:
        """The words that `parse` reads."""
        return " ".join(self._word(field.name) for field in fields(self))

    def _word(self, name: str) -> str:
        return f"{name}={getattr(self, name)}".removesuffix(".0")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald, 1945)."""
        lower = math.log(self.beta) - math.log1p(-self.alpha)
        upper = math.log1p(-self.beta) - math.log(self.alpha)
        return lower, upper

    def llr(self, counts: Sequence[int]) -> float:
        """The logarithm of how much more likely H1 makes the results than H0.

        `counts[w]` is the number of pairs of which the first bot won w matches; in general, that of
        the w-th of two or more scores, evenly spaced from 0 to 1. It is finite whatever they are.
        """
        # To every count, not only to a 0: or one more win could lower the ratio by a hair.
        seen = [count + UNSEEN for count in counts]
        return _likelihood(seen, _score(self.elo1)) - _likelihood(seen, _score(self.elo0))

    def verdict(self, counts: Sequence[int]) -> Verdict | None:
        """The hypothesis that so many pairs of each score make us accept; None for neither."""
        llr = self.llr(counts)
        lower, upper = self.bounds
        if llr >= upper:
            return Verdict.H1
        return Verdict.H0 if llr <= lower else None


class SequentialTest:
    """Follows a test while pairs finish in any order, and decides as if in that of the schedule.

    Short matches finish first, and who wins quickly may lose in the long run: what has finished
    by some time is no fair sample (fishtest's issue 933). So a pair counts once all before it have
    finished too. The first pair with which a bound is reached decides; what comes later is not
    counted.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self._counts = [0, 0, 0]
        self._waiting: dict[int, int] = {}
        self._verdict: Verdict | None = None

    def add(self, number: int, wins: int) -> None:
        """The pair of that number, from 1, has finished: the first bot won 0, 1 or 2 matches."""
        assert 0 <= wins <= 2, "a pair is two matches"
        known = number <= self.pairs or number in self._waiting
        assert not known, f"pair {number} has finished before"
        self._waiting[number] = wins
        while self._verdict is None and self.pairs + 1 in self._waiting:
            self._counts[self._waiting.pop(self.pairs + 1)] += 1
            self._verdict = self.sprt.verdict(self._counts)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of the pairs that count the first bot won 0, 1 and 2 matches of."""
        return tuple(self._counts)

    @property
    def pairs(self) -> int:
        """How many pairs count: those from 1 to this number."""
        return sum(self._counts)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the pairs that count."""
        return self.sprt.llr(self._counts)

    @property
    def verdict(self) -> Verdict | None:
        """The hypothesis that was accepted, None until then."""
        return self._verdict

    @property
    def decided_at(self) -> int | None:
        """The number of the pair that decided, None until then."""
        return self.pairs if self._verdict else None


def elo_of(counts: Sequence[int]) -> tuple[float, float]:
    """The Elo difference that the mean score of the pairs shows, and its margin.

    The margin is half the width of a 95 % interval, from the variance of the pairs' scores by the
    delta method. Half a virtual pair, as much of it won twice as lost twice, keeps both finite and
    the margin above 0, whatever the results. `counts` is as in `Sprt.llr`. After a test that its
    results have stopped, the difference leans towards the verdict.
    """
    weights: list[float] = [*counts]
    weights[0] += VIRTUAL / 2
    weights[-1] += VIRTUAL / 2
    total = sum(weights)
    scores = _scores(len(counts))
    mean = sum(w * a for w, a in zip(weights, scores, strict=True)) / total
    variance = sum(w * (a - mean) ** 2 for w, a in zip(weights, scores, strict=True)) / total
    elo = ELO * (math.log(mean) - math.log1p(-mean))
    return elo, SIDES * math.sqrt(variance / total) * ELO / (mean * (1 - mean))


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"sprt {name}: {text!r} is not a finite number")
    return number


def _score(elo: float) -> float:
    """The mean score of a match that an Elo difference means."""
    return 1 / (1 + 10 ** (-elo / 400))


def _scores(number: int) -> list[float]:
    return [place / (number - 1) for place in range(number)]


def _likelihood(counts: Sequence[float], mean: float) -> float:
    """The logarithm of the likelihood of the counts at best, if that is the mean score.

    It is relative to that without any mean prescribed. The best chances are the shares of the
    counts, each divided by 1 + x * (score - mean) (Van den Bergh, support_MLE_multinomial.pdf,
    proposition 1.1).
    """
    deviations = [score - mean for score in _scores(len(counts))]
    x = _multiplier(counts, deviations)
    return -sum(n * math.log1p(x * d) for n, d in zip(counts, deviations, strict=True))


def _multiplier(counts: Sequence[float], deviations: Sequence[float]) -> float:
    """The x for which the chances of `_likelihood` have their mean.

    That is the root of a falling function, found by Newton's method, by halves where that leaves
    the interval. No chance exceeds 1, which gives the interval's ends.
    """
    total = sum(counts)
    low = (counts[-1] / total - 1) / deviations[-1]
    high = (counts[0] / total - 1) / deviations[0]
    x, step = 0.0, 1.0
    while abs(step) > EXACT:
        tilted = [d / (1 + x * d) for d in deviations]
        value = sum(n * t for n, t in zip(counts, tilted, strict=True))
        slope = sum(n * t * t for n, t in zip(counts, tilted, strict=True))
        target = x + value / slope
        inside = low < target < high
        low, high = (x, high) if value > 0 else (low, x)
        step = (target if inside else (low + high) / 2) - x
        x += step
    return x
