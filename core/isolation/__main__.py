"""The command line of Isolation, `python -m core.isolation`: a game, or a move for a position."""

import re
import sys
from collections.abc import Sequence

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
for the player who moves (the evaluation; 1000 and -1000 for a win and a loss), the ply of the
deepest search that was finished, and how many nodes that search visited.

A board is 8 rows of 8 squares: - is empty, * is filled, x and o are where the pieces stand. It may
be given as plain rows, with or without spaces, or as a list of lists: ((x - ...) (- - ...) ...).
Squares are (row column), and (1 1) is the top left. A move in a game is typed as (3 5) or 3 5.

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

Exit status: 0 with a move or at the end of a game played; 1 if the game is over or the result
cannot be written; 2 for arguments, or a board, that make no sense; 130 after Ctrl-C.
"""

LONGEST = 10_000  # characters of a board


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


def read(file: str | None) -> str:
    """The text of a file, or of standard input."""
    try:
        if file is not None:
            with open(file, "rb") as opened:
                text = opened.read(LONGEST + 1)
        elif sys.stdin:
            text = sys.stdin.buffer.read(LONGEST + 1)
        else:
            raise Refused("cannot read the board: standard input is closed")
    except OSError as error:
        raise Refused(f"cannot read the board: {error.strerror}") from None
    except ValueError:  # no system has such a name
        raise Refused(f"cannot read the board: {shown(str(file))} is not a file") from None
    if len(text) > LONGEST:
        raise Refused(f"the board is longer than {LONGEST} characters")
    return text.decode("utf-8", "replace")


def rows_of(text: str) -> list[str]:
    """The rows of a board in either notation, without spaces."""
    if "(" in text or ")" in text:
        return ["".join(row.split()) for row in rows_of_list(text)]
    return [row for line in text.splitlines() if (row := "".join(line.split()))]


def rows_of_list(text: str) -> list[str]:
    """The rows of a list of lists, (( ... ) ( ... ))."""
    rest = text.strip()
    if not rest.startswith("("):
        raise Refused(f"a list of rows must begin with ((, not with {shown(rest[:2])}")
    rest = rest[1:].lstrip()
    rows: list[str] = []
    while match := re.match(r"\(([^()]*)\)\s*", rest):
        rows.append(match[1])
        rest = rest[match.end() :]
    if rest != ")":
        found = shown(rest[:9]) if rest else "nothing"
        raise Refused(f"after row {len(rows)} comes a row in brackets or a last ), not {found}")
    return rows


def value_for(player: int, result: SearchResult) -> str:
    """The value as the player sees it."""
    value = result.value if player == 1 else -result.value
    return f"{value + 0.0:.2f}"


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


def typed_square(line: str) -> int | None:
    """The square that was typed, or None if it is none."""
    match = re.fullmatch(r"\s*(\()?\s*([1-8])\s+([1-8])\s*(?(1)\))\s*", line, re.ASCII)
    return 8 * (int(match[2]) - 1) + int(match[3]) - 1 if match else None


def ask(board: Board, piece: str) -> None:
    """Let the person at the terminal move, however many attempts that takes."""
    while True:
        write(f"{piece} to move: ")
        line = sys.stdin.buffer.readline() if sys.stdin else b""
        if not line:
            raise Refused("the input has ended before the game")
        square = typed_square(line.decode("utf-8", "replace"))
        if square is None:
            write("type the square to move to as (row column), both from 1 to 8\n")
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
    board = Board()
    write(picture(board))
    while not board.is_over:
        piece = "xo"[board.player_to_move - 1]
        if board.player_to_move == player:
            ask(board, piece)
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
        raise Refused(f"the first argument must be play or answer; usage: {USAGE}")
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
