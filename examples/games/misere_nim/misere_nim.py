"""Misère Nim with one heap: take 1 to 3; the player that takes the last one loses."""

from collections.abc import Sequence
from typing import Self

from core.game import Game, IllegalMove, Outcome, Parameter


class MisereNim:
    """A game of misère Nim; a move is the number that is taken."""

    def __init__(self, *, heap: int, moves: Sequence[int] = ()) -> None:
        if heap < 1:
            raise ValueError(f"heap must be at least 1, not {heap}")
        self._left = heap
        self._moves: list[int] = []
        for move in moves:
            self.play(move)

    def __str__(self) -> str:
        return f"{self._left} left"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MisereNim) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, int]:
        return self._left, self.player_to_move

    @property
    def moves(self) -> list[int]:
        """The moves so far."""
        return self._moves.copy()

    @property
    def player_to_move(self) -> int:
        """1 or 2."""
        return 1 + len(self._moves) % 2

    @property
    def is_over(self) -> bool:
        """Whether the heap is empty."""
        return self._left == 0

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        if not self.is_over:
            return None
        winner = self.player_to_move
        return Outcome(winner, f"player {3 - winner} has taken the last one")

    def legal_moves(self) -> list[int]:
        """Return the numbers that may be taken."""
        return [*range(1, min(3, self._left) + 1)]

    def play(self, move: int) -> None:
        """Take a number. Raises IllegalMove."""
        if move not in self.legal_moves():
            rule = f"{move} cannot be taken, only 1 to 3 of the {self._left} that are left"
            raise IllegalMove(move, len(self._moves) + 1, rule)
        self._left -= move
        self._moves.append(move)

    def undo(self) -> int:
        """Put back the last number and return it. Raises IndexError if there is none."""
        move = self._moves.pop()
        self._left += move
        return move

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self)(heap=self._left + sum(self._moves), moves=self._moves)


GAME = Game(
    name="misere_nim",
    title="Misère Nim",
    parameters={"heap": Parameter("size of the heap", minimum=1, usual=(10, 15, 21))},
    position=MisereNim,
    board=MisereNim,
    study=MisereNim,
)
