"""Isolation, its evaluation and its search in obvious Python, to check the compiled code against.

Everything is written from the rules and takes nothing from core. A position is the board's eight
rows and the piece whose turn it is; a square is a pair, row and column, counted from 1.
"""

from itertools import product
from math import inf
from typing import NamedTuple

Square = tuple[int, int]

LOSS = 1000
WEIGHT = 2.5

DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
SQUARES: list[Square] = [(row, column) for row in range(1, 9) for column in range(1, 9)]


class Position(NamedTuple):
    """A board, "-" empty, "*" filled, and a piece, and "x" or "o" to move."""

    rows: tuple[str, ...]
    mover: str

    def at(self, square: Square) -> str:
        """What is on a square; nothing beyond the edge."""
        row, column = square
        return self.rows[row - 1][column - 1] if square in SQUARES else ""

    def place(self, piece: str) -> Square:
        """Where a piece stands."""
        return next(square for square in SQUARES if self.at(square) == piece)


START = Position(("x-------", *["--------"] * 6, "-------o"), "x")


def other(piece: str) -> str:
    """The opponent's piece."""
    return "o" if piece == "x" else "x"


def available(position: Position, piece: str) -> list[Square]:
    """Where a piece could go, row by row."""
    row, column = position.place(piece)
    found = []
    for down, right in DIRECTIONS:
        for steps in range(1, 8):
            square = (row + steps * down, column + steps * right)
            if position.at(square) != "-":
                break
            found.append(square)
    return sorted(found)


def legal_moves(position: Position) -> list[Square]:
    """Where the piece whose turn it is can go, row by row."""
    return available(position, position.mover)


def play(position: Position, square: Square) -> Position:
    """The position after a move."""
    board = {place: position.at(place) for place in SQUARES}
    board[position.place(position.mover)] = "*"
    board[square] = position.mover
    rows = ["".join(board[row, column] for column in range(1, 9)) for row in range(1, 9)]
    return Position(tuple(rows), other(position.mover))


def number(square: Square) -> int:
    """The number of a square from 0 to 63."""
    return SQUARES.index(square)


def after(moves: list[int], position: Position = START) -> Position:
    """The position after the moves, as numbers."""
    for move in moves:
        position = play(position, SQUARES[move])
    return position


def average_distance(position: Position, piece: str) -> tuple[int, int]:
    """The sum of the distances of a piece from all occupied squares, and their number."""
    row, column = position.place(piece)
    occupied = [s for s in SQUARES if position.at(s) in ("*", other(piece))]
    return sum(max(abs(r - row), abs(c - column)) for r, c in occupied), len(occupied)


def safety(position: Position, piece: str) -> float:
    """The evaluation of a piece while nobody has lost."""
    total, count = average_distance(position, piece)
    return len(available(position, piece)) + WEIGHT * total / count


class Result(NamedTuple):
    """What a search finds; the value is for x."""

    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int


class AlphaBeta:
    """ALPHA-BETA-SEARCH of Figure 5.7 for the piece at the root, which also counts."""

    def __init__(self, depth_limit: int) -> None:
        self.depth_limit = depth_limit
        self.root = ""
        self.visited = self.evaluated = self.max_depth = 0

    def search(self, position: Position) -> Result:
        """The first move of the best value."""
        self.root = position.mover
        value, move = self.value(position, -inf, inf, 0)
        value_for_x = value if self.root == "x" else -value
        return Result(move, value_for_x, self.visited, self.evaluated, self.max_depth)

    def value(self, position: Position, alpha: float, beta: float, depth: int) -> tuple[float, int]:
        """MAX-VALUE or MIN-VALUE, and the move that has it."""
        self.visited += 1
        self.max_depth = max(self.max_depth, depth)
        moves = legal_moves(position)
        at_limit = depth == self.depth_limit and depth > 0  # a limit of 0 is none
        if not moves or at_limit:
            self.evaluated += 1
            return evaluate(position, self.root), -1
        is_max = position.mover == self.root
        best, best_move = -inf if is_max else inf, -1
        for move in moves:
            value, _ = self.value(play(position, move), alpha, beta, depth + 1)
            if value > best if is_max else value < best:
                best, best_move = value, number(move)
            if best >= beta if is_max else best <= alpha:
                break
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best, best_move


def evaluate(position: Position, root: str) -> float:
    """The evaluation for the piece at the root of the search."""
    if not legal_moves(position):
        return -LOSS if position.mover == root else LOSS
    return safety(position, root)


def minimax(position: Position, root: str, depth: int) -> float:
    """The value of a position to a depth for the piece at the root, without any pruning."""
    moves = legal_moves(position)
    if not moves or depth == 0:
        return evaluate(position, root)
    values = [minimax(play(position, move), root, depth - 1) for move in moves]
    return max(values) if position.mover == root else min(values)


def search(position: Position, depth: int) -> Result:
    """The search of a position to a depth, 0 for the end of the game."""
    return AlphaBeta(depth).search(position)
