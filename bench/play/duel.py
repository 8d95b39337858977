"""Playing strength of two builds of the project: `python -m bench.play.duel <tree> <tree>`.

Each tree is a directory with a compiled copy of this project. Its engine runs in a separate process
and has the same processor time for every move of Isolation, so that other processes disturb no
game. `--searches spec strong` lets the two play by different searches, also of one build. The two
games of a pair begin with the same random moves and swapped sides, so that no opening favours a
build. The result is the score of the second build and its difference in Elo with a 95 % confidence
interval, computed from the scores of the pairs, which are independent; the two games of a pair are
not. `--sprt elo0=0 elo1=20` ends the duel as soon as a sequential test of the second build's
difference accepts a hypothesis; the interval is then too narrow, as for any stopped test.
"""

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf, log10, sqrt
from os import environ
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import IO

from arena.ratings.sprt import SequentialTest, Sprt
from core.isolation import Board

OPENING = 4  # random moves, so that pairs differ
SEED = 1
SEARCHES = {"spec": "deepen", "strong": "strong_search"}  # functions of core.search, by bot
PROCESSOR_CLOCK = Path(__file__).with_name("processor_clock.c")

# The program that runs in a tree: it reads the seconds and the moves so far, and prints its move.
ENGINE = """
import sys
from core.isolation import Board
from core.search import {search}
for line in sys.stdin:
    seconds, *taken = line.split()
    print({search}(Board(map(int, taken)), seconds=float(seconds)).move, flush=True)
"""


class Engine:
    """A build of the project that runs in a separate process."""

    def __init__(self, questions: IO[str], answers: IO[str], seconds: float) -> None:
        self.questions = questions
        self.answers = answers
        self.seconds = seconds

    def move(self, board: Board) -> int:
        """Return the move that the build chooses."""
        print(self.seconds, *board.moves, file=self.questions, flush=True)
        return int(self.answers.readline())


@contextmanager
def processor_clock() -> Iterator[dict[str, str]]:
    """Compile the clock of processor time; yield the environment where a process has it."""
    with TemporaryDirectory() as folder:
        library = f"{folder}/processor_clock.so"
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", "-o", library, PROCESSOR_CLOCK], check=True
        )
        yield {**environ, "LD_PRELOAD": library}


@contextmanager
def engine(tree: str, search: str, seconds: float, env: dict[str, str]) -> Iterator[Engine]:
    """Run a search of the build of a tree."""
    command = [sys.executable, "-c", ENGINE.format(search=SEARCHES[search])]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=tree, env=env, stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Engine(process.stdin, process.stdout, seconds)


def openings(pairs: int) -> Iterator[list[int]]:
    """Yield the random opening of each pair."""
    rng = random.Random(SEED)
    for _ in range(pairs):
        board = Board()
        for _ in range(OPENING):
            board.play(rng.choice(board.legal_moves()))
        yield board.moves


def winner(opening: list[int], x: Engine, o: Engine) -> Engine:
    """Play a game and return the winner."""
    board = Board(opening)
    while not board.is_over:
        board.play((x, o)[board.player_to_move - 1].move(board))
    assert board.outcome
    return (x, o)[board.outcome.winner != 1]


def pair_score(opening: list[int], first: Engine, second: Engine) -> float:
    """Return the second engine's score in a pair of games, from 0 to 1."""
    games = [winner(opening, first, second), winner(opening, second, first)]
    return games.count(second) / 2


def elo(score: float) -> float:
    """Return the difference in Elo for a score from 0 to 1."""
    if not 0 < score < 1:
        return inf if score > 0 else -inf
    return -400 * log10(1 / score - 1)


def summary(scores: list[float]) -> str:
    """Return a line about the pairs so far."""
    score = fmean(scores)
    margin = 1.96 * stdev(scores) / sqrt(len(scores)) if len(scores) > 1 else inf
    swept = f"{scores.count(1)} pairs won 2-0, {scores.count(0)} lost 0-2"
    return (
        f"{2 * len(scores)} games, {swept}, score {100 * score:.1f} %, Elo {elo(score):+.0f}"
        f" ({elo(score - margin):+.0f} to {elo(score + margin):+.0f})"
    )


def duel(
    trees: Sequence[str], searches: Sequence[str], seconds: float, pairs: int
) -> Iterator[float]:
    """Yield the score of the second of two builds in each pair."""
    with (
        processor_clock() as env,
        engine(trees[0], searches[0], seconds, env) as first,
        engine(trees[1], searches[1], seconds, env) as second,
    ):
        for opening in openings(pairs):
            yield pair_score(opening, first, second)


def progress(scores: list[float], test: SequentialTest | None) -> str:
    """Return a line about the pairs so far and about the test, if there is one."""
    if test is None:
        return summary(scores)
    lower, upper = test.sprt.bounds
    decision = test.accepted or "undecided"
    return f"{summary(scores)}, LLR {test.llr:.2f} ({lower:.2f} to {upper:.2f}) {decision}"


def main() -> None:
    """Play the duel and print its result; on a terminal also intermediate results."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.duel",
        description="Let two builds of the project play Isolation.",
    )
    parser.add_argument("first", help="a directory with a build")
    parser.add_argument("second", help="a directory with the build whose score is printed")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of games (default: 200)")
    parser.add_argument(
        "--seconds", type=float, default=0.02, help="processor time per move (default: 0.02)"
    )
    parser.add_argument(
        "--searches",
        nargs=2,
        choices=SEARCHES,
        default=("spec", "spec"),
        help="search of each build: spec, which deepens Figure 5.7, or strong (default: spec spec)",
    )
    parser.add_argument(
        "--sprt",
        nargs="+",
        metavar="NAME=NUMBER",
        help="end at the decision of this test, such as elo0=0 elo1=20 (alpha=0.05 beta=0.05)",
    )
    options = parser.parse_args()
    try:
        test = SequentialTest(Sprt.parse(options.sprt)) if options.sprt else None
    except ValueError as error:
        parser.error(str(error))
    scores: list[float] = []
    trees = options.first, options.second
    for score in duel(trees, options.searches, options.seconds, options.pairs):
        scores.append(score)
        if test:
            test.add(len(scores), 2 * score)
        if sys.stderr.isatty():
            print(f"\r{progress(scores, test)}", end="\033[K\r", file=sys.stderr, flush=True)
        if test and test.accepted:
            break
    print(progress(scores, test))


if __name__ == "__main__":
    main()
