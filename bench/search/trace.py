"""Speed and memory of the trace of alpha-beta: `python -m bench.search.trace`.

The trace visits the nodes of the search in Python (core/search/generic.py) and yields events. Both
take turns in one process, so that the ratio of neighbouring runs is meaningful; a trace with other
counts fails. Memory is the growth of the peak of a process of its own, per million events.
"""

import argparse
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from statistics import median

from arena.teaching import SearchedTree, trace
from arena.teaching.events import Event
from bench.memory import peak_memory
from bench.search.programs import MismatchError
from core import GAMES
from core.game import Position
from core.isolation import Board as IsolationBoard
from core.search import Limits
from core.search.generic import search_position
from core.take_stones import Board as StonesBoard

CASES: list[tuple[str, Position, int]] = [
    ("20 stones", StonesBoard(20), 0),
    ("isolation", IsolationBoard(), 3),
]
MILLION = 1_000_000
MEMORY_CASE = StonesBoard(40)

HEADING = (
    "        game depth    nodes   events  search kN/s  trace kN/s  ratio  kevents/s"
    "  tree kN/s  ratio"
)


def timed(function: Callable[[], object]) -> float:
    """Return the processor time of a call, in seconds."""
    start = time.process_time()
    function()
    return time.process_time() - start


def row(game: str, board: Position, depth: int, runs: int) -> str:
    """Return the line of a case. Raises MismatchError."""
    rules = GAMES.of(board)
    found = search_position(rules, board, Limits(depth), None)
    totals = SearchedTree.after(trace(board, depth)).totals
    if totals != found[:5]:
        raise MismatchError(f"{game}, depth {depth}: the results differ: {totals}, {found}")
    events = sum(1 for _ in trace(board, depth))
    nodes = found.nodes_visited
    searches, traces, trees = [], [], []
    for _ in range(runs):
        searches.append(timed(lambda: search_position(rules, board, Limits(depth), None)))
        traces.append(timed(lambda: deque(trace(board, depth), maxlen=0)))
        trees.append(timed(lambda: SearchedTree.after(trace(board, depth))))
    trace_ratio = median(one / other for one, other in zip(searches, traces, strict=True))
    tree_ratio = median(one / other for one, other in zip(searches, trees, strict=True))
    return (
        f"{game:>12} {depth:5d} {nodes:8d} {events:8d}  {nodes / median(searches) / 1e3:11.0f}"
        f"  {nodes / median(traces) / 1e3:10.0f}  {trace_ratio:5.2f}"
        f"  {events / median(traces) / 1e3:9.0f}  {nodes / median(trees) / 1e3:9.0f}"
        f"  {tree_ratio:5.2f}"
    )


def pass_by(events: Iterable[Event]) -> object:
    """Keep no event."""
    return deque(events, maxlen=0)


def growth(keep: Callable[[Iterable[Event]], object]) -> int:
    """Return the growth of the peak of this process while a million events are kept, in KiB."""
    deque(islice(trace(MEMORY_CASE), 1000), maxlen=0)  # so that loading is not measured
    before = peak_memory()
    kept = keep(islice(trace(MEMORY_CASE), MILLION))
    after = peak_memory()
    del kept
    return after - before


def table(runs: int) -> Iterator[str]:
    """Yield the lines of the tables. Raises MismatchError."""
    yield HEADING
    for game, board, depth in CASES:
        yield row(game, board, depth, runs)
    yield "ratio: speed by that of the search in Python, median of neighbouring runs\n"
    kinds: dict[str, Callable[[Iterable[Event]], object]] = {
        "a million events, none kept": pass_by,
        "a million events in a list": list,
        "a million events as a searched tree": SearchedTree.after,
    }
    for kind, keep in kinds.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            yield f"{kind:>36}: {process.submit(growth, keep).result() / 1024:6.1f} MiB"


def main() -> int:
    """Print the tables. Return the exit status: 1 after a mismatch."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.search.trace",
        description="Compare the trace of alpha-beta with the search in Python.",
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    try:
        for line in table(parser.parse_args().runs):
            print(line, flush=True)
    except MismatchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
