"""The rules of Connect Four. A move is a column, numbered from 1 on the left."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Self

from core.game import IllegalMove, Outcome

MINIMUM, MAXIMUM = 4, 20  # columns and rows
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))  # of a line, as steps of (column, row)

Line = tuple[int, int, int, int]  # the indices of four cells in a row


class ConnectFour:
    """A game of Connect Four.

    Attributes:
        columns: The number of columns.
        rows: The number of rows.
        cells: The player whose disc is in each cell, 0 for none; row by row from the bottom left.
    """

    def __init__(self, *, columns: int, rows: int, moves: Sequence[int] = ()) -> None:
        for name, value in {"columns": columns, "rows": rows}.items():
            if not MINIMUM <= value <= MAXIMUM:
                raise ValueError(f"{name} must be {MINIMUM} to {MAXIMUM}, not {value}")
        self.columns = columns
        self.rows = rows
        self.cells = [0] * (columns * rows)
        self._moves: list[int] = []
        self._has_four = False
        for move in moves:
            self.play(move)

    def __str__(self) -> str:
        """Return the board with x for player 1 and o for player 2, and the columns' numbers."""
        width = self.columns
        starts = reversed(range(0, len(self.cells), width))
        rows = [[".xo"[player] for player in self.cells[start : start + width]] for start in starts]
        numbers = [str(column) for column in range(1, width + 1)]
        return "\n".join(" ".join(f"{text:>2}" for text in row) for row in [*rows, numbers])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConnectFour) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, tuple[int, ...]]:
        return self.columns, tuple(self.cells)

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
        """Whether there are four in a row, or the board is full."""
        return self._has_four or len(self._moves) == len(self.cells)

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        if self._has_four:
            winner = 3 - self.player_to_move
            return Outcome(winner, f"player {winner} has four in a row")
        return Outcome(None, "the board is full") if self.is_over else None

    def legal_moves(self) -> list[int]:
        """Return the columns that are not full."""
        if self.is_over:
            return []
        top = self.cells[-self.columns :]
        return [column for column, player in enumerate(top, 1) if not player]

    def play(self, move: int) -> None:
        """Drop a disc into a column. Raises IllegalMove."""
        if move not in self.legal_moves():
            raise IllegalMove(move, len(self._moves) + 1, self._broken_rule(move))
        player = self.player_to_move
        cell = next(cell for cell in self._cells_of(move) if not self.cells[cell])
        self.cells[cell] = player
        self._moves.append(move)
        self._has_four = any(
            cell in line and all(self.cells[other] == player for other in line)
            for line in lines(self.columns, self.rows)
        )

    def undo(self) -> int:
        """Remove the last disc and return its column. Raises IndexError if there is none."""
        move = self._moves.pop()
        cell = max(cell for cell in self._cells_of(move) if self.cells[cell])
        self.cells[cell] = 0
        self._has_four = False
        return move

    def copy(self) -> Self:
        """Return an independent copy."""
        return type(self)(columns=self.columns, rows=self.rows, moves=self._moves)

    def _cells_of(self, column: int) -> range:
        """Return the cells of a column, from the bottom."""
        return range(column - 1, len(self.cells), self.columns)

    def _broken_rule(self, move: int) -> str:
        if self.is_over:
            return "the game is over"
        if 1 <= move <= self.columns:
            return f"column {move} is full"
        return f"column {move} does not exist, the columns are 1 to {self.columns}"


@cache
def lines(columns: int, rows: int) -> tuple[Line, ...]:
    """Return all lines of four cells in a row."""
    return tuple(_lines(columns, rows))


def _lines(columns: int, rows: int) -> Iterator[Line]:
    for column, row in product(range(columns), range(rows)):
        for right, up in DIRECTIONS:
            if column + 3 * right < columns and 0 <= row + 3 * up < rows:
                first, step = row * columns + column, up * columns + right
                yield first, first + step, first + 2 * step, first + 3 * step
