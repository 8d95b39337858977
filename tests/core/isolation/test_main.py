"""The command line of Isolation, run as its users run it."""

import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from core.isolation import Board
from core.isolation.board import name
from core.search import deepen
from tests.support.cases import loop_over
from tests.support.games.programs import Ended, Program
from tests.support.polling import TEST_TIMEOUT, wait_until

PROGRAM = Program("isolation")

START = Board().rows
CORRIDORS = ["x--*****", *["********"] * 6, "*****--o"]  # two moves for each piece
TOGETHER = ["x---****", "---o****", *["********"] * 6]  # decided after six plies
WALLED = ["x*------", "**------", *["--------"] * 5, "-------o"]  # x cannot move

PROMPT = "{} to move (row column): "


def plain(rows: list[str]) -> str:
    return "\n".join(rows)


def nested(rows: list[str], between: str = " ") -> str:
    """A list of lists, with something between all that it consists of."""
    return between.join(["(", *[between.join(["(", *row, ")"]) for row in rows], ")"])


class Answer(NamedTuple):
    """What is told of a position."""

    move: str
    value: str
    ply: int
    nodes: int


def read_answer(result: Ended) -> Answer:
    """The four lines, when everything else is as it must be."""
    assert (result.returncode, result.stderr) == (0, "")
    lines = re.fullmatch(r"Move: (.+)\nValue: (.+)\nPly: (\d+)\nNodes: (\d+)\n", result.stdout)
    assert lines
    return Answer(lines[1], lines[2], int(lines[3]), int(lines[4]))


def answer(board: str, player: str = "x", seconds: str = "60", ply: str = "2") -> Answer:
    return read_answer(PROGRAM.run("answer", player, seconds, ply, stdin=board))


def test_boards_are_typed_or_searched_plainly() -> None:
    arguments = ("answer", "x", "60", "1")
    found = read_answer(PROGRAM.run(*arguments, "--plain", stdin=plain(CORRIDORS)))
    assert found.value == "12.08"  # a move, and 2.5 times an average distance of 4.43
    assert read_answer(PROGRAM.run(*arguments, stdin=plain(CORRIDORS))).value == "-1000.00"
    with PROGRAM.on_a_terminal("answer", "x", "60", "2") as terminal:
        terminal.type(plain(START) + "\n\x04")
        assert "Move: (1 6)\r\n" in terminal.read_to_end()
    message = "the board in '/dev/zero' is longer than 10000 bytes"
    assert PROGRAM.refusal("answer", "x", "60", "2", "/dev/zero") == message


def refusal(board: str) -> str:
    """What is told of a bad board."""
    return PROGRAM.refusal("answer", "x", "60", "2", stdin=board)


def play(player: str, typed: str) -> Ended:
    return PROGRAM.run("play", player, "60", "1", stdin=typed)


# An answer.


def test_the_example_in_the_help_is_true() -> None:
    help_text = PROGRAM.run("--help").stdout
    example = re.search(
        r"\$ python -m core.isolation (.+) <<END\n(.+)  END\n(.+?)\n\n", help_text, re.S
    )
    assert example
    arguments, board, output = example.groups()
    result = PROGRAM.run(*arguments.split(), stdin=board)
    assert result.stdout == "".join(line.lstrip() + "\n" for line in output.split("\n"))


@loop_over("player", ["x", "o"])
def test_an_answer_is_what_the_search_finds(player: str) -> None:
    rows = Board([18, 45, 21]).rows
    result = deepen(Board.from_rows(rows, 1 + "xo".index(player)), 3, seconds=60)
    value = result.value if player == "x" else -result.value
    expected = Answer(name(result.move), f"{value:.2f}", 3, result.nodes_visited)
    assert answer(plain(rows), player, ply="3") == expected


def test_values_and_plies_at_the_ends() -> None:
    # The two sides of the start are alike.
    assert answer(plain(START), "o").value == answer(plain(START), "x").value
    assert answer(plain(WALLED), "o").value == "1000.00"
    assert answer(plain(TOGETHER), ply=str(10**30)).ply == 6


@loop_over(
    "board, value",
    [(CORRIDORS, "-1000.00"), ([CORRIDORS[0].replace("--*", "---"), *CORRIDORS[1:]], "1000.00")],
)
def test_a_game_searched_to_its_end_is_won_or_lost(board: list[str], value: str) -> None:
    assert answer(plain(board), ply="0").value == value


