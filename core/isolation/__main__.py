"""The command line of Isolation, `python -m core.isolation`: a game, or a move for a position."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from core.command_line import Refused, main, number, progress_line, shown, write
from core.game import IllegalMove
from core.isolation.board import Board, name
from core.search import SearchResult, deepen

USAGE = "python -m core.isolation play|answer <x|o> <seconds> <ply> [<file>]"

HELP = f"""\
Usage: {USAGE}

Isolation: find the safest move by alpha-beta search, one ply deeper and deeper.

  play        a game at the terminal, in which you are <x|o>; x moves first
  answer      the move of <x|o> on the board in <file>, or on standard input without one
  <seconds>   how long to search for a move; one ply is always searched
  <ply>       how deep to search at most; 0 searches to the end of the game

Whichever of the two limits is met first ends the search. Then it tells the best move, its value
for the player who moves (the evaluation; 1000 and -1000 for a win and a loss), the ply that the
deepest finished search reached, and how many nodes that search visited. The ply is less than
<ply> if the time ran out, or if the search saw every game decided before: at its end, or once
neither piece can come where the other can.

A board is 8 rows of 8 squares: - is empty, * is filled, x and o are where the pieces stand. It may
be given as plain rows, with or without spaces, or as a list of rows, ((x - ...) (- - ...) ...),
with line breaks anywhere. Squares are (row column), and (1 1) is the top left. A move in a game is
typed as (3 5) or 3 5.

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

LONGEST = 10_000  # bytes of a board, or of a line that is typed


def seconds_of(argument: str) -> float:
    """The value of an argument such as 60 or 0.5."""
    if not re.fullmatch(r"\d+(\.\d+)?", argument, re.ASCII):
        raise Refused(f"seconds must be a decimal number such as 0.5, not {shown(argument)}")
    return float(argument)


def player_of(argument: str) -> int:
    """The number of a player, who is called x or o."""
    if argument not in ("x", "o"):
        raise Refused(f"the player must be x or o, not {shown(argument)}")
    return 1 + "xo".index(argument)


