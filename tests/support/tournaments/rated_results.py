"""Random results of rated matches, and variances for tests."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from arena.model.results import MISSING, PairScore, RatedResult, Tally, Termination
from arena.ratings.bradley_terry import ELO_PER_LOGIT

TERMINATIONS = (Termination.NO_LEGAL_MOVE, Termination.TIMEOUT)


class EqualVariances:
    """Independent estimates with the same standard deviation, in Elo."""

    def __init__(self, deviation: float) -> None:
        self._variance = (deviation / ELO_PER_LOGIT) ** 2

    def variance(self, factors: Mapping[int, float]) -> float:
        return self._variance * math.fsum(factor**2 for factor in factors.values())


def single_scores(tally: Tally) -> list[PairScore]:
    """Return the scores of matches outside of pairs, in which different games were played."""
    times: Counter[tuple[str, str, int, int]] = Counter()
    for result, number in tally.items():
        one, two = sorted((result.one, result.two))
        half_points = int(2 * result.points[one != result.one])
        as_first, as_second = (
            (MISSING, half_points) if one != result.one else (half_points, MISSING)
        )
        times[one, two, as_first, as_second] += number
    return [PairScore(*score, number, number, number) for score, number in times.items()]


def random_results(
    bots: Sequence[str], matches: int, seed: int = 1, draws: float = 0.1
) -> list[RatedResult]:
    """Return results between random bots with ratings around 0."""
    random = Random(seed)
    logits = {bot: random.gauss(0, 1) for bot in bots}
    results = []
    for _ in range(matches):
        one, two = random.sample(bots, 2)
        chance = 1 / (1 + math.exp(logits[two] - logits[one] - 0.2))
        winner = None if random.random() < draws else 1 if random.random() < chance else 2
        ending = random.choice(TERMINATIONS) if winner else Termination.GAME_OVER
        results.append(RatedResult(one, two, winner, ending))
    return results
