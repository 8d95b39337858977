"""Wins of lost positions of Take-Stones, by the rule that chooses the moves.

Run it with `python -m bench.play.resistance`. All rules play from the same random positions, each
lost for the player to move, against the same opponents. A game is won as soon as the opponent has
given up the win, as perfect play keeps it from there on. Half of the positions are from the first
half of a random game. Differences to the first rule are paired by position.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import inf, sqrt
from statistics import fmean, stdev

from bots.client import ClockReading, Strategy
from bots.greedy_bot import GreedyBot
from bots.random_bot import RandomBot
from bots.resistance import (
    ALL_PLAYERS,
    Lookahead,
    hardest_move,
    hardest_to_answer,
    played,
    winning_share,
)
from bots.spec_bot import SpecBot
from core.game import Position, Solver
from core.take_stones import Board
from core.take_stones.solver import Solver as TakeStonesSolver

STONES = range(20, 101)
SEED = 1
NO_CLOCK = ClockReading(remaining=inf, opponent=inf, increment=0.0)

Rule = Callable[[Position, Solver], int]

OPPONENTS: dict[str, Strategy] = {
    "spec:4": SpecBot(4),
    "spec:5": SpecBot(5),
    "spec:8": SpecBot(8),
    "spec:9": SpecBot(9),
    "greedy": GreedyBot(),
    "random": RandomBot(SEED),
}


def one_reply(position: Position, solver: Solver) -> int:
    """Return the move after which the smallest share of the replies win."""
    return hardest_to_answer(position, solver, inf)


def random_opponent(replies: int, position: Position, solver: Solver) -> int:
    """Return the move after which a random player is most likely to err in some replies."""
    return max(
        position.legal_moves(),
        key=lambda move: error_chance(replies, position, solver, move),
    )


def error_chance(replies: int, position: Position, solver: Solver, move: int) -> float:
    """Return the chance that a random player errs within some replies to a move."""
    with played(position, solver, move):
        chance = 1 - winning_share(position, solver)
        if replies > 1:
            weight = 1 / len(position.legal_moves())
            for reply in solver.winning_moves():
                with played(position, solver, reply):
                    later = partial(error_chance, replies - 1, position, solver)
                    chance += weight * max(map(later, position.legal_moves()), default=0.0)
    return chance


def players_one_reply(position: Position, solver: Solver) -> int:
    """Return the move after which most of the players of bots/resistance.py err at once."""
    errors = Lookahead(position, solver, inf).errors(ALL_PLAYERS, 1)
    return max(errors, key=errors.__getitem__)


RULES: dict[str, Rule] = {
    "share of winning replies": one_reply,
    "random opponent, 2 replies": partial(random_opponent, 2),
    "random opponent, 3 replies": partial(random_opponent, 3),
    "several players, 1 reply": players_one_reply,
    "several players, 2 replies (perfect)": partial(hardest_move, deadline=inf),
}


def lost_positions(count: int) -> Iterator[Board]:
    """Yield random lost positions with a choice of moves, early and late ones by turns."""
    rng = random.Random(SEED)
    found = 0
    while found < count:
        lost, length = random_game(rng)
        is_early = found % 2 == 0
        if choices := [board for board in lost if (2 * len(board.moves) < length) == is_early]:
            yield rng.choice(choices)
            found += 1


def random_game(rng: random.Random) -> tuple[list[Board], int]:
    """Return the lost positions with a choice of moves in a random game, and its length."""
    board = Board(rng.choice(STONES))
    solver = TakeStonesSolver(board)
    lost = []
    while not board.is_over:
        moves = board.legal_moves()
        if len(moves) > 1 and not solver.winning_moves():
            lost.append(board.copy())
        move = rng.choice(moves)
        board.play(move)
        solver.play(move)
    return lost, len(board.moves)


def is_won(start: Board, rule: Rule, opponent: Strategy, times: list[float]) -> bool:
    """Play from a lost position until the opponent errs or the game ends; add seconds of moves."""
    board, solver = start.copy(), TakeStonesSolver(start)
    while not board.is_over:
        begin = time.process_time()
        move = rule(board, solver)
        times.append(time.process_time() - begin)
        board.play(move)
        solver.play(move)
        reply = opponent(board.copy(), NO_CLOCK)
        assert reply is not None
        board.play(reply)
        solver.play(reply)
        if solver.winning_moves():
            return True
    return False


def percent(values: list[float]) -> str:
    """Return a mean with its 95 % confidence interval, in percent."""
    margin = 1.96 * stdev(values) / sqrt(len(values))
    return f"{100 * fmean(values):.1f} ± {100 * margin:.1f}"


def rows(count: int) -> Iterator[str]:
    """Yield the rows of a table for each opponent."""
    starts = [*lost_positions(count)]
    for name, opponent in OPPONENTS.items():
        yield f"\n| against {name} | won, % | more than the first, % | ms per move | longest |"
        yield "|---|---|---|---|---|"
        first: list[bool] = []
        for rule_name, rule in RULES.items():
            times: list[float] = []
            won = [is_won(start, rule, opponent, times) for start in starts]
            first = first or won
            gained = [float(ours - theirs) for ours, theirs in zip(won, first, strict=True)]
            yield (
                f"| {rule_name} | {percent([*map(float, won)])} | {percent(gained)}"
                f" | {1000 * fmean(times):.2f} | {1000 * max(times):.0f} |"
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.play.resistance",
        description="Compare how often rules win lost positions of Take-Stones.",
    )
    parser.add_argument("--positions", type=int, default=1000, help="default: 1000")
    for row in rows(parser.parse_args().positions):
        print(row, flush=True)


if __name__ == "__main__":
    main()
