"""Small games for tests of what must work for any game."""

import os
from collections.abc import Sequence
from typing import NoReturn, Self

from core.game import Evaluation, Game, IllegalMove, Outcome, Parameter


class Heap:
    """Misère Nim with one heap: take 1 to 3; the player that takes the last one loses."""

    def __init__(self, size: int, moves: Sequence[int] = ()) -> None:
        self._left = size
        self._moves: list[int] = []
        for move in moves:
            self.play(move)

    @property
    def moves(self) -> list[int]:
        return [*self._moves]

    @property
    def player_to_move(self) -> int:
        return 1 + len(self._moves) % 2

    @property
    def is_over(self) -> bool:
        return not self._left

    @property
    def outcome(self) -> Outcome | None:
        if self._left:
            return None
        player = self.player_to_move
        return Outcome(player, f"player {3 - player} has taken the last one")

    def legal_moves(self) -> list[int]:
        return [*range(1, min(3, self._left) + 1)]

    def play(self, move: int) -> None:
        if move not in self.legal_moves():
            raise IllegalMove(move, len(self._moves) + 1, f"{move} of {self._left} is not 1 to 3")
        self._left -= move
        self._moves.append(move)

    def undo(self) -> int:
        if not self._moves:
            raise IndexError("no move has been made")
        self._left += self._moves[-1]
        return self._moves.pop()

    def copy(self) -> Self:
        return type(self)(self._left + sum(self._moves), self._moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Heap):
            return NotImplemented
        return (self._left, self.player_to_move) == (other._left, other.player_to_move)

    def __str__(self) -> str:
        return f"{self._left} left"

    def __hash__(self) -> int:
        return hash((self._left, self.player_to_move))


class TenHeap(Heap):
    """The same game with a heap of 10."""

    def __init__(self, moves: Sequence[int] = ()) -> None:
        super().__init__(10, moves)

    def copy(self) -> Self:
        return type(self)(self._moves)


class DrawnHeap(Heap):
    """The same game, in which nobody loses that takes the last three at once."""

    @property
    def outcome(self) -> Outcome | None:
        if not self._left and self._moves[-1] == 3:
            return Outcome(None, f"player {3 - self.player_to_move} has taken the last three")
        return super().outcome


def position(*, heap: int, moves: Sequence[int] = ()) -> Heap:
    return Heap(heap, moves)


def evaluate(heap: Heap, player: int) -> Evaluation:  # noqa: ARG001
    """Return an arbitrary number of the position."""
    return Evaluation(float((7 * len(heap.moves) + sum(heap.moves)) % 5 - 2), "arbitrary")


NIM = Game(
    name="misere_nim",
    title="Misère Nim",
    parameters={"heap": Parameter("size of the heap", minimum=1, usual=(10,))},
    position=position,
    board=Heap,
    study=position,
)
# A game without parameters.
TEN_NIM = NIM._replace(
    name="ten_nim", parameters={}, position=TenHeap, board=TenHeap, study=TenHeap
)
EVALUATED_NIM = NIM._replace(evaluate=evaluate)


def drawn_position(*, heap: int, moves: Sequence[int] = ()) -> DrawnHeap:
    return DrawnHeap(heap, moves)


DRAWN_NIM = NIM._replace(
    name="drawn_nim", position=drawn_position, board=DrawnHeap, study=drawn_position
)


class FatalHeap(Heap):
    """The same game, whose solver ends the process."""


def fatal_position(*, heap: int, moves: Sequence[int] = ()) -> FatalHeap:
    return FatalHeap(heap, moves)


def fatal_solver(heap: FatalHeap, seconds: float | None) -> NoReturn:  # noqa: ARG001
    os._exit(1)


FATAL_NIM = NIM._replace(
    name="fatal_nim", position=fatal_position, board=FatalHeap, solver=fatal_solver
)