@loop_over(("ply", "reached"), [("1", 1), ("3", 3), ("6", 6), ("9", 6), ("0", 6)])
def test_the_ply_is_what_was_reached(ply: str, reached: int) -> None:
    assert answer(plain(TOGETHER), ply=ply).ply == reached


def test_a_search_ends_after_its_time() -> None:
    assert answer(plain(START), seconds="0", ply="5").ply == 1
    wait_until(lambda: answer(plain(START), seconds="0.5", ply="0").ply > 1, "a deeper search")


# The notations of a board.


@loop_over(
    "board",
    plain([" ".join(row) for row in START]),
    plain(START) + "\n",
    "\n\n".join(START),
    "\r\n".join(START),
    plain([f"  {row[:4]}\t{row[4:]} " for row in START]),
    nested(START),
    nested(START, ""),
    nested(START, "\n"),
    nested(START, "\r\n\t"),
    f"\n {nested(START)} \n",
    "((" + ")\n (".join(" ".join(row) for row in START) + "))\n",
)
def test_notations(board: str) -> None:
    assert answer(board) == answer(plain(START))


def test_a_board_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_text(nested(START))
    result = PROGRAM.run("answer", "x", "60", "2", str(file), stdin="not read")
    assert read_answer(result) == answer(plain(START))


# Bad boards: one line on standard error, exit status 2.


def with_row(row: int, symbols: str) -> list[str]:
    """The start with another row, counted from 1."""
    return [*START[: row - 1], symbols, *START[row:]]


@loop_over("notation", [plain, nested])
@loop_over(
    "rows, message",
    (with_row(7, "\N{EN DASH}-------"), r"row 7, column 1: '\u2013' is none of - * x o"),
    (with_row(2, "-----(--"), "row 2, column 6: '(' is none of - * x o"),
)
def test_a_bad_board_names_the_row_and_the_column(
    notation: Callable[[list[str]], str], rows: list[str], message: str
) -> None:
    assert refusal(notation(rows)) == message


@loop_over("board", ["", "\n \n", "()", "( )\n"])
def test_nothing_is_no_board(board: str) -> None:
    assert refusal(board) == "the board must have 3 to 8 rows, not 0"


@loop_over(
    "board, message",
    (nested(START)[:-1], "row 9: {}, not the end"),
    (nested(START)[:-3], "row 8: {}, not '(-------o'"),
    (nested(START) + ")", "row 9: {}, not '))'"),
    (nested(START) + nested(START), "row 9: {}, not ')((x-------)(--------)(--------)(-------...'"),
    ("(x-------)\n(--------)", "row 1: {}, not 'x-------)(--------)'"),
    ("((x-------) --------)", "row 2: {}, not '--------)'"),
    ("((x-------) and (--------))", "row 2: {}, not 'and(--------))'"),
    ("((x------- (--------))", "row 1, column 9: '(' is none of - * x o"),
    ("x-------)", "row 1, column 9: ')' is none of - * x o"),
    (")(", "row 1, column 1: ')' is none of - * x o"),
)
def test_brackets_that_do_not_match(board: str, message: str) -> None:
    rule = "here must come a row in brackets or the last )"
    assert refusal(board) == message.format(rule)


