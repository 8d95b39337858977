"""Gain of a search by several threads: `python -m bench.search.threads`.

The gain needs idle processors, which a shared machine does not have. So the threads are
simulated: a subtree takes as long as it has nodes, and its start as long as START_NODES. The result
depends on nothing else: the gain, the nodes visited in vain, and the nodes of the guesses.
The times of one thread and of two, which take turns, follow.
"""

import argparse
import time
from dataclasses import dataclass

from bench.search.programs import MismatchError
from core.game import Game
from core.registry import game_of
from core.search import search
from core.search.threads import Count, Subtree, Tree, plies_to_walk
from core.take_stones import Board

START_NODES = 20_000  # about 0.2 ms
CASES = [
    (Board(50), 12),
    (Board(50), 13),
    (Board(60, [3, 6]), 13),
    (Board(64), 11),
    (Board(100), 9),
    (Board(200), 7),
    (Board(1000), 5),
    (Board(40), 0),
]
HEADING = "stones depth        nodes  threads  gain  in vain  guesses  seconds  of one thread"


@dataclass
class Run:
    """A simulated search: all numbers are nodes."""

    duration: int = 0
    visited: int = 0
    guessed: int = 0


def simulate(game: Game, board: Board, depth: int, threads: int) -> Run:
    """Search with threads that are simulated."""
    tree = Tree(game, board, depth, plies_to_walk(game, board, depth, threads))
    run = Run()
    counts: dict[Subtree, Count] = {}
    started: dict[Subtree, int] = {}
    while subtrees := tree.unknown(threads):
        for subtree in started.keys() - set(subtrees):
            run.visited += min(run.duration - started.pop(subtree), counts[subtree].visited)
        for subtree in subtrees:
            started.setdefault(subtree, run.duration)
            counts[subtree] = counts.get(subtree) or tree.search(subtree)
        ends = {one: begun + START_NODES + counts[one].visited for one, begun in started.items()}
        first = min(ends, key=ends.__getitem__)
        run.duration = ends[first]
        run.visited += counts[first].visited
        tree.learn(first, counts[first])
        del started[first]
    run.guessed = tree.guessed_nodes
    return run


def timed(board: Board, depth: int, threads: int) -> float:
    """Return the seconds of a search."""
    start = time.monotonic()
    search(board, depth, threads=threads)
    return time.monotonic() - start


def row(board: Board, depth: int, threads: int, runs: int) -> str:
    """Return the line of a case. Raises MismatchError."""
    nodes = search(board, depth).nodes_visited
    if search(board, depth, threads=threads) != search(board, depth):
        raise MismatchError(f"{board.n} stones, depth {depth}: the results differ")
    run = simulate(game_of(board), board, depth, threads)
    gain = nodes / (run.duration + run.guessed / threads)
    vain = max(0, run.visited - nodes) / nodes
    seconds, alone = zip(
        *((timed(board, depth, threads), timed(board, depth, 1)) for _ in range(runs)), strict=True
    )
    return (
        f"{board.n:6d} {depth:5d} {nodes:12,d} {threads:8d} {gain:5.2f} {vain:8.1%}"
        f" {run.guessed / nodes:8.1%} {min(seconds):8.2f} {min(alone):14.2f}"
    )


def main() -> None:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.search.threads")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    print(HEADING)
    for board, depth in CASES:
        print(row(board, depth, arguments.threads, arguments.runs), flush=True)


if __name__ == "__main__":
    main()
