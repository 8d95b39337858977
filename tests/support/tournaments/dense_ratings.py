"""Ratings by the model of `arena.ratings`, computed with matrices of all bots: a slow reference."""

import math
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from arena.model.results import Tally

Matrix = NDArray[np.float64]

ELO_PER_LOGIT = 400 / math.log(10)


@dataclass
class DenseRatings:
    """Ratings and margins in Elo; the last element of the covariance is that of the first move."""

    elo: dict[str, float]
    first_move: float
    covariance: Matrix

    def margins(self) -> list[float]:
        """Return the margin of each rating, and of the first move."""
        return [1.959964 * math.sqrt(max(0.0, value)) for value in np.diag(self.covariance)]


def dense_rate(tally: Tally) -> DenseRatings:
    """Return the ratings of all bots in a tally, for independent matches.

    The mean of each connected group is 0.
    """
    graph = nx.Graph((outcome.one, outcome.two) for outcome in tally)
    bots = sorted(graph)
    index = {bot: number for number, bot in enumerate(bots)}
    # Row: player 1, column: player 2.
    played, points = (np.zeros((len(bots), len(bots))) for _ in range(2))
    for outcome, times in tally.items():
        players = index[outcome.one], index[outcome.two]
        played[players] += times
        points[players] += times * outcome.points[0]
    projection = np.zeros((len(bots) + 1, len(bots) + 1))
    for group in nx.connected_components(graph):
        members = [index[bot] for bot in group]
        projection[np.ix_(members, members)] = 1 / len(members)
    theta, covariance = _maximum(played, points, projection)
    elo = theta * ELO_PER_LOGIT
    ratings = {bot: float(elo[number]) for bot, number in index.items()}
    return DenseRatings(ratings, float(elo[-1]), covariance * ELO_PER_LOGIT**2)


def _maximum(played: Matrix, points: Matrix, projection: Matrix) -> tuple[Matrix, Matrix]:
    """Return the estimates and their covariance, by damped Newton steps."""
    theta, more = np.zeros(len(played) + 1), 3
    while more:
        information = _information(theta, played)
        weight = information.max()
        covariance = np.linalg.inv(information + weight * projection) - projection / weight
        gradient = _gradient(theta, played, points)
        step = covariance @ gradient
        more -= gradient @ step < 1e-12
        ahead = np.abs(step[:-1, None] - step[None, :-1])[played > 0]
        moved = float(ahead.max(initial=0) + abs(step[-1]))
        theta += step * (math.log1p(moved) / moved if moved else 1)
    return theta, covariance


def _gradient(theta: Matrix, played: Matrix, points: Matrix) -> Matrix:
    ahead, first = theta[:-1, None] - theta[None, :-1], theta[-1]
    met = 0.5 * ((played + played.T) > 0)
    surplus = points - played * _logistic(ahead + first)
    return np.append(
        surplus.sum(1) - surplus.sum(0) + (met / 2 - met * _logistic(ahead)).sum(1),
        surplus.sum() + 0.25 - 0.5 * _logistic(first),
    )


def _information(theta: Matrix, played: Matrix) -> Matrix:
    """Return the Fisher information."""
    ahead, first = theta[:-1, None] - theta[None, :-1], theta[-1]
    p, q, f = _logistic(ahead + first), _logistic(ahead), _logistic(first)
    weight = played * p * (1 - p)
    prior = 0.5 * (played + played.T > 0) * q * (1 - q)
    information = np.zeros((len(theta), len(theta)))
    information[:-1, :-1] = np.diag(weight.sum(1) + weight.sum(0) + prior.sum(1))
    information[:-1, :-1] -= weight + weight.T + prior
    information[-1, :-1] = information[:-1, -1] = weight.sum(1) - weight.sum(0)
    information[-1, -1] = weight.sum() + 0.5 * f * (1 - f)
    return information


def _logistic(logit: Matrix) -> Matrix:
    return (1 + np.tanh(logit / 2)) / 2
