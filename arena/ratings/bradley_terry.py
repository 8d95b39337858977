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
the points (White, "Maximum likelihood estimation of misspecified models", Econometrica 50, 1982):
n P (1 - P) - d / 4 if d of the matches are draws, where d is reduced to d n / (n + 2), as if two
more matches had been decided, since a few draws do not show that a bot always draws. Without draws
J is F. From C follow

    margin of a rating (95 %)      1.96 sqrt(C[i, i])
    margin of a difference (95 %)  1.96 sqrt(V),  V = C[i, i] + C[j, j] - 2 C[i, j]
    likelihood of superiority      Phi((r[i] - r[j]) / sqrt(V)),  Phi the normal distribution
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from arena.model.results import Tally

if TYPE_CHECKING:
    from numpy import floating, integer
    from numpy.typing import NDArray

    Matrix = NDArray[floating[Any]]
    Indices = NDArray[integer[Any]]

ELO_PER_LOGIT = 400 / math.log(10)  # Elo points per unit of the logistic function
Z_95 = 1.959964  # standard deviations of the normal distribution on each side of 95 %
VIRTUAL_DRAWS = 0.5  # for each pair of bots that have met
VIRTUAL_DECISIONS = 2  # matches that are not drawn, for the share of draws of each pair
ROUND_DIGITS = 9  # decimal places of a rating, so that equal results make equal ratings
TOLERANCE = 1e-12  # squared length of the last step of Newton's method, in standard deviations


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots in Elo, with their covariance. Margins are half of a 95 % interval.

    Attributes:
        bots: The names of the bots, sorted.
        elo: The rating of each bot.
        first_move: The advantage of player 1.
        covariance: Covariance of the ratings, in the order of `bots`, and of `first_move` as the
            last row and column. Elo squared, shape (bots + 1, bots + 1).
        groups: The bots in groups that no matches connect. Ratings of different groups cannot be
            compared; their covariance is 0.
    """

    bots: tuple[str, ...]
    elo: dict[str, float]
    first_move: float
    covariance: Matrix
    groups: Sequence[Sequence[str]] = ()

    def margin(self, bot: str) -> float:
        """Return the margin of a bot's rating."""
        index = self.bots.index(bot)
        return Z_95 * math.sqrt(max(0.0, self.covariance[index, index]))

    @property
    def first_move_margin(self) -> float:
        """The margin of `first_move`."""
        return Z_95 * math.sqrt(max(0.0, self.covariance[-1, -1]))

    def difference(self, one: str, two: str) -> tuple[float, float]:
        """Return the difference of two ratings and its margin.

        The margin is infinite if no matches connect the two bots.
        """
        return self.elo[one] - self.elo[two], Z_95 * self._deviation(one, two)

    def superiority(self, one: str, two: str) -> float:
        """Return the likelihood that bot `one` is stronger than `two`; 0.5 without a comparison."""
        deviation = self._deviation(one, two) or 1.0  # 0 for a bot and itself
        return NormalDist().cdf((self.elo[one] - self.elo[two]) / deviation)

    def _deviation(self, one: str, two: str) -> float:
        if any((one in group) != (two in group) for group in self.groups):
            return math.inf
        i, j = self.bots.index(one), self.bots.index(two)
        c = self.covariance
        return math.sqrt(max(0.0, c[i, i] + c[j, j] - 2 * c[i, j]))


def rate(tally: Tally, anchor: tuple[str, float] | None = None) -> Ratings:
    """Return the ratings of all bots in a tally.

    Args:
        tally: The results.
        anchor: A bot and its rating. The ratings of its group are shifted to match, and their
            margins are those of the differences from it. It is ignored if the bot has not played.
            The mean rating of a group without an anchor is 0.
    """
    import numpy as np  # slow to import, and only needed here

    groups = connected_groups(tally)
    bots = tuple(sorted(bot for group in groups for bot in group))
    index = {bot: number for number, bot in enumerate(bots)}
    size = len(bots)
    # Row: player 1, column: player 2.
    played, points, drawn = (np.zeros((size, size)) for _ in range(3))
    for result, times in tally.items():
        players = index[result.one], index[result.two]
        played[players] += times
        points[players] += times * result.points[0]
        drawn[players] += times * (result.winner is None)
    members = [np.array([index[bot] for bot in group]) for group in groups]
    theta, covariance = _maximum_likelihood(played, points, members)
    if drawn.any():
        covariance = covariance @ _information(theta, played, drawn) @ covariance
    elo, covariance = (
        np.round(theta * ELO_PER_LOGIT, ROUND_DIGITS) + 0.0,
        covariance * ELO_PER_LOGIT**2,
    )
    if anchor and anchor[0] in index:
        fixed = index[anchor[0]]
        moved = next(group for group in members if fixed in group)
        elo[moved] = elo[moved] - elo[fixed] + anchor[1]
        shift = np.eye(size + 1)
        shift[moved, fixed] -= 1
        covariance = shift @ covariance @ shift.T
    ratings = {bot: float(elo[number]) for bot, number in index.items()}
    return Ratings(bots, ratings, float(elo[-1]), covariance, groups)


