"""What hypothesis draws for the tests of Isolation."""

from hypothesis import strategies as st

from tests.support.games.isolation_reference import (
    START,
    Position,
    Square,
    legal_moves,
    number,
    play,
)

# Most boards have 8 rows.
SIZES = st.one_of(st.just(8), st.integers(3, 7))


@st.composite
def games(draw: st.DrawFn, plies: st.SearchStrategy[int], start: Position = START) -> list[int]:
    """The moves of a game from its start."""
    position, moves = start, list[int]()
    for _ in range(draw(plies)):
        legal = legal_moves(position)
        if not legal:
            break
        move = draw(st.sampled_from(legal))
        position = play(position, move)
        moves.append(number(move))
    return moves


@st.composite
def positions(draw: st.DrawFn, empty: st.SearchStrategy[int]) -> Position:
    """Any board with so many empty squares, whether a game leads to it or not.

    A board that has not as many has no others but for the pieces.
    """
    sides = range(1, draw(SIZES) + 1)
    squares = draw(st.permutations([(row, column) for row in sides for column in sides]))
    free = squares[2 : 2 + draw(empty)]
    rows = ["".join(symbol((row, column), squares, free) for column in sides) for row in sides]
    return Position(tuple(rows), draw(st.sampled_from("xo")))


def symbol(square: Square, squares: list[Square], free: list[Square]) -> str:
    """What is on a square: x on the first, o on the second."""
    if square in squares[:2]:
        return "xo"[squares.index(square)]
    return "-" if square in free else "*"


@st.composite
def unfinished(draw: st.DrawFn, empty: st.SearchStrategy[int]) -> Position:
    """A board on which the piece whose turn it is can move."""
    return draw(positions(empty).filter(lambda position: bool(legal_moves(position))))
