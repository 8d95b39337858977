"""The command line of Isolation, `python -m core.isolation`: a game, or a move for a position."""

import re
from collections.abc import Mapping, Sequence
from typing import BinaryIO, NamedTuple

from core.cli import (
    UsageError,
    main,
    number,
    progress_line,
    reading,
    shown,
    split_options,
    standard_input,
    write,
)
from core.game import IllegalMove
from core.isolation.board import Board, name
from core.isolation.board_text import player_of, read_board
from core.isolation.search import plain_search
from core.search import SearchResult, deepen

USAGE = "python -m core.isolation play|answer <x|o> <seconds> <ply> [<file>] [<option>...]"
OPTIONS = {"--plain": "", "--size": "<rows>"}

HELP = f"""\
Usage: {USAGE}

Isolation: find the safest move by alpha-beta search, one ply deeper and deeper.

  play        a game at the terminal, in which you are <x|o>; x moves first
  answer      the move of <x|o> on the board in <file>, or on standard input without one
  <seconds>   how long to search for a move; one ply is always searched
  <ply>       how deep to search at most; 0 searches to the end of the game
  --plain     the evaluation alone: the search does not see that a game is decided before its end
  --size <rows>
              the rows of the board of a game, 3 to 8, and as many columns; 8 without this option

The limit that is reached first ends the search. The output is the best move, its value for the
player to move (the evaluation; 1000 and -1000 for a win and a loss), the ply that the deepest
finished search reached, and the number of nodes that this search visited. The ply is less than
<ply> if the time ran out, or if the search saw every game decided before: at its end, or once
neither piece can come where the other can.

A board has 3 to 8 rows, and as many columns: - is empty, * is filled, x and o are where the
pieces stand. It may be given as plain rows, with or without spaces, or as a list of rows,
((x - ...) (- - ...) ...), with line breaks anywhere. Squares are (row column), and (1 1) is the top
left. A move in a game is typed as (3 5) or 3 5.

Example: the first move of a game, with 5 plies or 60 seconds

  $ python -m core.isolation answer x 60 5 <<END
  x - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - o
  END
  Move: (7 7)
  Value: 33.25
  Ply: 5
  Nodes: 114147

Exit status: 0 with a move or at the end of a game played; 1 if the game on the board is over, or if
a board, a move or the result cannot be read or written; 2 for arguments, or a board, that make no
sense; 130 after Ctrl-C.
"""

LONGEST = 10_000  # bytes of a line that is typed


def seconds_of(argument: str) -> float:
    """Return the value of an argument such as 60 or 0.5."""
    if not re.fullmatch(r"\d+(\.\d+)?", argument, re.ASCII):
        raise UsageError(f"seconds must be a decimal number such as 0.5, not {shown(argument)}")
    return float(argument)


def value_for(player: int, result: SearchResult) -> str:
    """Return the value for the player."""
    return f"{result.value if player == 1 else -result.value:.2f}"


class Engine(NamedTuple):
    """Limits of the search for a move, and whether it sees no exact endings."""

    seconds: float
    ply: int
    is_plain: bool


def choose(board: Board, engine: Engine) -> SearchResult:
    """Search within the limits, with its progress on a terminal."""
    line = progress_line(name)
    compiled = plain_search if engine.is_plain else None
    try:
        return deepen(board, engine.ply, seconds=engine.seconds, report=line, compiled=compiled)
    finally:
        if line:
            line.wipe()


def answer(board: Board, engine: Engine) -> str:
    """Return the move, its value, the ply and the nodes for a board."""
    result = choose(board, engine)
    return (
        f"Move: {name(result.move)}\n"
        f"Value: {value_for(board.player_to_move, result)}\n"
        f"Ply: {result.max_depth}\n"
        f"Nodes: {result.nodes_visited}\n"
    )


def typed(prompt: str, source: BinaryIO) -> str:
    """Return the line that is typed at a prompt."""
    line = b""
    try:
        write(prompt)
        with reading("standard input"):
            line = source.readline(LONGEST)
    finally:
        if not (line.endswith(b"\n") and source.isatty()):  # the prompt's line is still open
            write("\n")
    if not line:
        raise UsageError("the input has ended before the game", 1)
    return line.decode("utf-8", "replace").strip()


def square_of(text: str) -> int | None:
    """Return the square that was typed, or None."""
    match = re.fullmatch(r"(\(\s*)?([1-8])\s+([1-8])(?(1)\s*\))", text)
    return 8 * (int(match[2]) - 1) + int(match[3]) - 1 if match else None


def ask(board: Board, piece: str, source: BinaryIO) -> None:
    """Ask for a move until it is legal."""
    while True:
        text = typed(f"{piece} to move (row column): ", source)
        square = square_of(text)
        if square is None:
            numbers = f"a row and a column from 1 to {board.size}"
            write(f"{shown(text)} is no square: type {numbers}, as 3 5\n")
            continue
        try:
            return board.play(square)
        except IllegalMove as error:
            write(f"{error.rule}\n")


def reply(board: Board, piece: str, engine: Engine) -> None:
    """Play the program's own move."""
    result = choose(board, engine)
    value = value_for(board.player_to_move, result)
    board.play(result.move)
    write(
        f"{piece} moves to {name(result.move)}: "
        f"value {value}, ply {result.max_depth}, nodes {result.nodes_visited}\n"
    )


def play(board: Board, player: int, engine: Engine) -> str:
    """Play a game at the terminal; return its result."""
    source = standard_input()
    write(f"{board}\n")
    while not board.is_over:
        piece = "xo"[board.player_to_move - 1]
        if board.player_to_move == player:
            ask(board, piece, source)
        else:
            reply(board, piece, engine)
        write(f"{board}\n")
    loser = board.player_to_move
    return f"{'xo'[loser - 1]} cannot move: {'you lose' if loser == player else 'you win'}\n"


def new_board(options: Mapping[str, Sequence[str]]) -> Board:
    """Return a board of the size that the options ask for. Raises UsageError."""
    if "--size" not in options:
        return Board()
    size = number(options["--size"][0], "--size")
    try:
        return Board(size=size)
    except ValueError as error:
        raise UsageError(f"--{error}") from None


def run(arguments: Sequence[str]) -> str:
    """Return the program's output for its arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    others, options = split_options(arguments, OPTIONS, USAGE)
    command, *rest = others or [""]
    if command not in ("play", "answer"):
        raise UsageError(
            f"the first argument must be play or answer, not {shown(command)}; usage: {USAGE}"
        )
    most = 3 if command == "play" else 4
    if not 3 <= len(rest) <= most:
        needed = "3" if command == "play" else "3 or 4"
        raise UsageError(f"{command} needs {needed} arguments, not {len(rest)}; usage: {USAGE}")
    player = player_of(rest[0])
    engine = Engine(seconds_of(rest[1]), number(rest[2], "ply"), "--plain" in options)
    if command == "play":
        return play(new_board(options), player, engine)
    if "--size" in options:
        raise UsageError("--size goes with play only: the board of answer has its own rows")
    return answer(read_board(rest[3] if len(rest) == 4 else None, player), engine)


def start() -> None:
    """Run the program, as the installed command isolation does too."""
    main("isolation", run)


if __name__ == "__main__":
    start()
