"""The searches that are compared: the project's own, and those written in C.

Both tell what they found and the processor seconds of the search alone: not of starting a process,
nor of time in which the machine was busy with something else.
"""

import time
from pathlib import Path
from typing import NamedTuple

from bench.search.programs import compile_program, output
from core.game import Position
from core.search import search

# Vectors would read four words just after one was written, which the processor has to wait for:
# they halve the reference's speed on large boards.
NO_VECTORS = "-fno-tree-vectorize"


class Found(NamedTuple):
    """What every correct search finds, whatever its speed."""

    move: int
    value: float
    visited: int
    evaluated: int
    max_depth: int


class Run(NamedTuple):
    """One timed search."""

    found: Found
    seconds: float

    @property
    def speed(self) -> float:
        """Nodes visited in a second."""
        return self.found.visited / self.seconds


def run_cython(board: Position, depth: int) -> Run:
    """Search a position with core.search, in this process."""
    start = time.process_time()
    result = search(board, depth)
    seconds = time.process_time() - start
    found = Found(
        result.move,
        result.value,
        result.nodes_visited,
        result.nodes_evaluated,
        result.max_depth,
    )
    return Run(found, seconds)


class CSearch:
    """A program compiled from a C file of this folder, which searches the first move of a game."""

    def __init__(self, program: Path, source: str, *options: str) -> None:
        self.program = program
        compile_program(program, source, NO_VECTORS, *options)

    def run(self, *arguments: int) -> Run:
        """Search with this program, in a process of its own."""
        words = output(self.program, *arguments)
        move, value, visited, evaluated, max_depth, seconds = words
        found = Found(int(move), float(value), int(visited), int(evaluated), int(max_depth))
        return Run(found, float(seconds))


def stones_search(folder: Path, stones: int, lists: bool = False) -> CSearch:
    """take_stones.c, for boards of up to `stones` stones, with masks or with lists."""
    words = (stones + 63) // 64
    program = folder / f"take_stones-{words}{'-lists' if lists else ''}"
    return CSearch(program, "take_stones.c", f"-DWORDS={words}", *(["-DLISTS"] if lists else []))
