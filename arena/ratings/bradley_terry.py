"""Ratings in Elo from who beat whom: the Bradley-Terry model with the advantage of the first move.

The chance that player 1, of rating r, beats player 2, of rating s, is 1 / (1 + 10^(-(r + f - s) /
400)), where f is the same for all. Ratings are those that make the results most likely (Bradley and
Terry, 1952), found by Newton's method; their covariance is the inverse of the Fisher information.
Half a virtual draw between any two that have met, and half a one between first and second, keep
every number finite. Pure.
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
    Places = NDArray[integer[Any]]

ELO = 400 / math.log(10)  # a rating's unit, in units of the logistic function
SIDES = 1.959964  # standard deviations on both sides that hold 95 %
VIRTUAL = 0.5  # of a draw
DIGITS = 9  # of a rating, after the point: bots with equal results shall be equal
EXACT = 1e-12  # the square, in standard deviations, of a step that is the last


@dataclass(frozen=True)
class Ratings:
    """The ratings of some bots, in Elo.

    `first_move` is the advantage of player 1. Margins are half the widths of 95 % intervals.
    `islands` are the bots in groups that no match connects: what results say of one group says
    nothing of another, in which the covariance with it is 0.
    """

    bots: tuple[str, ...]
    elo: dict[str, float]
    first_move: float
    covariance: Matrix  # in Elo squared: of the bots, in order, and of the first move
    islands: Sequence[Sequence[str]] = ()

    def margin(self, bot: str) -> float:
        """The margin of a bot's rating."""
        place = self.bots.index(bot)
        return SIDES * math.sqrt(max(0.0, self.covariance[place, place]))

    @property
    def first_move_margin(self) -> float:
        """The margin of the first move's advantage."""
        return SIDES * math.sqrt(self.covariance[-1, -1])

    def difference(self, one: str, two: str) -> tuple[float, float]:
        """How much higher one bot is rated than another, and the margin of that.

        The margin is infinite if no matches connect the two.
        """
        return self.elo[one] - self.elo[two], SIDES * self._deviation(one, two)

    def superiority(self, one: str, two: str) -> float:
        """How likely it is that one bot is stronger than another; 0.5 if nothing is known."""
        deviation = self._deviation(one, two) or 1.0  # it is 0 between a bot and itself
        return NormalDist().cdf((self.elo[one] - self.elo[two]) / deviation)

    def _deviation(self, one: str, two: str) -> float:
        if any((one in island) != (two in island) for island in self.islands):
            return math.inf
        i, j = self.bots.index(one), self.bots.index(two)
        c = self.covariance
        return math.sqrt(c[i, i] + c[j, j] - 2 * c[i, j])


def rate(tally: Tally, anchor: tuple[str, float] | None = None) -> Ratings:
    """The ratings of all that have played in matches that count.

    The mean of those that matches connect is 0. An anchor is a bot and the rating that it shall
    have: that moves all that it is connected with, and margins are those of the differences from
    it. If it has not played, there is none.
    """
    import numpy as np  # heavy, and only for ratings

    groups = islands(tally)
    bots = tuple(sorted(bot for group in groups for bot in group))
    place = {bot: number for number, bot in enumerate(bots)}
    size = len(bots)
    played, won = np.zeros((size, size)), np.zeros((size, size))  # by player 1 and player 2
    for (one, two, winner, _), times in tally.items():
        players = place[one], place[two]
        played[players] += times
        won[players] += times * (winner == 1)
    members = [np.array([place[bot] for bot in group]) for group in groups]
    theta, covariance = _most_likely(played, won, members)
    elo, covariance = np.round(theta * ELO, DIGITS) + 0.0, covariance * ELO**2
    if anchor and anchor[0] in place:
        fixed = place[anchor[0]]
        moved = next(group for group in members if fixed in group)
        elo[moved] = elo[moved] - elo[fixed] + anchor[1]
        shift = np.eye(size + 1)
        shift[moved, fixed] -= 1
        covariance = shift @ covariance @ shift.T
    ratings = {bot: float(elo[number]) for bot, number in place.items()}
    return Ratings(bots, ratings, float(elo[-1]), covariance, groups)


def _most_likely(played: Matrix, won: Matrix, groups: list[Places]) -> tuple[Matrix, Matrix]:
    """The ratings and the first move, in the logistic function's unit, and their covariance.

    Newton's steps are damped as by Sun and Tran-Dinh ("Generalized self-concordant functions",
    2019, with nu = 2): so no step passes the maximum, wherever it begins, as the second derivative
    of the logarithm of the logistic function changes at most by a factor e^d where a logit changes
    by d.
    """
    import numpy as np

    theta = np.zeros(len(played) + 1)
    level = np.zeros((len(theta), len(theta)))  # projects on what no result tells: groups' means
    for members in groups:
        level[np.ix_(members, members)] = 1 / len(members)
    while True:
        gradient, information = _derivatives(theta, played, won)
        weight = information.max()
        covariance = np.linalg.inv(information + weight * level) - level / weight
        step = covariance @ gradient
        if not gradient @ step > EXACT:
            return theta + step, covariance
        ahead = np.abs(step[:-1, None] - step[None, :-1])[played > 0]
        moved = float(ahead.max(initial=0) + abs(step[-1]))  # no logit moves by more
        theta += step * math.log1p(moved) / moved


def _derivatives(theta: Matrix, played: Matrix, won: Matrix) -> tuple[Matrix, Matrix]:
    """The gradient of the logarithm of the likelihood, and the Fisher information."""
    import numpy as np

    def chance(logit: Matrix) -> Matrix:
        return (1 + np.tanh(logit / 2)) / 2  # the logistic function, which may not overflow

    ratings, first = theta[:-1], theta[-1]
    ahead = ratings[:, None] - ratings[None, :]
    met = VIRTUAL * ((played + played.T) > 0)

    p, q, f = chance(ahead + first), chance(ahead), chance(first)
    surplus = won - played * p
    gradient = np.append(
        surplus.sum(1) - surplus.sum(0) + (met / 2 - met * q).sum(1),
        surplus.sum() + VIRTUAL / 2 - VIRTUAL * f,
    )
    weight, prior = played * p * (1 - p), met * q * (1 - q)
    information = np.zeros((len(theta), len(theta)))
    information[:-1, :-1] = np.diag(weight.sum(1) + weight.sum(0) + prior.sum(1))
    information[:-1, :-1] -= weight + weight.T + prior
    information[-1, :-1] = information[:-1, -1] = weight.sum(1) - weight.sum(0)
    information[-1, -1] = weight.sum() + VIRTUAL * f * (1 - f)
    return gradient, information


def islands(tally: Tally) -> list[list[str]]:
    """The bots in groups that no match connects: ratings of different groups say nothing."""
    groups: list[set[str]] = []
    for one, two in {(outcome.one, outcome.two) for outcome in tally}:
        if not any(one in group and two in group for group in groups):
            met = {one, two}.union(*(group for group in groups if one in group or two in group))
            groups = [group for group in groups if not group <= met] + [met]
    return sorted(sorted(group) for group in groups)