def standard_input() -> BinaryIO:
    """What is typed, or comes from a pipe."""
    if not sys.stdin:  # None where the caller has closed it
        raise Refused("cannot read standard input: it is closed", 1)
    return sys.stdin.buffer


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Tell the errors of reading from those of writing."""
    try:
        yield
    except OSError as error:
        raise Refused(f"cannot read {name}: {error.strerror}", 1) from None


def read(file: str | None) -> str:
    """The text of a file, or of standard input."""
    name = "standard input" if file is None else shown(file)
    with reading(name), standard_input() if file is None else open(file, "rb") as source:
        text = source.read(LONGEST + 1) or b""  # None from a pipe that does not wait
    if len(text) > LONGEST:
        raise Refused(f"the board in {name} is longer than {LONGEST} bytes")
    return text.decode("utf-8", "replace")


def rows_of(text: str) -> list[str]:
    """The rows of a board in either notation, without spaces."""
    rows = ["".join(line.split()) for line in text.splitlines()]
    if text.lstrip().startswith("("):
        return rows_of_list("".join(rows))
    return [row for row in rows if row]


def rows_of_list(text: str) -> list[str]:
    """The rows of a list of lists, ((...)(...)), without spaces."""
    rows: list[str] = []
    rest = text[1:]
    # A bracket that is not closed takes the next one in, which then is a symbol that no row has.
    while match := re.match(r"\(([^)]*)\)", rest):
        rows.append(match[1])
        rest = rest[match.end() :]
    if rest != ")":
        found = shown(rest) if rest else "the end"
        raise Refused(
            f"row {len(rows) + 1}: here must come a row in brackets or the last ), not {found}"
        )
    return rows


def value_for(player: int, result: SearchResult) -> str:
    """The value as the player sees it."""
    return f"{result.value if player == 1 else -result.value:.2f}"


def choose(board: Board, seconds: float, ply: int) -> SearchResult:
    """Search within the limits, and show on a terminal how far it is."""
    line = progress_line(name)
    try:
        return deepen(board, ply, seconds=seconds, report=line)
    finally:
        if line:
            line.wipe()


def answer(text: str, player: int, seconds: float, ply: int) -> str:
    """The move, its value, the ply and the nodes for a board."""
    try:
        board = Board.from_rows(rows_of(text), player)
    except ValueError as error:
        raise Refused(str(error)) from None
    if board.is_over:
        raise Refused(f"the game is over: {'xo'[player - 1]} cannot move and loses", 1)
    result = choose(board, seconds, ply)
    return (
        f"Move: {name(result.move)}\n"
        f"Value: {value_for(player, result)}\n"
        f"Ply: {result.max_depth}\n"
        f"Nodes: {result.nodes_visited}\n"
    )


def picture(board: Board) -> str:
    """The board as it is printed."""
    return "".join(" ".join(row) + "\n" for row in board.rows)


def typed(prompt: str, source: BinaryIO) -> str:
    """The line that is typed at a prompt."""
    line = b""
    try:
        write(prompt)
        with reading("standard input"):
            line = source.readline(LONGEST)
    finally:
        if not (line.endswith(b"\n") and source.isatty()):  # nobody has ended the prompt's line
            write("\n")
    if not line:
        raise Refused("the input has ended before the game", 1)
    return line.decode("utf-8", "replace").strip()


def square_of(text: str) -> int | None:
    """The square in what was typed, or None if it is none."""
    match = re.fullmatch(r"(\(\s*)?([1-8])\s+([1-8])(?(1)\s*\))", text)
    return 8 * (int(match[2]) - 1) + int(match[3]) - 1 if match else None


def ask(board: Board, piece: str, source: BinaryIO) -> None:
    """Let the person at the terminal move, however many attempts that takes."""
    while True:
        text = typed(f"{piece} to move (row column): ", source)
        square = square_of(text)
        if square is None:
            write(f"{shown(text)} is no square: type a row and a column from 1 to 8, as 3 5\n")
            continue
        try:
            return board.take(square)
        except IllegalMove as error:
            write(f"{error.rule}\n")


def reply(board: Board, piece: str, seconds: float, ply: int) -> None:
    """Make the program's own move."""
    result = choose(board, seconds, ply)
    value = value_for(board.player_to_move, result)
    board.take(result.move)
    write(
        f"{piece} moves to {name(result.move)}: "
        f"value {value}, ply {result.max_depth}, nodes {result.nodes_visited}\n"
    )


def play(player: int, seconds: float, ply: int) -> str:
    """Play a game against the person at the terminal. Returns how it ends."""
    board, source = Board(), standard_input()
    write(picture(board))
    while not board.is_over:
        piece = "xo"[board.player_to_move - 1]
        if board.player_to_move == player:
            ask(board, piece, source)
        else:
            reply(board, piece, seconds, ply)
        write(picture(board))
    loser = board.player_to_move
    return f"{'xo'[loser - 1]} cannot move: {'you lose' if loser == player else 'you win'}\n"


def run(arguments: Sequence[str]) -> str:
    """What the program prints, at the end, for these arguments. Raises Refused."""
    if {"-h", "--help"} & set(arguments):
        return HELP
    command, *rest = arguments or [""]
    if command not in ("play", "answer"):
        raise Refused(
            f"the first argument must be play or answer, not {shown(command)}; usage: {USAGE}"
        )
    most = 3 if command == "play" else 4
    if not 3 <= len(rest) <= most:
        needed = "3" if command == "play" else "3 or 4"
        raise Refused(f"{command} needs {needed} arguments, not {len(rest)}; usage: {USAGE}")
    player, seconds, ply = player_of(rest[0]), seconds_of(rest[1]), number(rest[2], "ply")
    if command == "play":
        return play(player, seconds, ply)
    return answer(read(rest[3] if len(rest) == 4 else None), player, seconds, ply)


if __name__ == "__main__":
    main("isolation", run)
