"""The static evaluation of Isolation in words; evaluator.pxd and ending.pxd explain the rules.

It is about the piece of the player to move at the root of the search, as in the compiled
evaluator. Sets of squares are bits, as in board.pxd.
"""

from collections.abc import Iterator
from typing import NamedTuple

from core.game import Evaluation
from core.isolation.board import Board

LOSS = 1000
WEIGHT = 2.5  # of the average distance
MOST_FREE = 43  # free squares; with more, no ending is looked for
ATTEMPTS = 1000  # at the paths of one position

# The bits of squares by their symbols; a space is beyond the edge of a smaller board.
FREE = str.maketrans("-*xo ", "10000")
OCCUPIED = str.maketrans("-*xo ", "01110")

LEFT_EDGE = 0x0101010101010101
RIGHT_EDGE = 0x8080808080808080


def _lines(square: int) -> list[list[int]]:
    """The squares in each of a queen's directions, the nearest first."""
    row, column = divmod(square, 8)
    directions = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return [
        [
            8 * (row + steps * down) + column + steps * right
            for steps in range(1, 8)
            if 0 <= row + steps * down < 8 and 0 <= column + steps * right < 8
        ]
        for down, right in directions
    ]


LINES = [_lines(square) for square in range(64)]


class Pieces(NamedTuple):
    """Where the piece to move and the other one stand, and which squares are free and which not."""

    mover: int
    other: int
    free: int
    occupied: int


class Ending(NamedTuple):
    """A decided game: whether the player to move wins, and the winner's number of moves."""

    won: bool
    length: int


def evaluate(board: Board, player: int) -> Evaluation:
    """Return the value for x (player 1) in a search that `player` began, and its explanation."""
    piece, opponent = "xo" if board.player_to_move == 1 else "ox"
    ending = None if board.is_over else _ending(_pieces(board))
    if not ending:
        return plain_evaluate(board, player)
    apart = "The pieces are apart: neither can come where the other can"
    if ending.won:
        why = f"{piece}, who is to move, can still make {_moves(ending.length)}, {opponent} fewer"
        return _decided(f"{apart}. {why}, so {piece} wins", piece)
    why = f"{piece}, who is to move, can make at most {_moves(ending.length)}, {opponent} as many"
    return _decided(f"{apart}. {why}, so {opponent} wins", opponent)


def plain_evaluate(board: Board, player: int) -> Evaluation:
    """As `evaluate`, without exact endings: the game goes on until a player cannot move."""
    piece, opponent = "xo" if board.player_to_move == 1 else "ox"
    if board.is_over:
        return _decided(f"{piece} cannot move and has lost", opponent)
    return _safety(_pieces(board), player == board.player_to_move, player)


def _decided(why: str, winner: str) -> Evaluation:
    value = LOSS if winner == "x" else -LOSS
    return Evaluation(float(value), f"{why}, which is worth {value} for x.", is_final=True)


def _safety(pieces: Pieces, is_to_move: bool, player: int) -> Evaluation:
    """Return the moves of a player's piece and its average distance from blocked squares."""
    piece, own = "xo"[player - 1], pieces.mover if is_to_move else pieces.other
    moves = _reach(own, pieces.free).bit_count()
    occupied = [square for square in _squares(pieces.occupied) if square != own]
    total = sum(_distance(own, square) for square in occupied)
    # In the order in which the search computes it, so that the last digit is the same.
    value = moves + 2 * WEIGHT * total / (2 * len(occupied))
    away = f"{total / len(occupied):.2f}"
    others = (
        f"{len(occupied)} other squares that are" if len(occupied) > 1 else "one square that is"
    )
    words = (
        f"{piece}, {'who is' if is_to_move else 'not'} to move, has {_moves(moves)} "
        f"and is on average {away} king's steps away from the {others} not free: "
        f"{moves} + {WEIGHT} * {away} = {value:.2f} for {piece}"
    )
    if piece == "x":
        return Evaluation(value, f"{words}.")
    return Evaluation(-value, f"{words}, so {-value:.2f} for x.")


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def _distance(square: int, other: int) -> int:
    """The steps of a king from one square to another."""
    return max(abs(square // 8 - other // 8), abs(square % 8 - other % 8))


def _pieces(board: Board) -> Pieces:
    squares = "".join(row.ljust(8) for row in board.rows)
    mover, other = map(squares.index, "xo" if board.player_to_move == 1 else "ox")
    digits = squares[::-1]
    return Pieces(mover, other, int(digits.translate(FREE), 2), int(digits.translate(OCCUPIED), 2))


def _squares(squares: int) -> Iterator[int]:
    """The squares of a set, ascending."""
    while squares:
        yield (squares & -squares).bit_length() - 1
        squares &= squares - 1


def _reach(square: int, free: int) -> int:
    """The free squares that a queen on a square can go to."""
    found = 0
    for line in LINES[square]:
        for other in line:
            if not free >> other & 1:
                break
            found |= 1 << other
    return found


def _spread(squares: int, free: int) -> int:
    """The free squares among some squares and next to them."""
    squares |= (squares & ~RIGHT_EDGE) << 1 | (squares & ~LEFT_EDGE) >> 1
    return (squares | squares << 8 | squares >> 8) & free


def _region(squares: int, free: int) -> int:
    """The free squares that can be reached from some free squares."""
    before = 0
    while before != squares:
        before, squares = squares, _spread(squares, free)
    return squares


def _ending(pieces: Pieces) -> Ending | None:
    """How the game ends, where the search sees that it is decided before that."""
    if pieces.free.bit_count() > MOST_FREE:
        return None
    mine = _region(_reach(pieces.mover, pieces.free), pieces.free)
    theirs = _spread(1 << pieces.other, pieces.free)
    if mine & theirs:
        return None
    theirs = _region(theirs, pieces.free)
    paths = _Paths()
    length = min(mine.bit_count(), theirs.bit_count() + 1)
    while paths.attempts:
        if paths.exists(pieces.other, theirs, length):
            return Ending(won=False, length=length)
        if paths.exists(pieces.mover, mine, length):
            return Ending(won=True, length=length)
        length -= 1
    return None


class _Paths:
    """Looks for paths of a queen until it has made too many attempts."""

    def __init__(self) -> None:
        self.attempts = ATTEMPTS

    def exists(self, square: int, free: int, length: int) -> bool:
        """Return whether a path of `length` moves is found."""
        if not length:
            return True
        if not self.attempts:
            return False
        self.attempts -= 1
        todo = _reach(square, free)
        free = _region(todo, free)
        return free.bit_count() >= length and any(
            self.exists(step, free ^ (1 << step), length - 1) for step in _squares(todo)
        )
