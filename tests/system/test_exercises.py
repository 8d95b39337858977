"""The worked exercises in examples/ print the answers to the assignment's written problems."""

import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise, permutations
from math import factorial
from pathlib import Path

import pytest

EXERCISES = Path(__file__).parents[2] / "examples" / "exercises"

# The lines that answer the problem on trees, computed by hand; below C and F the values are bounds.
TREE = """\
node     player  minimax returned    alpha     beta
A        Max           6        6        6      inf
  B      Min           5        5     -inf        5
    E    Max           5        5        5      inf
      e1 leaf          3        3     -inf      inf
      e2 leaf          5        5        3      inf
    F    Max           9        6     -inf        5
      f1 leaf          6        6     -inf        5
      f2 leaf          9        -        -        -
  C      Min           2        4        5      inf
    G    Max           4        4        5      inf
      g1 leaf          2        2        5      inf
      g2 leaf          4        4        5      inf
    H    Max           2        -        -        -
      h1 leaf          1        -        -        -
      h2 leaf          2        -        -        -
  D      Min           6        6        5        6
    I    Max           8        8        8      inf
      i1 leaf          8        8        5      inf
      i2 leaf          3        3        8      inf
    J    Max           6        6        6        8
      j1 leaf          6        6        5        8
      j2 leaf          2        2        6        8
Pruned branches:
  H below C: v <= alpha, as v = 4, alpha = 5, beta = inf
  f2 below F: v >= beta, as v = 6, alpha = -inf, beta = 5
Alpha-beta visits 18 of 22 nodes.
Alpha-beta: move D, value 6.
Minimax: value 6. The root never differs.
"""
CLIMB = """\
W-M-E-S has length 3.0. Its neighbours:
  M-W-E-S  2.2 shortest
  E-M-W-S  3.2
  S-M-E-W  2.9
  W-E-M-S  2.9
  W-S-E-M  2.6
  W-M-S-E  2.5
M-W-E-S has length 2.2. Its neighbours:
  W-M-E-S  3.0
  E-W-M-S  2.6
  S-W-E-M  2.7
  M-E-W-S  2.7
  M-S-E-W  2.0 shortest
  M-W-S-E  2.3
M-S-E-W has length 2.0. Its neighbours:
  S-M-E-W  2.9
  E-S-M-W  2.5
  W-S-E-M  2.6
  M-E-S-W  2.6
  M-W-E-S  2.2 shortest
  M-S-W-E  2.2 shortest
Stop: no neighbour is shorter than 2.0.
W-M-E-S > M-W-E-S > M-S-E-W
"""
DISTANCES = {"EM": 1.4, "ES": 0.5, "EW": 0.6, "MS": 0.9, "MW": 1.1, "SW": 0.7}


def output(name: str) -> str:
    command = [sys.executable, str(EXERCISES / name)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not run.stderr
    return run.stdout


def test_the_problem_on_minimax_and_alpha_beta() -> None:
    assert output("alpha_beta.py") == TREE


@pytest.fixture(scope="module")
def climb() -> str:
    return output("hill_climbing.py")


def test_hill_climbing_has_its_output_and_numbers(climb: str) -> None:
    assert climb.endswith("states\n" + CLIMB)
    found = re.findall(r"(\d+) places: .* = (\d+) neighbours, .* = ([\d,]+) states", climb)
    assert len(found) == 3
    for places, neighbours, states in found:
        n = int(places)
        assert (int(neighbours), int(states.replace(",", ""))) == (n * (n - 1) // 2, factorial(n))


def length(tour: Sequence[str]) -> float:
    return sum(DISTANCES["".join(sorted(leg))] for leg in pairwise(tour))


def test_lengths_are_sums_of_distances(climb: str) -> None:
    printed = re.findall(r"(\w-\w-\w-\w)(?: has length| ) (\d\.\d)", climb)
    assert len(printed) == 3 + 3 * 6
    for tour, found in printed:
        assert float(found) == pytest.approx(length(tour.split("-")))
    assert length("MSEW") == pytest.approx(min(map(length, permutations("MWES"))))
