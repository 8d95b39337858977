"""The command line that explains a search, `python -m core.isolation.trace`."""

from collections.abc import Sequence

from core.alpha_beta import command
from core.cli import UsageError, main, number, split_options
from core.isolation import GAME
from core.isolation.board import name
from core.isolation.board_text import player_of, read_board
from core.isolation.explanation import plain_evaluate

USAGE = "python -m core.isolation.trace <x|o> <ply> [<file>] [<option>...]"
OPTIONS = {**command.OPTIONS, "--plain": ""}

HELP = f"""\
Usage: {USAGE}

Isolation: show an alpha-beta search: v, the final alpha and beta of each node, what was cut off,
and whether minimax has the same result. Values are those for x, who is Max.

  <x|o>                   the piece to move
  <ply>                   how deep to search; 0 searches to the end of the game
  <file>                  a board as for python -m core.isolation answer, on standard input
                          without a file
  --plain                 the evaluation alone, as for python -m core.isolation
{command.HELP}
Exit status: 0 with an answer; 1 if the game is over, or if the board cannot be read or the result
cannot be written; 2 for arguments, or a board, that make no sense; 130 after Ctrl-C.
"""

PLAIN = GAME._replace(evaluate=plain_evaluate, decides_early=False)


def run(arguments: Sequence[str]) -> str:
    """Return the output of the program for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, OPTIONS, USAGE)
    wanted = command.settings(options)
    if not 2 <= len(others) <= 3:
        raise UsageError(f"2 or 3 arguments are needed, not {len(others)}; usage: {USAGE}")
    player, ply = player_of(others[0]), number(others[1], "ply")
    board = read_board(others[2] if len(others) == 3 else None, player)
    title = f"Isolation, {others[0]} to move, {f'{ply} plies' if ply else 'to the end'}"
    game = PLAIN if "--plain" in options else GAME
    return command.explain(board, ply, wanted, title, move_name=name, game=game)


if __name__ == "__main__":
    main("isolation.trace", run)
