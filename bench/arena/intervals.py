"""Coverage of the intervals of ratings, by simulation: `python -m bench.arena.intervals`.

Each row simulates tournaments of bots whose true ratings are known. An opening favours player 1 or
player 2 by a number of Elo points, the same in both matches of its pair. The coverage is the share
of the 95 % intervals, of differences between bots and of ratings, that hold the true value: the
estimate from the expected scores of the same matches. Where openings decide all matches, intervals
are wider than needed: nothing varies.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.ratings.bradley_terry import Ratings
from arena.ratings.clusters import PairResult, rate_pairs
from bench.goals import met

Graph = Sequence[tuple[int, int]]

LOW, HIGH = 93.0, 97.0  # percent
GRAPHS: dict[str, tuple[Graph, Sequence[int]]] = {
    "2 bots": ([(0, 1)], (20, 50, 200, 2000)),
    "round robin of 4": ([*combinations(range(4), 2)], (5, 20, 100)),
    "round robin of 8": ([*combinations(range(8), 2)], (1, 3, 10)),
    "path of 8": ([(bot, bot + 1) for bot in range(7)], (5, 20)),
    "gauntlet of 8": ([(0, bot) for bot in range(1, 9)], (5, 20)),
    "Swiss of 16": (
        [(bot, (bot + step) % 16) for step in (1, 2, 3) for bot in range(16)],
        (1, 3),
    ),
}
SPREADS = (0.0, 300.0)  # Elo between the best and the worst bot
BIASES = (0.0, 200.0, 400.0, 800.0, 1600.0)  # Elo, standard deviation over openings


class Case(NamedTuple):
    """A kind of tournament: its pairings, their pairs, and the Elo of bots and openings."""

    name: str
    graph: Graph
    pairs: int
    spread: float
    bias: float


def main() -> None:
    """Print a row for each case; the exit status is 1 if a coverage is below the goal."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.arena.intervals")
    parser.add_argument("--tournaments", type=int, default=400, help="in each row (default: 400)")
    parser.add_argument("--copies", type=int, default=1, help="of each pair (default: 1)")
    options = parser.parse_args()
    print(f"{'bots':<18} {'pairs':>5} {'spread':>6} {'bias':>5}  covered")
    counts = {"below": 0, "within": 0, "above": 0}
    for case in cases():
        share = coverage(case, options.tournaments, options.copies)
        noise = 1.96 * math.sqrt(5 * 95 / options.tournaments)
        where = "below" if share + noise < LOW else "above" if share - noise > HIGH else "within"
        counts[where] += 1
        mark = "" if where == "within" else f"  {where}"
        print(
            f"{case.name:<18} {case.pairs:>5} {case.spread:>6.0f} {case.bias:>5.0f}"
            f"  {share:5.1f} %{mark}",
            flush=True,
        )
    print(
        f"{counts['within']} rows from {LOW:.0f} to {HIGH:.0f} %, within the noise of the"
        f" simulation; {counts['above']} above; {counts['below']} below:"
        f" {met(counts['below'] == 0)}"
    )
    raise SystemExit(counts["below"] > 0)


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for name, (graph, numbers) in GRAPHS.items():
        for pairs in numbers:
            for spread in SPREADS:
                for bias in BIASES:
                    yield Case(name, graph, pairs, spread, bias)


def coverage(case: Case, tournaments: int, copies: int = 1, seed: int = 1) -> float:
    """Return the percentage of intervals that hold the true value.

    Args:
        case: The kind of tournament.
        tournaments: The number of simulated tournaments.
        copies: How often each pair is counted, with the same games.
        seed: Seed of the simulation.
    """
    random = np.random.default_rng(seed)
    bots = 1 + max(max(pair) for pair in case.graph)
    elo = np.linspace(case.spread / 2, -case.spread / 2, bots)
    true = _true_ratings(case, elo)
    covered = total = 0
    for _ in range(tournaments):
        ratings = rate_pairs([*_play(case, elo, random)] * copies)
        for estimate, margin, truth in _intervals(ratings, true, bots):
            covered += abs(estimate - truth) <= margin
            total += 1
    return 100 * covered / total


def _intervals(ratings: Ratings, true: Ratings, bots: int) -> Iterator[tuple[float, float, float]]:
    for one, two in {(0, 1), (0, bots - 1), (bots // 2 - 1, bots // 2)}:
        first, second = _name(one), _name(two)
        yield *ratings.difference(first, second), true.difference(first, second)[0]
    for bot in (0, bots // 2):
        yield ratings.elo[_name(bot)], ratings.margin(_name(bot)), true.elo[_name(bot)]


def _play(case: Case, elo: np.ndarray, random: np.random.Generator) -> Iterator[PairResult]:
    one, two = np.tile(case.graph, (case.pairs, 1)).T
    ahead = elo[one] - elo[two]
    opening = random.normal(0, case.bias, len(ahead))
    first = random.random(len(ahead)) < _score(ahead + opening)
    second = random.random(len(ahead)) < _score(ahead - opening)
    for number, (bot, other, won, won_second) in enumerate(
        zip(one.tolist(), two.tolist(), first.tolist(), second.tolist(), strict=True)
    ):
        points = float(won), float(won_second)
        yield PairResult((_name(bot), _name(other)), points, ((number, 1), (number, 2)))


TRUE_PAIRS = 100_000  # for every two bots, in the proportions that are expected


def _true_ratings(case: Case, elo: np.ndarray) -> Ratings:
    """Return the ratings to which the estimates converge."""
    from arena.ratings.rater import Rater

    points, weights = np.polynomial.hermite_e.hermegauss(99)
    rater = Rater()
    for one, two in {*case.graph}:
        ahead = elo[one] - elo[two] + case.bias * points
        share = float(_score(ahead) @ weights / weights.sum())
        wins = round(TRUE_PAIRS * share)
        for bots, won in (
            ((one, two), wins),
            ((two, one), TRUE_PAIRS - wins),
        ):
            names = _name(bots[0]), _name(bots[1])
            rater.add([(*names, 1, ""), (*names, 2, "")], [won, TRUE_PAIRS - won])
    return rater.rate()


def _name(bot: int) -> str:
    return f"bot {bot:02}"


def _score(ahead: np.ndarray) -> np.ndarray:
    score: np.ndarray = 1 / (1 + 10 ** (-ahead / 400))
    return score


if __name__ == "__main__":
    main()
