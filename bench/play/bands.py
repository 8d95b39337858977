"""Pieces of the graph of Take-Stones behind the two bands of winning first moves.

Run it with `python -m bench.play.bands`. For random numbers of stones it removes the set A of the
Gallai-Edmonds decomposition and measures the pieces that are left, and the first moves that win in
the largest one and in all others. The last column is the share of the first moves that small boards
would give if every one lived on (docs/explanation/theory.md): the moves jp for which j wins with k
stones and p is a prime above n/(k + 1) and not above n/k, for all k below the root of n.
"""

import argparse
import random
from bisect import bisect_right
from math import isqrt

import networkx as nx

from core.take_stones import Board
from core.take_stones.solver import Solver, WinningOpenings

LEAST, MOST = 10_000, 100_000  # stones
SEED = 1


def graph(stones: list[int], n: int) -> nx.Graph:
    """Return the graph of some of the stones 1 to n."""
    present = set(stones)
    edges = (
        (stone, multiple)
        for stone in stones
        for multiple in range(2 * stone, n + 1, stone)
        if multiple in present
    )
    result = nx.Graph(edges)
    result.add_nodes_from(stones)
    return result


def primes(limit: int) -> list[int]:
    """Return the primes up to a limit."""
    is_prime = bytearray([0, 0]) + bytearray([1]) * (limit - 1)
    for number in range(2, isqrt(limit) + 1):
        if is_prime[number]:
            is_prime[number**2 :: number] = bytes(len(range(number**2, limit + 1, number)))
    return [number for number in range(limit + 1) if is_prime[number]]


def echo(n: int, winning: dict[int, int], known: list[int]) -> int:
    """Return the number of first moves that small boards would give."""
    return sum(
        winning[k] * (bisect_right(known, n // k) - bisect_right(known, n // (k + 1)))
        for k in range(1, isqrt(n))
    )


def row(n: int, winning: dict[int, int], known: list[int]) -> str:
    """Return the row of a number of stones."""
    board = Board(n)
    solver = Solver(board)
    kinds, moves = solver.kinds(), solver.winning_moves()
    rest = [stone for stone, kind in kinds.items() if kind != "inner"]
    largest, second, *_ = sorted(nx.connected_components(graph(rest, n)), key=len, reverse=True)
    inside = sum(move in largest for move in moves)
    percents = [
        f"{100 * count / len(board.legal_moves()):.1f} %"
        for count in (inside, len(moves) - inside, echo(n, winning, known))
    ]
    band = "upper" if len(largest) % 2 else "lower"
    size = f"{len(largest):,} ({100 * len(largest) / n:.1f} %)"
    return f"| {n:,} | {band} | {size} | {len(second)} | {' | '.join(percents)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.bands",
        description="Measure the pieces behind the bands of winning first moves.",
    )
    parser.add_argument("--numbers", type=int, default=40, help="numbers of stones (default: 40)")
    numbers = parser.parse_args().numbers
    rng = random.Random(SEED)
    winning = {n: len(moves) for n, moves in WinningOpenings(1, isqrt(MOST))}
    known = primes(MOST)
    print("| stones | band | largest piece | next | won in it | in others | small boards |")
    print("|---|---|---|---|---|---|---|")
    for n in sorted(rng.sample(range(LEAST, MOST + 1), numbers)):
        print(row(n, winning, known), flush=True)


if __name__ == "__main__":
    main()
