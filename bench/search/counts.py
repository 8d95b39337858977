"""Speed of counts of full-depth searches, compared with the searches in the same run.

Both must find the same. Times are processor time, of all threads together.
"""

import time
from collections.abc import Iterator
from statistics import median

from bench.search.programs import MismatchError
from core.search import SearchResult, search
from core.take_stones import Board
from core.take_stones.counts import count

STONES = [40, 44, 46]
MAX_RUNS = 3

HEADING = "  stones        nodes  search s  count s  times as fast  lowest..highest"


def run_search(stones: int) -> tuple[SearchResult, float]:
    """Search the initial position to the end of the game; also return the seconds."""
    start = time.process_time()
    found = search(Board(stones))
    return found, time.process_time() - start


def run_count(stones: int) -> tuple[SearchResult, float]:
    """Count the same search; also return the seconds."""
    start = time.process_time()
    found = count(Board(stones))
    return found, time.process_time() - start


def measure(stones: int, runs: int) -> str:
    """Return the line of a number of stones. Raises MismatchError."""
    pairs = [(run_search(stones), run_count(stones)) for _ in range(min(runs, MAX_RUNS))]
    if len({found for pair in pairs for found, _ in pair}) > 1:
        raise MismatchError(f"{stones} stones: the counts differ")
    ratios = [theirs / ours for (_, theirs), (_, ours) in pairs]
    searched = median(theirs for (_, theirs), _ in pairs)
    counted = median(ours for _, (_, ours) in pairs)
    spread = f"{min(ratios):.1f}..{max(ratios):.1f}"
    nodes = pairs[0][0][0].nodes_visited
    return (
        f"{stones:8d} {nodes:12d} {searched:9.2f} {counted:8.2f}"
        f"  {median(ratios):13.1f}  {spread:>15}"
    )


def table(runs: int) -> Iterator[str]:
    """Yield the lines of the table. Raises MismatchError."""
    yield HEADING
    for stones in STONES:
        yield measure(stones, runs)