def test_bytes_that_are_not_text_are_symbols_that_no_board_has(tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_bytes(b"x--\xff----")
    message = r"row 1, column 4: '\ufffd' is none of - * x o"
    assert PROGRAM.refusal("answer", "x", "60", "2", str(file)) == message


def test_a_pipe_that_does_not_wait_has_no_board() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    result = subprocess.run(
        [*PROGRAM.command, "answer", "x", "60", "2"], stdin=reading, capture_output=True, text=True
    )
    os.close(reading)
    os.close(writing)
    expected = (2, "isolation: the board must have 3 to 8 rows, not 0\n")
    assert (result.returncode, result.stderr) == expected


# A board that cannot be read: exit status 1.


@loop_over(
    "redirected, message",
    ("answer x 60 2 nowhere", "cannot read 'nowhere': No such file or directory"),
    ("answer x 60 2 ''", "cannot read '': No such file or directory"),
    ("answer x 60 2 /", "cannot read '/': Is a directory"),
    ("answer x 60 2 <&-", "cannot read standard input: it is closed"),
    ("answer x 60 2 0>/dev/null", "cannot read standard input: Bad file descriptor"),
    ("play x 60 2 <&-", "cannot read standard input: it is closed"),
)
def test_what_cannot_be_read_is_one_line(redirected: str, message: str) -> None:
    result = PROGRAM.shell(redirected)
    expected = (1, "", f"isolation: {message}\n")
    assert (result.returncode, result.stdout, result.stderr) == expected


# The game on the board is over: no move to print, exit status 1.


@loop_over(
    "rows, player",
    [(WALLED, "x"), ([row[::-1].translate({120: "o", 111: "x"}) for row in WALLED[::-1]], "o")],
)
def test_a_finished_game_names_the_loser(rows: list[str], player: str) -> None:
    result = PROGRAM.run("answer", player, "60", "2", stdin=plain(rows))
    expected = (1, "", f"isolation: the game is over: {player} cannot move and loses\n")
    assert (result.returncode, result.stdout, result.stderr) == expected


# Bad arguments: one line on standard error, exit status 2.


@loop_over(
    "arguments, message",
    ("", "the first argument must be play or answer, not ''; usage: python -m core.isolation"),
    ("play", "play needs 3 arguments, not 0; usage: "),
    ("play x 60", "play needs 3 arguments, not 2; usage: "),
    ("play x 60 5 board", "play needs 3 arguments, not 4; usage: "),
    ("answer x 60", "answer needs 3 or 4 arguments, not 2; usage: "),
    ("answer x 60 5 one two", "answer needs 3 or 4 arguments, not 5; usage: "),
    ("play x 60 5 --size 9", "--size must be from 3 to 8, not 9"),
    ("answer x 60 5 --size 6", "--size goes with play only: the board of answer has its own"),
    ("play xo 60 5", "the player must be x or o, not 'xo'"),
)
def test_bad_arguments_name_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split()).startswith(message)


@loop_over(
    "seconds", ["", "-1", "+1", ".5", "5.", "1e3", "nan", "inf", "1_0", "60s", " 1", "\u0663"]
)
def test_only_plain_decimal_numbers_are_seconds(seconds: str) -> None:
    expected = f"seconds must be a decimal number such as 0.5, not {seconds!a}"
    assert PROGRAM.refusal("play", "x", seconds, "5") == expected


@loop_over("seconds", ["9" * 400, "9" * 5000, "00", "0.000"])
def test_no_number_of_seconds_is_too_large_or_too_small(seconds: str) -> None:
    assert answer(plain(START), seconds=seconds, ply="1").ply == 1


# Whole games, through a pipe.


def picture(board: Board) -> str:
    return "".join(f"{' '.join(row)}\n" for row in board.rows)


def game(person: str, nth: int) -> tuple[list[str], str]:
    """A person's moves in a game against one ply, each the nth legal one, and all that is printed.

    Where there are fewer, the count begins again.
    """
    board, typed = Board(), list[str]()
    printed = picture(board)
    while not board.is_over:
        piece = "xo"[board.player_to_move - 1]
        if piece == person:
            moves = board.legal_moves()
            move = moves[nth % len(moves)]
            board.play(move)
            typed.append(name(move))
            printed += PROMPT.format(piece) + "\n"
        else:
            result = deepen(board, 1, seconds=60)
            board.play(result.move)
            value = result.value if piece == "x" else -result.value
            printed += (
                f"{piece} moves to {name(result.move)}: "
                f"value {value:.2f}, ply 1, nodes {result.nodes_visited}\n"
            )
        printed += picture(board)
    piece = "xo"[board.player_to_move - 1]
    return typed, f"{printed}{piece} cannot move: you {'lose' if piece == person else 'win'}\n"


@loop_over("person", ["x", "o"])
@loop_over("end", ["you lose", "you win"])
def test_a_whole_game(person: str, end: str) -> None:
    games = (game(person, nth) for nth in range(100))
    typed, printed = next(game for game in games if game[1].endswith(f"{end}\n"))
    result = play(person, "".join(f"{move}\n" for move in typed))
    assert (result.returncode, result.stdout, result.stderr) == (0, printed, "")


@loop_over("typed", ["3 3", "(3 3)", "  ( 3\t3 )  ", "3   3", "3 3\r", "(3\N{NO-BREAK SPACE}3)"])
def test_notations_of_a_move(typed: str) -> None:
    assert picture(Board([18])) in play("x", f"{typed}\n").stdout


