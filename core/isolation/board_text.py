"""Boards of Isolation in the arguments and the input of commands."""

import re

from core.cli import UsageError, read, shown
from core.isolation.board import Board

LONGEST = 10_000  # bytes


def player_of(argument: str) -> int:
    """Return the number of the player x or o."""
    if argument not in ("x", "o"):
        raise UsageError(f"the player must be x or o, not {shown(argument)}")
    return 1 + "xo".index(argument)


def rows_of(text: str) -> list[str]:
    """Return the rows of a board in either notation, without spaces. Raises ValueError."""
    rows = ["".join(line.split()) for line in text.splitlines()]
    if text.lstrip().startswith("("):
        return rows_of_list("".join(rows))
    return [row for row in rows if row]


def rows_of_list(text: str) -> list[str]:
    """Return the rows of a list of lists, ((...)(...)), without spaces. Raises ValueError."""
    rows: list[str] = []
    rest = text[1:]
    # A bracket that is not closed takes the next one in, which then is a symbol that no row has.
    while match := re.match(r"\(([^)]*)\)", rest):
        rows.append(match[1])
        rest = rest[match.end() :]
    if rest != ")":
        found = shown(rest) if rest else "the end"
        raise ValueError(
            f"row {len(rows) + 1}: here must come a row in brackets or the last ), not {found}"
        )
    return rows


def parse_board(text: str, player: int) -> Board:
    """Return the board that a text shows, on which a player moves. Raises ValueError."""
    return Board.from_rows(rows_of(text), player)


def read_board(file: str | None, player: int) -> Board:
    """Return the board in a file, or in standard input, on which a player moves.

    Raises UsageError without one, and if the game is over.
    """
    text = read(file, "the board", LONGEST)
    try:
        board = parse_board(text, player)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if board.is_over:
        raise UsageError(f"the game is over: {'xo'[player - 1]} cannot move and loses", 1)
    return board
