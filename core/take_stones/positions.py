"""Positions of Take-Stones in the arguments of commands."""

from collections.abc import Sequence

from core.cli import UsageError, number, shown
from core.game import IllegalMove
from core.take_stones.board import Board

TOO_LARGE = "#stones {} is too large for this machine's memory"


def parse_position(arguments: Sequence[str], usage: str) -> tuple[Board, int]:
    """Return the position and the depth that <#stones> <#taken> <taken...> <depth> describe.

    Raises UsageError without one, and if the game is over.
    """
    if len(arguments) < 3:
        count = len(arguments)
        raise UsageError(f"at least 3 arguments are needed, not {count}; usage: {usage}")
    stones = number(arguments[0], "#stones", 1)
    listed = len(arguments) - 3
    if number(arguments[1], "#taken") != listed:
        raise UsageError(f"#taken is {shown(arguments[1])} but {listed} taken stones are listed")
    taken = [number(argument, "a taken stone") for argument in arguments[2:-1]]
    depth = number(arguments[-1], "depth")
    try:
        board = Board(stones, taken, any_first=True)
    except IllegalMove as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError(TOO_LARGE.format(shown(arguments[0]))) from None
    if board.is_over:
        name = "Max" if board.player_to_move == 1 else "Min"
        raise UsageError(
            f"the game is over: player {board.player_to_move} ({name}) cannot move and loses", 1
        )
    return board, depth
