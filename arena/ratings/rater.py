"""Ratings of results that are added one after another, and their history."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from arena.model.results import PairScore, pair_score
from arena.ratings.bradley_terry import ELO_PER_LOGIT, Ratings, Variances
from arena.ratings.crosstable import Crosstable, Numbers, PairScores, Result
from arena.ratings.likelihood import (
    Array,
    Covariance,
    Information,
    Likelihood,
    cluster_weights,
    gradient_variance,
)

ROUND_DIGITS = 9  # decimal places of a rating, so that equal results make equal ratings
SAMPLES = 200
NumberedResult = tuple[int | None, Result]
"""Number of a match in the schedule, None outside of one, and its result."""


class Rater:
    """Ratings of the results so far; each time they are computed from the last ones.

    Attributes:
        crosstable: The results.
        pair_scores: The scores of their pairs.
    """

    def __init__(self, anchor: tuple[str, float] | None = None) -> None:
        """Start without results; `anchor` is as for `arena.ratings.rate`."""
        self.crosstable = Crosstable()
        self.pair_scores = PairScores()
        self._anchor = anchor
        self._theta = np.zeros(1)  # as in Likelihood
        self._groups = self.crosstable.groups
        self._information: Information | None = None

    def add(self, results: Collection[Result], times: Collection[int] | None = None) -> None:
        """Count results, each of them once or as often as `times` says."""
        self.crosstable.add(results, times)

    def replace_pair_scores(self, scores: Sequence[PairScore]) -> None:
        """Replace numbers of pairs of matches after their results."""
        self.pair_scores.replace(self.crosstable, scores)

    def pair_results(self) -> Numbers:
        """Return the numbers of pairs that each bot has won, tied and lost, shape (3, bots)."""
        return self.pair_scores.results(self.crosstable)

    def rate(self) -> Ratings:
        """Return the ratings of all bots that have played."""
        index, scores = self.crosstable.index, self.pair_scores.copy()
        weights = cluster_weights(scores, self.crosstable)
        likelihood = Likelihood(self.crosstable, weights)
        new_bots = np.zeros(len(index) + 1 - len(self._theta))
        start = np.concatenate([self._theta[:-1], new_bots, self._theta[-1:]])
        is_same = np.array_equal(likelihood.groups, self._groups)  # the bots, and their connections
        theta, self._information = likelihood.maximum(start, self._information if is_same else None)
        self._theta, self._groups = theta, likelihood.groups
        variance = partial(gradient_variance, likelihood, theta, scores, weights)
        covariance = Covariance(likelihood, theta, variance)
        return _ratings_at(theta, index, likelihood.groups, covariance, self._anchor)


def _ratings_at(
    theta: Array,
    index: Mapping[str, int],
    groups: Numbers,
    variances: Variances,
    anchor: tuple[str, float] | None,
) -> Ratings:
    """Return ratings in Elo for a maximum of the likelihood.

    Args:
        theta: The maximum, in logits.
        index: The index of each bot.
        groups: The group of each bot, as in Likelihood.
        variances: The variances of the estimates.
        anchor: As in `arena.ratings.rate`.
    """
    elo = np.round(theta * ELO_PER_LOGIT, ROUND_DIGITS) + 0.0  # no -0.0
    fixed = None
    if anchor and anchor[0] in index:
        fixed, rating = anchor
        moved = groups == groups[index[fixed]]
        elo[:-1][moved] = elo[:-1][moved] - elo[index[fixed]] + rating
    ratings = elo.tolist()
    bots = sorted(index)
    members: dict[int, list[str]] = {}
    for bot in bots:
        members.setdefault(int(groups[index[bot]]), []).append(bot)
    elo_by_bot = {bot: ratings[index[bot]] for bot in bots}
    connected = sorted(members.values())
    return Ratings(elo_by_bot, ratings[-1], variances, index, connected, fixed)


class Sample(NamedTuple):
    """Ratings after a number of matches: rating and margin of each bot that has one."""

    matches: int
    ratings: dict[str, tuple[float, float]]


def rating_history(
    results: Iterable[NumberedResult],
    total: int,
    bots: Sequence[str],
    anchor: tuple[str, float] | None,
) -> list[Sample]:
    """Return samples at even distances, at most `SAMPLES`.

    Each estimate starts from the one before, and the results are read once. Margins are based on
    pairs; those with the same games are not told apart.

    Args:
        results: The results, in order.
        total: Their number, more or less.
        bots: The bots to sample.
        anchor: As in `arena.ratings.rate`.
    """
    rater, pairs, samples, count = Rater(anchor), _Pairs(), list[Sample](), 0
    rest = iter(results)
    while part := [*islice(rest, max(1, -(-total // SAMPLES)))]:
        rater.add([result for _, result in part])
        rater.replace_pair_scores(pairs.count(part))
        count += len(part)
        ratings = rater.rate()
        rated = [bot for bot in bots if bot in ratings.elo]
        samples.append(
            Sample(count, {bot: (ratings.elo[bot], ratings.margin(bot)) for bot in rated})
        )
    return samples


class _Pairs:
    """Numbers of pairs so far, by their score."""

    def __init__(self) -> None:
        self._halves: dict[int, Result] = {}  # by number of the pair
        self._times: Counter[tuple[str, str, int, int]] = Counter()

    def count(self, results: Iterable[NumberedResult]) -> list[PairScore]:
        """Count results, and return the changed scores."""
        changed = set()
        for number, (one, two, winner, _) in results:
            match = one, two, winner
            pair = None if number is None else (number + 1) // 2
            if pair is None:
                score = pair_score(match)
            elif pair in self._halves:
                score = pair_score(match, self._halves.pop(pair)[:3])
            else:
                self._halves[pair] = (*match, "")
                continue
            self._times[score] += 1
            changed.add(score)
        return [PairScore(*score, *3 * [self._times[score]]) for score in sorted(changed)]
