"""`python -m tools.sequences FOLDER`: number sequences of Take-Stones as b-files.

A b-file, the format of the On-Line Encyclopedia of Integer Sequences, has a line `n a(n)` for each
term. The files are:

- b-losing.txt: the n-th number of stones with which player 1 loses;
- b-winning-openings.txt: how many first moves win with n stones;
- b-least-winning-opening.txt: the smallest first move that wins with n stones, 0 if none does.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from core.take_stones.solver import WinningOpenings

LOSING = "b-losing.txt"
COUNTS = "b-winning-openings.txt"
LEAST = "b-least-winning-opening.txt"
LAST = 100_000  # stones
LAST_LOSING = 1191  # docs/explanation/theory.md proves that it is the last


def b_file(terms: Iterable[int]) -> str:
    """Return a sequence from a(1) on as a b-file."""
    return "".join(f"{n} {term}\n" for n, term in enumerate(terms, start=1))


def files(last: int) -> dict[str, str]:
    """Return the contents of the files up to a number of stones of at least LAST_LOSING."""
    losing, counts, least = [], [], []
    for n, moves in WinningOpenings(1, last):
        counts.append(len(moves))
        least.append(moves[0] if moves else 0)
        if not moves:
            losing.append(n)
    return {LOSING: b_file(losing), COUNTS: b_file(counts), LEAST: b_file(least)}


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.sequences", description="Write sequences of Take-Stones as b-files."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are written")
    help_text = f"the largest number of stones (default: {LAST}), at least {LAST_LOSING}"
    parser.add_argument("--last", type=int, default=LAST, help=help_text)
    options = parser.parse_args()
    if options.last < LAST_LOSING:
        parser.error(f"--last must be at least {LAST_LOSING}, not {options.last}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in files(options.last).items():
        (options.folder / name).write_text(text)


if __name__ == "__main__":
    main()
