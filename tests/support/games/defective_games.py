"""A toy game that passes every check, to be broken in one place by each test of a check."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

import pytest

from arena.conformance.game_checks import CheckReport, GameCheck, run_checks
from core import GAMES
from core.game import Evaluation, Game, Parameter
from core.search.generic import search_position
from tests.support.games.toy_games import Heap

NAME = "nim"


class SoundHeap(Heap):
    """Misère Nim that passes every check."""

    def __init__(self, size: int, moves: Sequence[int] = ()) -> None:
        if size < 1:
            raise ValueError(f"heap must be at least 1, not {size}")
        super().__init__(size, moves)

    @property
    def left(self) -> int:
        return self._left


class NimSolver:
    """Solver: the player that leaves one more than a multiple of 4 wins."""

    def __init__(self, heap: SoundHeap, seconds: float | None) -> None:  # noqa: ARG002
        self.heap = heap.copy()

    def winning_moves(self) -> list[int]:
        return [move for move in self.heap.legal_moves() if self.heap.left - move in {1, 5, 9}]

    def play(self, move: int) -> None:
        self.heap.play(move)

    def undo(self) -> int:
        return self.heap.undo()


def evaluate(heap: SoundHeap, player: int) -> Evaluation:  # noqa: ARG001
    """Return 1 or -1 when the game is over, else 0."""
    if not heap.is_over:
        return Evaluation(0.0, "undecided")
    return Evaluation(1.0 if heap.player_to_move == 1 else -1.0, "decided", is_final=True)


def sound_game(board: type[SoundHeap] = SoundHeap, **changed: Any) -> Game:
    """Return the game, with another class of positions or other fields."""

    def position(*, heap: int, moves: Sequence[int] = ()) -> SoundHeap:
        return board(heap, moves)

    game = Game(
        name=NAME,
        title="Nim",
        parameters={"heap": Parameter("size of the heap", minimum=1, usual=(6, 10))},
        position=position,
        board=board,
        study=position,
        evaluate=evaluate,
        solver=NimSolver,
    )
    game = game._replace(**changed)
    return game if game.search else game._replace(search=partial(search_position, game))


def broken_heap(**members: Any) -> Game:
    """Return the game with a class of positions of which some members are replaced."""
    return sound_game(type("BrokenHeap", (SoundHeap,), members))


class Check(Protocol):
    """Function that runs checks on a game, or only one and those that it requires."""

    def __call__(self, game: Game, only: int | None = None) -> dict[int, CheckReport]:
        """Return the reports by number."""


def checking(monkeypatch: pytest.MonkeyPatch, checks: Sequence[GameCheck]) -> Check:
    """Return a function that runs checks on a game."""
    by_number = {one.number: one for one in checks}

    def required(number: int) -> set[int]:
        return {number}.union(*map(required, by_number[number].requires))

    def check(game: Game, only: int | None = None) -> dict[int, CheckReport]:
        monkeypatch.setitem(GAMES, game.name, game)
        chosen = required(only) if only else {*by_number}
        run = run_checks(game, 1, [one for one in checks if one.number in chosen])
        return {report.number: report for report in run}

    return check
