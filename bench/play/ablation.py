"""Worth of each part of Isolation's strong search: `python -m bench.play.ablation`.

The core is copied and compiled once for each part, without that part, and plays a duel against the
whole. A part without which the search is not weaker should go.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.play.duel import duel, summary

TREE = Path(__file__).parents[2]
BUILD = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]


class Part(NamedTuple):
    """A part of the search, and how to take it out: a text of a file below core/isolation."""

    name: str
    file: str
    text: str
    without: str


SEARCH, TERRITORY = "strong/search.pyx", "strong/territory.pxd"
ORDERING, ENDING = "strong/ordering.pxd", "ending.pxd"
PARTS = [
    Part("territory", TERRITORY, "OWNED = 100 ", "OWNED = 1 "),
    Part("shared squares", TERRITORY, "SHARED = 30 ", "SHARED = 0 "),
    Part("mobility", TERRITORY, "MOBILE = 40 ", "MOBILE = 0 "),
    Part("exact endings", ENDING, "MOST_FREE = 43 ", "MOST_FREE = -1 "),
    Part("late move reductions", SEARCH, "REDUCED_DEPTH = 3 ", "REDUCED_DEPTH = MOST_PLIES "),
    Part("aspiration windows", SEARCH, "ASPIRATION_DEPTH = 4 ", "ASPIRATION_DEPTH = MOST_PLIES "),
    Part("transposition table", SEARCH, "if depth > 0 else NULL", "if False else NULL"),
    Part("growing table", SEARCH, "FEWEST_PAIRS = 1 << 13 ", "FEWEST_PAIRS = 1 << 18 "),
    Part("history", ORDERING, "DEPTH_BONUS = 16 ", "DEPTH_BONUS = 0 "),
]


def build(part: Part, folder: Path) -> None:
    """Compile the core without a part in a folder."""
    for subfolder in ("core", "build/cython"):  # with the latter little has to be compiled
        shutil.copytree(TREE / subfolder, folder / subfolder)
    shutil.copy(TREE / "setup.py", folder)
    file = folder / "core" / "isolation" / part.file
    text = file.read_text()
    assert part.text in text, f"{part.file} has no {part.text!r}"
    file.write_text(text.replace(part.text, part.without))
    subprocess.run(BUILD, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Print a line for each part: the result of the search without it against the whole."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.ablation",
        description="Measure what each part of Isolation's strong search is worth.",
    )
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games (default: 100)")
    parser.add_argument(
        "--seconds", type=float, default=0.02, help="processor time per move (default: 0.02)"
    )
    names = [part.name for part in PARTS]
    parser.add_argument(
        "--parts", nargs="+", metavar="PART", choices=names, default=names, help="default: all"
    )
    options = parser.parse_args()
    for part in PARTS:
        if part.name not in options.parts:
            continue
        with TemporaryDirectory() as folder:
            build(part, Path(folder))
            trees = str(TREE), folder
            scores = list(duel(trees, ("strong", "strong"), options.seconds, options.pairs))
        print(f"without {part.name}: {summary(scores)}", flush=True)


if __name__ == "__main__":
    main()
