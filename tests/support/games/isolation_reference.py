"""Isolation, its evaluation and its search in obvious Python, to check the compiled code against.

Everything is written from the rules and takes nothing from core. A position is the board's rows and
the piece whose turn it is; a square is a pair, row and column, counted from 1.
"""

from itertools import product
from math import inf
from typing import NamedTuple

Square = tuple[int, int]

LOSS = 1000
WEIGHT = 2.5
MOST_FREE = 43  # squares, up to which exact endings are looked for
ATTEMPTS = 1000  # at the paths of one position

DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
# Those of the largest board, whose numbers they have on all boards.
SQUARES: list[Square] = [(row, column) for row in range(1, 9) for column in range(1, 9)]


class Position(NamedTuple):
    """A board, "-" empty, "*" filled, and a piece, and "x" or "o" to move."""

    rows: tuple[str, ...]
    mover: str

    def at(self, square: Square) -> str:
        """What is on a square; nothing beyond the edge."""
        row, column = square
        size = len(self.rows)
        return self.rows[row - 1][column - 1] if 1 <= row <= size and 1 <= column <= size else ""

    @property
    def size(self) -> int:
        """How many rows there are, and columns."""
        return len(self.rows)

    def place(self, piece: str) -> Square:
        """Where a piece stands."""
        return next(square for square in SQUARES if self.at(square) == piece)


def start(size: int) -> Position:
    """The start of a game: x at the top left, o at the bottom right."""
    free = "-" * (size - 1)
    return Position((f"x{free}", *[f"-{free}"] * (size - 2), f"{free}o"), "x")


START = start(8)


def other(piece: str) -> str:
    """The opponent's piece."""
    return "o" if piece == "x" else "x"


def empty(position: Position) -> frozenset[Square]:
    """The squares that are free."""
    return frozenset(square for square in SQUARES if position.at(square) == "-")


def reach(start: Square, free: frozenset[Square]) -> list[Square]:
    """Where a queen on a square could go, row by row."""
    row, column = start
    found = []
    for down, right in DIRECTIONS:
        for steps in range(1, 8):
            square = (row + steps * down, column + steps * right)
            if square not in free:
                break
            found.append(square)
    return sorted(found)


def available(position: Position, piece: str) -> list[Square]:
    """Where a piece could go, row by row."""
    return reach(position.place(piece), empty(position))


def legal_moves(position: Position) -> list[Square]:
    """Where the piece whose turn it is can go, row by row."""
    return available(position, position.mover)


def play(position: Position, square: Square) -> Position:
    """The position after a move."""
    board = {place: position.at(place) for place in SQUARES}
    board[position.place(position.mover)] = "*"
    board[square] = position.mover
    sides = range(1, position.size + 1)
    rows = ["".join(board[row, column] for column in sides) for row in sides]
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


def region(start: Square, free: frozenset[Square]) -> frozenset[Square]:
    """The free squares that a piece on a square could come to, in any number of moves."""
    found, new = set[Square](), {start}
    while new:
        new = {square for place in new for square in reach(place, free)} - found
        found |= new
    return frozenset(found)


def are_apart(position: Position) -> bool:
    """Whether no free square is within reach of both pieces."""
    free = empty(position)
    return not region(position.place("x"), free) & region(position.place("o"), free)


def longest(start: Square, free: frozenset[Square]) -> int:
    """How many moves a queen on a square can make if nobody else moves."""
    return max((1 + longest(step, free - {step}) for step in reach(start, free)), default=0)


class Paths:
    """Looks for paths of a queen until it has made too many attempts."""

    def __init__(self) -> None:
        self.attempts = ATTEMPTS

    def exists(self, start: Square, free: frozenset[Square], length: int) -> bool:
        """Whether a path of so many moves is found."""
        if length == 0:
            return True
        if self.attempts == 0:
            return False
        self.attempts -= 1
        return len(region(start, free)) >= length and any(
            self.exists(step, free - {step}, length - 1) for step in reach(start, free)
        )


def ending(position: Position) -> str | None:
    """The piece that wins, where the search sees that the game is decided before its end."""
    if len(empty(position)) > MOST_FREE or not are_apart(position):
        return None
    mover, free = position.mover, empty(position)
    places = {piece: position.place(piece) for piece in "xo"}
    room = {piece: len(region(place, free)) for piece, place in places.items()}
    paths = Paths()
    length = min(room[mover], room[other(mover)] + 1)
    while paths.attempts:
        for piece in (other(mover), mover):
            if paths.exists(places[piece], free, length):
                return piece
        length -= 1
    return None


def winner(position: Position) -> str | None:
    """The piece that has won, or wins as the search sees; None while that is open."""
    return ending(position) if legal_moves(position) else other(position.mover)


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
        # A limit of 0 is none. The root is searched in any case, as there a move is wanted.
        if depth > 0 and (depth == self.depth_limit or winner(position)):
            self.evaluated += 1
            return evaluate(position, self.root), -1
        is_max = position.mover == self.root
        best, best_move = -inf if is_max else inf, -1
        for move in legal_moves(position):
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
    if piece := winner(position):
        return LOSS if piece == root else -LOSS
    return safety(position, root)


def minimax(position: Position, root: str, depth: int) -> float:
    """The value of a position to a depth for the piece at the root, without any pruning."""
    if depth == 0 or winner(position):
        return evaluate(position, root)
    return best(position, root, depth)


def best(position: Position, root: str, depth: int) -> float:
    """The value of the best move to a depth of one ply or more."""
    values = [minimax(play(position, move), root, depth - 1) for move in legal_moves(position)]
    return max(values) if position.mover == root else min(values)


def can_win(position: Position) -> bool:
    """Whether the piece whose turn it is wins a game that both play perfectly to the end."""
    return any(not can_win(play(position, move)) for move in legal_moves(position))


def search(position: Position, depth: int) -> Result:
    """The search of a position to a depth, 0 for the end of the game."""
    return AlphaBeta(depth).search(position)