def test_lines_that_are_typed() -> None:
    assert picture(Board([18])) in play("x", "3 3").stdout
    assert play("x", "2 3\nhelp\n3 3\n").stdout.count(picture(Board([18]))) == 1
    assert len(play("x", "9" * 9999).stdout) < 1000


# Wrong moves: what is wrong, and another attempt.


def test_an_illegal_move_names_the_rule() -> None:
    attempt = PROMPT.format("x") + "\n"
    rule = "square (8 8) is occupied by o"
    assert play("x", "8 8\n").stdout == f"{picture(Board())}{attempt}{rule}\n{attempt}"


@loop_over(
    "typed",
    "",
    "help",
    "3",
    "33",
    "3,3",
    "3.0 3",
    "3 3 3",
    "0 1",
    "1 9",
    "(3 3",
    "3 3)",
    "\u0663 3",
)
def test_what_is_no_move_is_shown(typed: str) -> None:
    rule = f"{typed!a} is no square: type a row and a column from 1 to 8, as 3 5"
    attempt = PROMPT.format("x") + "\n"
    assert play("x", f"{typed}\n").stdout == f"{picture(Board())}{attempt}{rule}\n{attempt}"


def test_a_game_on_a_small_board() -> None:
    result = PROGRAM.run("play", "x", "60", "1", "--size", "5", stdin="1 6\n6\n")
    attempt = PROMPT.format("x") + "\n"
    assert result.stdout == (
        f"{picture(Board(size=5))}{attempt}square (1 6) is outside the 5 by 5 board\n"
        f"{attempt}'6' is no square: type a row and a column from 1 to 5, as 3 5\n{attempt}"
    )


# The end of the input.


def test_inputs_that_end_or_cannot_be_read_are_one_line() -> None:
    result = play("x", "3 3\n")
    expected = (1, "isolation: the input has ended before the game\n")
    assert (result.returncode, result.stderr) == expected
    result = PROGRAM.shell("play x 60 1 0>/dev/null")
    expected = (1, "isolation: cannot read standard input: Bad file descriptor\n")
    assert (result.returncode, result.stderr) == expected


@loop_over("redirection", [">&-", ">/dev/full"])
def test_a_game_that_cannot_be_shown_is_one_line(redirection: str) -> None:
    result = PROGRAM.shell(f"play x 60 1 {redirection}", stdin="3 3\n")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert result.stderr.startswith("isolation: cannot write the result: ")


# A game on a terminal.


def on_screen(text: str) -> str:
    """What a terminal makes of it."""
    return text.replace("\n", "\r\n")


def test_a_move_is_typed_after_the_prompt() -> None:
    with PROGRAM.on_a_terminal("play", "x", "60", "1") as terminal:
        prompt = PROMPT.format("x")
        assert terminal.read_to(prompt) == on_screen(picture(Board())) + prompt
        terminal.type("3 3\n")
        assert terminal.read_to(prompt).startswith(on_screen(f"3 3\n{picture(Board([18]))}o moves"))


def test_ctrl_d_ends_a_game() -> None:
    with PROGRAM.on_a_terminal("play", "x", "60", "1") as terminal:
        terminal.read_to(PROMPT.format("x"))
        terminal.type("\x04")
        line = "isolation: the input has ended before the game"
        assert terminal.read_to_end() == f"\r\n{line}\r\n"
        assert terminal.process.wait(TEST_TIMEOUT) == 1


def test_ctrl_c_ends_a_game() -> None:
    with PROGRAM.on_a_terminal("play", "x", "60", "1") as terminal:
        terminal.read_to(PROMPT.format("x"))
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.read_to_end() == "\r\nisolation: interrupted\r\n"
        assert terminal.process.wait(TEST_TIMEOUT) == 130


def test_ctrl_c_ends_a_search_in_a_game() -> None:
    with PROGRAM.on_a_terminal("play", "o", "3600", "0") as terminal:
        terminal.read_to(" s")  # the progress
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.read_to_end().endswith("\r\x1b[Kisolation: interrupted\r\n")
        assert terminal.process.wait(TEST_TIMEOUT) == 130


@pytest.mark.slow
def test_a_move_wipes_the_progress_of_its_search() -> None:
    with PROGRAM.on_a_terminal("play", "o", "1.5", "0") as terminal:
        shown = terminal.read_to(PROMPT.format("o"))
    assert re.search(r" s\r\x1b\[Kx moves to \(", shown)
