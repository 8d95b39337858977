"""Timed searches: the project's own, and the references in C.

Both return their result and the processor time of the search alone, without the start of a process.
"""

import time
from pathlib import Path
from typing import NamedTuple

from bench.search.programs import compile_program, output
from core.game import Position
from core.search import search

# Vectorised code reads four words right after one was written, which stalls the processor: it
# halves the reference's speed on large boards.
NO_VECTORS = "-fno-tree-vectorize"


class Found(NamedTuple):
    """The result of a search, without its time."""

    move: int
    value: float
    visited: int
    evaluated: int
    max_depth: int


class Run(NamedTuple):
    """A timed search."""

    found: Found
    seconds: float

    @property
    def speed(self) -> float:
        """Return the nodes visited per second."""
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
    """A program compiled from a C file of this folder, which searches an initial position."""

    def __init__(self, program: Path, source: str, *options: str) -> None:
        self.program = program
        compile_program(program, source, NO_VECTORS, *options)

    def run(self, *arguments: int) -> Run:
        """Search with this program, in a separate process."""
        words = output(self.program, *arguments)
        move, value, visited, evaluated, max_depth, seconds = words
        found = Found(int(move), float(value), int(visited), int(evaluated), int(max_depth))
        return Run(found, float(seconds))


def stones_search(folder: Path, stones: int, lists: bool = False) -> CSearch:
    """Compile take_stones.c for boards of up to `stones` stones, with masks or with lists."""
    words = (stones + 63) // 64
    program = folder / f"take_stones-{words}{'-lists' if lists else ''}"
    return CSearch(program, "take_stones.c", f"-DWORDS={words}", *(["-DLISTS"] if lists else []))
