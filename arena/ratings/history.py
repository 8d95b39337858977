"""Ratings after each part of a sequence of results."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from arena.model.results import PairScore, pair_score
from arena.ratings.crosstable import Result
from arena.ratings.rater import Rater

SAMPLES = 200

NumberedResult = tuple[int | None, Result]
"""Number of a match in the schedule, None outside of one, and its result."""


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
        anchor: As in `bradley_terry.rate`.
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
