"""Elo ratings by the Bradley-Terry model with an advantage of the first move.

Against player 2 with rating s, player 1 with rating r has an expected score of

    P(r, s) = 1 / (1 + 10^(-(r + f - s) / 400))

where f, the advantage of the first move, is the same for all (Bradley and Terry, "Rank analysis of
incomplete block designs", Biometrika 39, 1952; with an order effect: Davidson and Beaver, "On
extending the Bradley-Terry model to incorporate within-pair order effects", Biometrics 33, 1977).

Ratings and f maximise the likelihood of the results, in which a draw is half a win and half a loss.
Half a virtual draw between any two bots that have met, and half a virtual draw between first and
second player, keep all numbers finite. The covariance of the estimates is

    C = F^-1 J F^-1

where F is the Fisher information, with n P (1 - P) for n matches of two bots, and J the variance of
the gradient, from the scores of pairs of matches (see likelihood; White, "Maximum likelihood
estimation of misspecified models", Econometrica 50, 1982). From C follow

    margin of a rating (95 %)      1.96 sqrt(C[i, i])
    margin of a difference (95 %)  1.96 sqrt(V),  V = C[i, i] + C[j, j] - 2 C[i, j]
    likelihood of superiority      Phi((r[i] - r[j]) / sqrt(V)),  Phi the normal distribution

The ratings come from the pairs of bots that have met, and continue from the last ones. The
covariance is computed when it is first needed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Protocol

ELO_PER_LOGIT = 400 / math.log(10)  # Elo points per unit of the logistic function
Z_95 = 1.959964  # standard deviations of the normal distribution on each side of 95 %
FIRST_MOVE = -1  # index of the advantage of the first move among the estimates


class Variances(Protocol):
    """Source of the variances of estimates."""

    def variance(self, factors: Mapping[int, float]) -> float:
        """Return the variance of a sum of estimates, in logits, given their factors by index."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots in Elo. Margins, half of a 95 % interval, are computed when asked for.

    Attributes:
        elo: The rating of each bot; the bots are sorted by name.
        first_move: The advantage of player 1.
        variances: The variances of the ratings, each less the mean of its group.
        index: The index of each bot in `variances`.
        groups: The bots in groups that no matches connect. Ratings of different groups cannot be
            compared.
        anchor: The bot with the fixed rating: the margins in its group are those of the
            differences from it.
    """

    elo: Mapping[str, float]
    first_move: float
    variances: Variances
    index: Mapping[str, int]
    groups: Sequence[Sequence[str]] = ()
    anchor: str | None = None

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots, sorted."""
        return tuple(self.elo)

    def margin(self, bot: str) -> float:
        """Return the margin of a bot's rating."""
        if self.anchor is not None and self._are_connected(bot, self.anchor):
            return self._margin_of_difference(bot, self.anchor)
        return self._margin({self.index[bot]: 1.0})

    @property
    def first_move_margin(self) -> float:
        """The margin of `first_move`."""
        return self._margin({FIRST_MOVE: 1.0})

    def difference(self, one: str, two: str) -> tuple[float, float]:
        """Return the difference of two ratings and its margin.

        The margin is infinite if no matches connect the two bots.
        """
        return self.elo[one] - self.elo[two], self._margin_of_difference(one, two)

    def superiority(self, one: str, two: str) -> float | None:
        """Return the likelihood that bot `one` is stronger than `two`.

        It is None if no matches connect them, and 0.5 for a bot and itself.
        """
        if not self._are_connected(one, two):
            return None
        deviation = self._margin_of_difference(one, two) / Z_95 or 1.0  # 0 for a bot and itself
        return NormalDist().cdf((self.elo[one] - self.elo[two]) / deviation)

    def _margin_of_difference(self, one: str, two: str) -> float:
        if one == two:
            return 0.0
        if not self._are_connected(one, two):
            return math.inf
        return self._margin({self.index[one]: 1.0, self.index[two]: -1.0})

    def _margin(self, factors: Mapping[int, float]) -> float:
        variance = self.variances.variance(factors)
        return Z_95 * ELO_PER_LOGIT * math.sqrt(max(0.0, variance))  # it may be rounded below 0

    def _are_connected(self, one: str, two: str) -> bool:
        return self._group_numbers[one] == self._group_numbers[two]

    @cached_property
    def _group_numbers(self) -> dict[str, int]:
        return {bot: number for number, group in enumerate(self.groups) for bot in group}
