"""Isolation on small boards, solved.

Run it with `python -m bench.play.small_boards --size 5`. An opening is an empty board on which the
pieces stand on any two squares, x to move; openings that a rotation or a reflection turns into each
other are one. The strong search to the end of the game proves who wins each, and a program in C++
that knows nothing but the rules must find the same. Then searches are asked for a move on each
opening that x wins, and it is proved whether that move wins.

`--start` solves the standard opening alone, whose pieces stand in opposite corners, by the program
in C++, and searches it within a number of nodes.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.search.programs import CompilerError, MismatchError, compile_program, output
from core.isolation import Board
from core.isolation.board import name
from core.search import SearchResult, StrongResult, search, strong_search

NODES = 200_000_000  # at most, of the search of a standard opening
TABLE, START_TABLE = 64, 4096  # MiB of the program in C++, for an opening and with --start

Square = tuple[int, int]
Opening = tuple[Square, Square]  # where x and o stand

SEARCHES: dict[str, Callable[[Board], SearchResult | StrongResult]] = {
    "spec:1": partial(search, depth=1),
    "spec:2": partial(search, depth=2),
    "spec:4": partial(search, depth=4),
    "spec:6": partial(search, depth=6),
    "strong:1": partial(strong_search, depth=1),
    "strong@nodes=100": partial(strong_search, nodes=100),
    "strong@nodes=1000": partial(strong_search, nodes=1000),
    "strong@nodes=10000": partial(strong_search, nodes=10_000),
}


def images(opening: Opening, size: int) -> Iterator[Opening]:
    """Yield the eight openings that rotations and reflections make of an opening."""
    x, o = opening
    for _ in range(4):
        x, o = ((column, size - 1 - row) for row, column in (x, o))
        yield x, o
        yield x[::-1], o[::-1]


def openings(size: int) -> Counter[Opening]:
    """Return an opening of each class, with the number of openings in the class."""
    squares = [(row, column) for row in range(size) for column in range(size)]
    return Counter(min(images((x, o), size)) for x in squares for o in squares if x != o)


def board_of(opening: Opening, size: int) -> Board:
    """Return the board of an opening."""
    rows = [["-"] * size for _ in range(size)]
    for piece, (row, column) in zip("xo", opening, strict=True):
        rows[row][column] = piece
    return Board.from_rows(rows)


def is_won(board: Board) -> bool:
    """Return whether the player to move wins, by a search to the end of all games."""
    if board.is_over:
        return False
    return (strong_search(board).value > 0) == (board.player_to_move == 1)


def wins(board: Board, move: int) -> bool:
    """Return whether a move wins."""
    after = board.copy()
    after.play(move)
    return not is_won(after)


class Proof(NamedTuple):
    """The result of the program in C++."""

    is_won: bool
    positions: int  # expanded
    seconds: float  # of processor time


def prove(program: Path, opening: Opening, size: int, table: int) -> Proof:
    """Return whether x wins an opening, by the program in C++ with a table of so many MiB."""
    squares = [row * size + column for row, column in opening]
    is_won, positions, seconds = output(program, size, table, *squares)
    return Proof(is_won == "1", int(positions), float(seconds))


def describe_openings(program: Path, size: int) -> Iterator[str]:
    """Yield lines about the openings of a size, and the searches on those that x wins.

    Raises MismatchError.
    """
    classes = openings(size)
    proofs = {each: prove(program, each, size, TABLE) for each in classes}
    won = {each: count for each, count in classes.items() if is_won(board_of(each, size))}
    for each, proof in proofs.items():
        if proof.is_won != (each in won):
            raise MismatchError(f"opening {each}: the program in C++ finds {proof.is_won}")
    positions = sum(proof.positions for proof in proofs.values())
    seconds = sum(proof.seconds for proof in proofs.values())
    yield f"C++ finds the same winners in {positions:,} positions, {seconds:.1f} s"
    start = Board(size=size)
    winning = [name(move) for move in start.legal_moves() if wins(start, move)]
    yield f"standard opening: {'x' if winning else 'o'} wins; winning moves: {' '.join(winning)}"
    yield f"openings: x wins {sum(won.values())} of {sum(classes.values())}"
    yield f"up to symmetry: {len(won)} of {len(classes)}"
    for title, choose in SEARCHES.items():
        boards = [board_of(opening, size) for opening in won]
        found = sum(wins(board, choose(board).move) for board in boards)
        is_right = wins(start, choose(start).move)
        yield f"{title}: {found} of {len(won)} winning moves; standard: {is_right}"


def describe_start(program: Path, size: int, nodes: int) -> Iterator[str]:
    """Yield lines about the standard opening of a size, proved and searched within nodes."""
    proof = prove(program, ((0, 0), (size - 1, size - 1)), size, START_TABLE)
    winner = "x" if proof.is_won else "o"
    yield f"C++: {winner} wins, {proof.positions:,} positions, {proof.seconds:.1f} s"
    found = strong_search(Board(size=size), nodes=nodes)
    variation = " ".join(map(name, found.variation))
    yield f"value {found.value:g}, depth {found.depth}, {found.nodes_visited:,} nodes: {variation}"


def main() -> None:
    """Print the results, and the processor time that they took."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.small_boards", description="Solve small boards of Isolation."
    )
    parser.add_argument(
        "--size", type=int, choices=range(3, 7), default=5, help="rows of the board (default: 5)"
    )
    parser.add_argument("--start", action="store_true", help="the standard opening alone")
    parser.add_argument("--nodes", type=int, default=NODES, help="most nodes with --start")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "isolation_proof"
        try:
            compile_program(program, "isolation_proof.cpp")
            lines = (
                describe_start(program, options.size, options.nodes)
                if options.start
                else describe_openings(program, options.size)
            )
            for line in lines:
                print(line, flush=True)
        except (CompilerError, MismatchError) as error:
            sys.exit(f"small_boards: {error}")
    print(f"{time.process_time():.1f} s of processor time")


if __name__ == "__main__":
    main()
