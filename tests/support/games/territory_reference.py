"""The evaluation of Isolation's strong search and plain minimax, in obvious Python.

Values are those of the player to move, in squares.
"""

from math import inf

from tests.support.games.isolation_reference import (
    LOSS,
    Position,
    Square,
    available,
    empty,
    legal_moves,
    other,
    play,
    reach,
    winner,
)

OWNED, SHARED, MOBILE = 1.0, 0.3, 0.4


def distances(position: Position, piece: str) -> dict[Square, int]:
    """How many moves a piece needs to each square that it can come to, if the other never moves."""
    free = empty(position)
    found: dict[Square, int] = {}
    border, moves = {position.place(piece)}, 0
    while border:
        moves += 1
        border = {step for square in border for step in reach(square, free)} - found.keys()
        found |= dict.fromkeys(border, moves)
    return found


def share(mine: float, theirs: float) -> float:
    """What a square is worth that the players need so many moves to."""
    if mine == theirs:
        return SHARED if mine < inf else 0
    return OWNED if mine < theirs else -OWNED


def territory(position: Position) -> float:
    """The evaluation of a position that is not decided."""
    mover = position.mover
    mine, theirs = distances(position, mover), distances(position, other(mover))
    squares = sum(share(mine.get(s, inf), theirs.get(s, inf)) for s in empty(position))
    mobility = len(available(position, mover)) - len(available(position, other(mover)))
    return squares + MOBILE * mobility


def minimax(position: Position, depth: int) -> float:
    """The value of a position to a depth, which is final where the game is decided."""
    if piece := winner(position):
        return LOSS if piece == position.mover else -LOSS
    return best(position, depth) if depth else territory(position)


def best(position: Position, depth: int) -> float:
    """The value of the best move to a depth of one ply or more."""
    return max(-minimax(play(position, move), depth - 1) for move in legal_moves(position))
