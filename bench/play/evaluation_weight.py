"""Size of the two terms of Isolation's evaluation in real games.

Run it with `python -m bench.play.evaluation_weight`. The engine plays itself from random openings.
In every position, for both pieces, it measures the number of available moves and the average
distance from the occupied squares: the quotient of their means is the weight of the distance with
which both terms contribute equally.
"""

import argparse
import random
from collections.abc import Iterator
from statistics import fmean, pstdev

from core.isolation import Board
from core.search import search

OPENING = 4  # random moves, so that games differ
SEED = 1
PIECES = {1: "x", 2: "o"}


def positions(games: int, depth: int) -> Iterator[Board]:
    """Yield the positions of some games, after their openings."""
    rng = random.Random(SEED)
    for _ in range(games):
        board = Board()
        while not board.is_over:
            if len(board.moves) < OPENING:
                board.play(rng.choice(board.legal_moves()))
            else:
                yield board
                board.play(search(board, depth).move)


def moves(board: Board, player: int) -> int:
    """Return the number of moves that a player's piece has."""
    return len(Board.from_rows(board.rows, player).legal_moves())


def distance(board: Board, player: int) -> float:
    """Return the average distance of a player's piece from the other occupied squares."""
    symbols = "".join(board.rows)
    row, column = divmod(symbols.index(PIECES[player]), 8)
    occupied = [divmod(square, 8) for square in range(64) if symbols[square] not in "-"]
    steps = [max(abs(r - row), abs(c - column)) for r, c in occupied]
    return sum(steps) / (len(steps) - 1)  # without its own square


def main() -> None:
    """Print a line for each depth."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.evaluation_weight",
        description="Measure both parts of Isolation's evaluation.",
    )
    parser.add_argument("--games", type=int, default=200, help="games per depth (default: 200)")
    games = parser.parse_args().games
    print("depth  positions  moves mean, spread  distance mean, spread  quotient of means, spreads")
    for depth in (1, 2, 3, 4, 5):
        pairs = [
            (moves(board, player), distance(board, player))
            for board in positions(games, depth)
            for player in PIECES
        ]
        m, d = zip(*pairs, strict=True)
        print(
            f"{depth:5d}  {len(pairs) // 2:9d}  {fmean(m):10.2f}  {pstdev(m):6.2f}"
            f"  {fmean(d):13.2f}  {pstdev(d):6.2f}"
            f"  {fmean(m) / fmean(d):17.2f}  {pstdev(m) / pstdev(d):7.2f}"
        )


if __name__ == "__main__":
    main()
