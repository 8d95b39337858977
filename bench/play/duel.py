"""`python -m bench.play.duel <tree> <tree>`: which of two builds of the project plays Isolation better.

Each tree is a directory with this project in it, compiled. Its engine runs in a process of its own
and has the same time for every move. Pairs of games begin with the same random moves, and the
builds change sides between the two, so that no opening favours either. The second build's score
counts; its difference in Elo comes with the interval that holds the true one in 95 of 100 duels,
from the spread of the scores of the pairs. Two games of a pair are not independent, but pairs are.
"""

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf, log10, sqrt
from statistics import fmean, stdev
from typing import IO

from core.isolation import Board

OPENING = 4  # random moves, so that no two pairs are alike
SEED = 1

# What runs in a tree: it reads the seconds and the moves so far, and prints its move.
ENGINE = """
import sys
from core.isolation import Board
from core.search import deepen
for line in sys.stdin:
    seconds, *taken = line.split()
    print(deepen(Board(map(int, taken)), seconds=float(seconds)).move, flush=True)
"""


class Engine:
    """A build of the project, at work in its own process."""

    def __init__(self, questions: IO[str], answers: IO[str], seconds: float) -> None:
        self.questions = questions
        self.answers = answers
        self.seconds = seconds

    def move(self, board: Board) -> int:
        """The move that the build chooses."""
        print(self.seconds, *board.taken, file=self.questions, flush=True)
        return int(self.answers.readline())


@contextmanager
def engine(tree: str, seconds: float) -> Iterator[Engine]:
    """Start the build in a tree, and end it afterwards."""
    command = [sys.executable, "-c", ENGINE]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tree, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Engine(process.stdin, process.stdout, seconds)


def openings(pairs: int) -> Iterator[list[int]]:
    """Random first moves of a game, for each pair."""
    chance = random.Random(SEED)
    for _ in range(pairs):
        board = Board()
        for _ in range(OPENING):
            board.take(chance.choice(board.legal_moves()))
        yield board.taken


def winner(opening: list[int], x: Engine, o: Engine) -> Engine:
    """Play a game to its end."""
    board = Board(opening)
    while not board.is_over:
        board.take((x, o)[board.player_to_move - 1].move(board))
    return (x, o)[board.winner != 1]


def pair_score(opening: list[int], first: Engine, second: Engine) -> float:
    """The second engine's share of the two games of a pair."""
    games = [winner(opening, first, second), winner(opening, second, first)]
    return games.count(second) / 2


def elo(score: float) -> float:
    """The difference in Elo that a share of the games stands for."""
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return -400 * log10(1 / score - 1)


def summary(scores: list[float]) -> str:
    """One line on the pairs so far."""
    score = fmean(scores)
    margin = 1.96 * stdev(scores) / sqrt(len(scores)) if len(scores) > 1 else inf
    swept = f"{scores.count(1)} pairs won 2-0, {scores.count(0)} lost 0-2"
    return (
        f"{2 * len(scores)} games, {swept}, score {100 * score:.1f} %, Elo {elo(score):+.0f}"
        f" ({elo(score - margin):+.0f} to {elo(score + margin):+.0f})"
    )


def main() -> None:
    """Play the duel and print its result, on a terminal also on the way."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.duel",
        description="Let two builds of the project play Isolation.",
    )
    parser.add_argument("first", help="a directory with a build")
    parser.add_argument("second", help="a directory with the build whose score is told")
    parser.add_argument("--pairs", type=int, default=200, help="of games (default: 200)")
    parser.add_argument("--seconds", type=float, default=0.02, help="a move (default: 0.02)")
    options = parser.parse_args()
    scores: list[float] = []
    with (
        engine(options.first, options.seconds) as first,
        engine(options.second, options.seconds) as second,
    ):
        for opening in openings(options.pairs):
            scores.append(pair_score(opening, first, second))
            if sys.stderr.isatty():
                print(f"\r{summary(scores)}", end="\033[K\r", file=sys.stderr, flush=True)
    print(summary(scores))


if __name__ == "__main__":
    main()