def _maximum_likelihood(
    played: Matrix, points: Matrix, groups: list[Indices]
) -> tuple[Matrix, Matrix]:
    """Return ratings and first-move advantage in logits, shape (bots + 1,), and their covariance.

    Newton's method, with steps damped after Sun and Tran-Dinh ("Generalized self-concordant
    functions", Mathematical Programming 178, 2019, nu = 2): a step that changes logits by at most d
    is scaled by ln(1 + d) / d and never passes the maximum, because the second derivative of the
    log-logistic function changes at most by a factor e^d.

    Args:
        played: Matches of player 1 (row) against player 2 (column), shape (bots, bots).
        points: The points of player 1 in these matches, same shape.
        groups: The indices of the bots of each connected group.
    """
    import numpy as np

    theta = np.zeros(len(played) + 1)
    projection = np.zeros(
        (len(theta), len(theta))
    )  # projection on the undetermined means of the groups
    for members in groups:
        projection[np.ix_(members, members)] = 1 / len(members)
    while True:
        gradient = _gradient(theta, played, points)
        information = _information(theta, played, np.zeros_like(played))
        weight = information.max()
        covariance = np.linalg.inv(information + weight * projection) - projection / weight
        step = covariance @ gradient
        if not gradient @ step > TOLERANCE:
            return theta + step, covariance
        ahead = np.abs(step[:-1, None] - step[None, :-1])[played > 0]
        moved = float(ahead.max(initial=0) + abs(step[-1]))  # upper bound of the change of a logit
        theta += step * math.log1p(moved) / moved


def _gradient(theta: Matrix, played: Matrix, points: Matrix) -> Matrix:
    """Return the gradient of the log-likelihood."""
    import numpy as np

    ahead, first = theta[:-1, None] - theta[None, :-1], theta[-1]
    met = _virtual_draws(played)
    surplus = points - played * _logistic(ahead + first)
    return np.append(
        surplus.sum(1) - surplus.sum(0) + (met / 2 - met * _logistic(ahead)).sum(1),
        surplus.sum() + VIRTUAL_DRAWS / 2 - VIRTUAL_DRAWS * _logistic(first),
    )


def _information(theta: Matrix, played: Matrix, drawn: Matrix) -> Matrix:
    """Return the Fisher information, each draw reduced to its share of the variance of points."""
    import numpy as np

    ahead, first = theta[:-1, None] - theta[None, :-1], theta[-1]
    p, q, f = _logistic(ahead + first), _logistic(ahead), _logistic(first)
    met = played + played.T
    likely_drawn = drawn * met / (met + VIRTUAL_DECISIONS)
    weight = np.maximum(0.0, played * p * (1 - p) - likely_drawn / 4)
    prior = _virtual_draws(played) * q * (1 - q)
    information = np.zeros((len(theta), len(theta)))
    information[:-1, :-1] = np.diag(weight.sum(1) + weight.sum(0) + prior.sum(1))
    information[:-1, :-1] -= weight + weight.T + prior
    information[-1, :-1] = information[:-1, -1] = weight.sum(1) - weight.sum(0)
    information[-1, -1] = weight.sum() + VIRTUAL_DRAWS * f * (1 - f)
    return information


def _virtual_draws(played: Matrix) -> Matrix:
    return VIRTUAL_DRAWS * ((played + played.T) > 0)


def _logistic(logit: Matrix) -> Matrix:
    """Return the logistic function, without overflow."""
    import numpy as np

    return (1 + np.tanh(logit / 2)) / 2


def connected_groups(tally: Tally) -> list[list[str]]:
    """Return the connected components of the graph of bots that have met, sorted."""
    groups: list[set[str]] = []
    for one, two in {(outcome.one, outcome.two) for outcome in tally}:
        if not any(one in group and two in group for group in groups):
            met = {one, two}.union(*(group for group in groups if one in group or two in group))
            groups = [group for group in groups if not group <= met] + [met]
    return sorted(sorted(group) for group in groups)
