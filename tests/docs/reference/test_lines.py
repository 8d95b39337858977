"""The line protocol: the page matches the sources, and its programs work."""

import argparse
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from arena.model.results import Info
from arena.protocol.player import Turn
from bots.arguments import BotOptions
from bots.client import Choice
from bots.line_info import read_info
from bots.stdio import ANSWER, END_SECONDS, MAX_LINE, Program, turn_line
from core import GAMES
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT

OPTIONS = argparse.ArgumentParser()
BotOptions.add_to(OPTIONS)
TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "lines.md").read_text()


def block(kind: str) -> str:
    """Return the only code block of a kind."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.M | re.S)
    return str(found)


def keys(line: str) -> dict[str, str]:
    return dict(field.split("=") for field in line.split()[1:])


def rows(heading: str) -> list[str]:
    """Return the first words of the rows of a table."""
    table = TEXT.split(f"| {heading} |")[1].split("\n\n")[0]
    return re.findall(r"^\| `([^` ]+)[^`]*` \|", table, re.M)


def exchange(game: str) -> tuple[list[str], list[int]]:
    """Return the lines and the answers of a complete game."""
    lines = block(game).splitlines(keepends=True)
    assert [line[:2] for line in lines] == len(lines) // 2 * ["< ", "> "]
    return [line[2:] for line in lines[::2]], [int(line[2:]) for line in lines[1::2]]


def parse_turn(line: str) -> Turn:
    """Return the turn of a line."""
    values = keys(line)
    setup = {name: int(values[name]) for name in GAMES[values["game"]].parameters}
    moves = [int(move) for move in values["moves"].split(",") if move]
    you, clocks = int(values["you"]), [int(values["opponent_ms"])] * 2
    clocks[you - 1] = int(values["time_ms"])
    increment, pair = int(values["increment_ms"]), (clocks[0], clocks[1])
    return Turn("1", values["game"], setup, moves, len(moves), you, pair, increment, "o")


LINES = [block("line"), *exchange("take_stones")[0], *exchange("isolation")[0]]


@loop_over("line", LINES)
def test_every_line_is_written_as_shown(line: str) -> None:
    assert turn_line(parse_turn(line)) == line


def test_the_answer_is_legal_and_every_key_explained() -> None:
    assert ANSWER.fullmatch(block("answer").encode())
    assert block("answer").strip() in keys(block("line"))["legal"].split(",")
    found = ANSWER.fullmatch(block("informed").encode())
    assert found
    assert read_info(found[2].decode()) == (Info(1.5, 6, 1234, (8, 4)), "")
    turn = Turn("1", "take_stones", {"stones": 7}, [], 0, 1, (1, 1), 1, "o", per_move=True)
    assert [key for key in rows("key") if key != "size"] == [*keys(turn_line(turn))]
    turn = Turn("1", "isolation", {"size": 7}, [], 0, 1, (1, 1), 1, "o", per_move=True)
    assert [key for key in rows("key") if key != "stones"] == [*keys(turn_line(turn))]
    options = {*OPTIONS._option_string_actions, "--quiet"}
    assert {*rows("option")} == options - {"-h", "--help", "--seed"}


@loop_over("game", GAMES)
def test_every_game_has_a_complete_example_that_is_won(game: str) -> None:
    lines, answers = exchange(game)
    turns = [parse_turn(line) for line in lines]
    for turn, answer, later in zip(turns, answers, turns[1:], strict=False):
        assert later.moves[:-1] == [*turn.moves, answer]
    moves = [*turns[-1].moves, answers[-1]]
    assert len(turns[0].moves) < 2
    outcome = GAMES[game].position(**turns[0].setup, moves=moves).outcome
    assert outcome
    assert outcome.winner == turns[0].you


@loop_over(
    "words",
    f"longer than {MAX_LINE // 1024} KiB ({MAX_LINE} bytes)",
    f"wrote more than {MAX_LINE} bytes without",
    f"still running {END_SECONDS:g} s later",
    f"`{OPTIONS.get_default('url')}`",
)
def test_numbers_match_the_sources(words: str) -> None:
    assert words in " ".join(TEXT.split())


# The programs


def answers(*command: str) -> list[int | Choice | None]:
    """Return the answers of a program to all lines of the page, sent one after another."""
    program = Program(command, lambda failure: None)  # noqa: ARG005
    watchdog = threading.Timer(TEST_TIMEOUT, program.end, [0])
    watchdog.start()
    try:
        return [program.ask(line) for line in LINES]
    finally:
        watchdog.cancel()
        program.close_input()
        program.end(time.monotonic() + TEST_TIMEOUT)


EXPECTED = [int(keys(line)["legal"].split(",")[0]) for line in LINES]


def test_the_program_in_c_works(tmp_path: Path) -> None:
    source, program = tmp_path / "mybot.c", tmp_path / "mybot"
    source.write_text(block("c"))
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    assert answers(str(program)) == EXPECTED


@loop_over(
    "kind, command",
    [("sh", ["sh"]), ("awk", ["awk", "-W", "interactive", "-f"]), ("python", [sys.executable])],
)
def test_programs_in_other_languages_work(tmp_path: Path, kind: str, command: list[str]) -> None:
    source = tmp_path / "mybot"
    source.write_text(block(kind))
    assert answers(*command, str(source)) == EXPECTED
