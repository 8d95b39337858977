"""Error rates and length of sequential tests, by simulation: `python -m bench.ratings.sprt`.

Each test compares two bots that differ exactly by H0, by H1 or by the middle between them. The
openings favour a side by some Elo, which side is random in each pair, and some matches are drawn.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, product
from random import Random
from statistics import fmean, quantiles
from typing import NamedTuple

from arena.processors import usable_processors
from arena.ratings.sprt import Hypothesis, Model, SequentialTest, Sprt
from bench.goals import met
from tests.support.tournaments.random_pairs import (
    distribution_with,
    true_elo,
    true_nelo,
)

BIASES = (0, 200, 400, 800)  # Elo
DRAWS = (0.0, 0.7)
WORDS = ("elo0=0 elo1=50", "nelo0=0 nelo1=50")
PLACES = (0, 0.5, 1)  # of the true difference between H0 and H1
HEADING = """\
                            pairs (mean, 90 % at most) at
bias  draws  alpha   beta   H0               the middle       H1"""
TOLERANCE = 0.03  # of an error rate above its nominal value, with the noise of the simulation


class Case(NamedTuple):
    """Simulated tests of bots that differ by a share of the way from H0 to H1."""

    words: str
    place: float
    bias: float
    draws: float
    runs: int


class Outcome(NamedTuple):
    """The share of tests that accept H1, and the number of pairs that they take."""

    accepted: float
    mean: float
    last_decile: float


def simulate(case: Case) -> Outcome:
    """Simulate the tests of a case."""
    sprt = Sprt.parse(case.words.split())
    difference = sprt.elo0 + case.place * (sprt.elo1 - sprt.elo0)
    chances = _chances(sprt.model, difference, case.bias, case.draws)
    random = Random(repr(case))
    tests = [_run(sprt, chances, random) for _ in range(case.runs)]
    pairs = [test.pairs for test in tests]
    accepted = sum(test.accepted is Hypothesis.H1 for test in tests) / case.runs
    return Outcome(accepted, fmean(pairs), quantiles(pairs, n=10)[-1])


def _chances(model: Model, difference: float, bias: float, draws: float) -> list[float]:
    measure = true_nelo if model is Model.NORMALISED else true_elo
    return distribution_with(measure, difference, bias, draws)


def _run(sprt: Sprt, chances: list[float], random: Random) -> SequentialTest:
    test = SequentialTest(sprt)
    while not test.accepted:
        for half_points in random.choices(range(5), chances, k=64):
            test.add(test.pairs + 1, half_points / 2)
            if test.accepted:
                break
    return test


def batched(outcomes: Iterator[Outcome]) -> Iterator[tuple[Outcome, ...]]:
    """Yield the outcomes of the same openings together."""
    while group := tuple(islice(outcomes, len(PLACES))):
        yield group


def cases(words: str, runs: int) -> Iterator[Case]:
    """Yield the cases of a test."""
    for bias, draws, place in product(BIASES, DRAWS, PLACES):
        yield Case(words, place, bias, draws, runs)


def main() -> int:
    """Print the tables; return 1 if an error rate is too high."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratings.sprt",
        description="Simulate sequential tests with alpha = beta = 0.05.",
    )
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="tests in each case")
    parser.add_argument("--sprt", nargs="+", action="append", metavar="KEY=VALUE")
    arguments = parser.parse_args()
    worst = 0.0
    with ProcessPoolExecutor(usable_processors()) as pool:
        for words in [" ".join(words) for words in arguments.sprt or []] or WORDS:
            print(f"{words}, {arguments.runs} tests in each case")
            print(HEADING)
            outcomes = pool.map(simulate, cases(words, arguments.runs))
            for (bias, draws), found in zip(product(BIASES, DRAWS), batched(outcomes), strict=True):
                alpha, beta = found[0].accepted, 1 - found[-1].accepted
                lengths = "  ".join(f"{case.mean:7,.0f} {case.last_decile:7,.0f}" for case in found)
                print(f"{bias:4}  {draws:5}  {alpha:5.3f}  {beta:5.3f}  {lengths}", flush=True)
                worst = max(worst, alpha, beta)
    good = worst <= 0.05 + TOLERANCE
    print(f"largest error rate {worst:.3f} (goal {0.05 + TOLERANCE}: {met(good)})")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
