"""Sequential probability ratio test (SPRT) of the difference of two bots, on pairs of matches.

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
www.cantate.be/Fishtest). With n_i pairs of score i, and p_i(H) from `pair_estimates`:

    LLR = sum of n_i ln(p_i(H1) / p_i(H0))

H0 is accepted at LLR <= ln(beta / (1 - alpha)), H1 at LLR >= ln((1 - beta) / alpha) (Wald,
"Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from arena.ratings.pair_estimates import NELO_PER_T, mean_log_likelihood, t_value_log_likelihood

PSEUDO_COUNT = 1e-3  # pairs added to each score, so that none is impossible; as in fishtest


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
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"sprt {name}: expected a finite number, got {text!r}")
    return number


def _score(elo: float) -> float:
    """Return the expected score of a match for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))
