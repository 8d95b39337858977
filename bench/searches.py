"""The searches that are compared: the project's own, and those written in C.

Both tell what they found and the processor seconds of the search alone: not of starting a process,
nor of time in which the machine was busy with something else.
"""

import os
import shlex
import shutil
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from core.game import Position
from core.search import search

FOLDER = Path(__file__).parent
# Vectors would read four words just after one was written, which the processor has to wait for:
# they halve the reference's speed on large boards.
OPTIONS = ["-O3", "-fno-tree-vectorize"]


class CompilerError(Exception):
    """There is no C compiler, or it failed."""


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


def compiler() -> list[str]:
    """The command of the C compiler: $CC, else gcc. Raises CompilerError."""
    command = shlex.split(os.environ.get("CC", "")) or ["gcc"]
    if shutil.which(command[0]) is None:
        raise CompilerError(f"no C compiler: {command[0]} is not installed; install gcc or set CC")
    return command


class CSearch:
    """A program compiled from a C file of this folder, which searches the first move of a game."""

    def __init__(self, program: Path, source: str, *options: str) -> None:
        self.program = program
        command = [*compiler(), *OPTIONS, *options, str(FOLDER / source), "-o", str(program)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            lines = result.stderr.splitlines() or [f"exit status {result.returncode}"]
            raise CompilerError(f"{command[0]} cannot compile {source}: {lines[0]}")

    def run(self, *arguments: int) -> Run:
        """Search with this program, in a process of its own."""
        command = [str(self.program), *map(str, arguments)]
        line = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        move, value, visited, evaluated, max_depth, seconds = line.split()
        found = Found(int(move), float(value), int(visited), int(evaluated), int(max_depth))
        return Run(found, float(seconds))


def stones_search(folder: Path, stones: int, lists: bool = False) -> CSearch:
    """take_stones.c, for boards of up to `stones` stones, with masks or with lists."""
    words = (stones + 63) // 64
    program = folder / f"take_stones-{words}{'-lists' if lists else ''}"
    return CSearch(program, "take_stones.c", f"-DWORDS={words}", *(["-DLISTS"] if lists else []))
