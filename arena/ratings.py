"""Ratings in Elo from who beat whom: the Bradley-Terry model with the advantage of the first move.

The chance that player 1, of rating r, beats player 2, of rating s, is 1 / (1 + 10^(-(r + f - s) /
400)), where f is the same for all. Ratings are those that make the results most likely (Bradley and
Terry, 1952), found by Newton's method; their covariance is the inverse of the Fisher information.
Half a virtual draw between any two that have met, and half a one between first and second, keep
every number finite. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from arena.results import MatchRecord

if TYPE_CHECKING:
    from numpy import floating
    from numpy.typing import NDArray

    Matrix = NDArray[floating[Any]]

ELO = 400 / math.log(10)  # a rating's unit, in units of the logistic function
SIDES = 1.959964  # standard deviations on both sides that hold 95 %
VIRTUAL = 0.5  # of a draw
STEP = 2.0  # at most, in one of Newton's
STEPS = 100


@dataclass(frozen=True)
class Ratings:
    """The ratings of some bots, in Elo, of mean 0 among all that are connected by matches.

    `first_move` is the advantage of player 1. Margins are half the widths of 95 % intervals.
    """

    bots: tuple[str, ...]
    elo: dict[str, float]
    first_move: float
    covariance: Matrix  # in Elo squared: of the bots, in order, and of the first move

    def margin(self, bot: str) -> float:
        """The margin of a bot's rating."""
        place = self.bots.index(bot)
        return SIDES * math.sqrt(self.covariance[place, place])

    @property
    def first_move_margin(self) -> float:
        """The margin of the first move's advantage."""
        return SIDES * math.sqrt(self.covariance[-1, -1])

    def difference(self, one: str, two: str) -> tuple[float, float]:
        """How much higher one bot is rated than another, and the margin of that."""
        return self.elo[one] - self.elo[two], SIDES * self._deviation(one, two)

    def superiority(self, one: str, two: str) -> float:
        """How likely it is that one bot is stronger than another."""
        return NormalDist().cdf((self.elo[one] - self.elo[two]) / self._deviation(one, two))

    def _deviation(self, one: str, two: str) -> float:
        i, j = self.bots.index(one), self.bots.index(two)
        c = self.covariance
        return math.sqrt(c[i, i] + c[j, j] - 2 * c[i, j])


def rate(records: Iterable[MatchRecord]) -> Ratings:
    """The ratings of all that have played in matches that count."""
    import numpy as np  # heavy, and only for ratings

    results = [(*record.pairing.players, record.winner) for record in records if record.winner]
    bots = tuple(sorted({name for one, two, _ in results for name in (one, two)}))
    place = {bot: number for number, bot in enumerate(bots)}
    size = len(bots)
    played, won = np.zeros((size, size)), np.zeros((size, size))  # by player 1 and player 2
    for one, two, winner in results:
        played[place[one], place[two]] += 1
        won[place[one], place[two]] += winner == one
    theta = np.zeros(size + 1)  # the ratings, and the first move, in the logistic function's unit
    covariance: Matrix = np.zeros((size + 1, size + 1))
    moved, steps = math.inf, 0
    while moved > 1e-9 and steps < STEPS:
        gradient, information = _derivatives(theta, played, won)
        covariance = np.linalg.pinv(information, hermitian=True)
        step = covariance @ gradient
        moved = float(np.abs(step).max())
        theta += step * min(1.0, STEP / max(STEP, moved))
        steps += 1
    elo = {bot: float(theta[number] * ELO) for bot, number in place.items()}
    return Ratings(bots, elo, float(theta[-1] * ELO), covariance * ELO**2)


def _derivatives(theta: Matrix, played: Matrix, won: Matrix) -> tuple[Matrix, Matrix]:
    """The gradient of the logarithm of the likelihood, and the Fisher information."""
    import numpy as np

    def chance(logit: Matrix) -> Matrix:
        return 1 / (1 + np.exp(-logit))

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


def islands(records: Iterable[MatchRecord]) -> list[list[str]]:
    """The bots in groups that no match connects: ratings of different groups say nothing."""
    groups: list[set[str]] = []
    for record in records:
        if record.winner:
            met = set(record.pairing.players)
            met = met.union(*(group for group in groups if group & met))
            groups = [group for group in groups if not group & met] + [met]
    return sorted(sorted(group) for group in groups)
