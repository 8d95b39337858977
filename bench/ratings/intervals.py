"""Coverage of the intervals of a difference, by simulation: `python -m bench.ratings.intervals`.

The openings favour a side by some Elo, which side is random in each pair. The truth is the Elo
difference of the distribution of the pairs' scores, or the normalised one. Coverage is above the
nominal 95 % if there are few results that are possible: few pairs, or nearly all of them 1-1.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from arena.ratings.sprt import estimate_elo, estimate_nelo
from bench.goals import met
from tests.support.tournaments.random_pairs import pair_distribution, true_elo, true_nelo

PAIRS = (20, 50, 100, 200, 500, 2000)
BIASES = (0, 200, 400, 800)  # Elo
DIFFERENCES = (0, 50, 100, 200, 300)  # Elo, from an unbiased opening
DRAWS = (0.0, 0.7)
ESTIMATES = {"Elo": (estimate_elo, true_elo), "normalised Elo": (estimate_nelo, true_nelo)}
LOWEST = {"Elo": 0.925, "normalised Elo": 0.91}  # coverage, with the noise of the simulation

Counts = tuple[int, ...]


def coverage(
    samples: Counter[Counts], truth: float, estimate: Callable[[Counts], tuple[float, float]]
) -> float:
    """Return the share of samples with the truth in their interval."""
    hits = 0
    for counts, number in samples.items():
        value, margin = estimate(counts)
        hits += number * (abs(value - truth) <= margin)
    return hits / samples.total()


def draw_samples(chances: Sequence[float], pairs: int, runs: int) -> Counter[Counts]:
    """Draw the pairs by score; without draws there are three scores."""
    scores = chances if chances[1] else chances[::2]
    drawn = np.random.default_rng(pairs).multinomial(pairs, scores, size=runs)
    return Counter(map(tuple, drawn.tolist()))


def main() -> int:
    """Print a table for each kind of difference; return 1 if a coverage is too low."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratings.intervals",
        description="Simulate 95 % intervals of the difference of two bots.",
    )
    parser.add_argument("--runs", type=int, default=10_000, metavar="N", help="in each case")
    runs = parser.parse_args().runs
    is_good = True
    for unit, (estimate, truth) in ESTIMATES.items():
        print(f"{unit}: % of intervals with the truth, lowest and highest over differences of")
        print(f"{DIFFERENCES} Elo, without draws and with\n")
        print("pairs " + "".join(f"{f'bias {bias}':>15}" for bias in BIASES))
        lowest = 1.0
        for pairs in PAIRS:
            columns = []
            for bias in BIASES:
                found = []
                for elo, draws in product(DIFFERENCES, DRAWS):
                    chances = pair_distribution(elo, bias, draws)
                    samples = draw_samples(chances, pairs, runs)
                    found.append(coverage(samples, truth(chances), estimate))
                columns.append(f"{min(found) * 100:.1f} - {max(found) * 100:.1f}")
                lowest = min(lowest, *found)
            print(f"{pairs:5} " + "".join(f"{column:>15}" for column in columns), flush=True)
        is_good &= lowest >= LOWEST[unit]
        goal = f"goal {LOWEST[unit] * 100:g}: {met(lowest >= LOWEST[unit])}"
        print(f"\nlowest {lowest * 100:.1f} ({goal})\n")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
