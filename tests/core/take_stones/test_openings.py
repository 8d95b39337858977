"""The opening statistics' command line, run as its users run it."""

import json
import re
import signal
from typing import Any

import pytest

from core.playout import Playouts
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.exact_play import assert_agree, chances
from tests.support.games.programs import Program
from tests.support.games.reference import Taken
from tests.support.polling import TEST_TIMEOUT

PROGRAM = Program("take_stones.openings")


def document(*arguments: str) -> Any:
    return json.loads(PROGRAM.output(*arguments, "--json"))


def expected_openings(n: int, plies: int) -> list[Taken]:
    """All openings in order; a game that ends earlier is one too."""
    found: list[Taken] = [()]
    for _ in range(plies):
        found = [
            after
            for taken in found
            for after in [(*taken, move) for move in reference.legal_moves(n, taken)] or [taken]
        ]
    return found


def test_the_example_in_the_help_is_true() -> None:
    example = re.search(
        r"\$ python -m core.take_stones.openings (.+)\n((?: .+\n)+)", PROGRAM.output("--help")
    )
    assert example
    assert PROGRAM.output(*example[1].split()) == re.sub("^  ", "", example[2], flags=re.MULTILINE)


@loop_over(("n", "plies"), [(3, 1), (7, 2), (7, 9), (20, 1), (20, 2), (66, 2)])
def test_there_is_a_row_for_each_opening(n: int, plies: int) -> None:
    rows = document(str(n), "--plies", str(plies), "--games", "1")
    assert [tuple(row["opening"]) for row in rows] == expected_openings(n, plies)
    assert [row["winner"] for row in rows] == [
        solve(Board(n, row["opening"])).winner for row in rows
    ]


@loop_over("players", [("random", "random"), ("greedy", "random"), ("random", "greedy")])
def test_games_have_their_exact_chances(players: tuple[str, str]) -> None:
    rows = document("13", "--games", "20000", "--players", ",".join(players))
    for row in rows:
        moves = round((row["mean_length"] - 1) * row["games"])
        played = Playouts(row["games"], row["wins"], moves)
        assert_agree(played, chances(Board(13, row["opening"]), players))
        assert row["share"] == pytest.approx(played.share, abs=1e-6)
        assert row["interval"] == pytest.approx(played.interval, abs=1e-6)


def test_seeds_decide_and_each_opening_has_its_numbers() -> None:
    # Stones 11 and 13 of 27 lead to the same game but for the names of two stones.
    wins = {tuple(row["opening"]): row["wins"] for row in document("27", "--games", "20000")}
    assert wins[11,] != wins[13,]
    assert (
        PROGRAM.output("20")
        == PROGRAM.output("20", "--seed", "1")
        != PROGRAM.output("20", "--seed", "2")
    )


def test_text_tells_the_same_as_json() -> None:
    head, *lines = PROGRAM.output("20", "--games", "500").splitlines()
    assert head.split() == ["winner", "player", "1", "wins", "interval", "moves", "opening"]
    for line, row in zip(lines, document("20", "--games", "500"), strict=True):
        low, high = row["interval"]
        assert line.split() == [
            *f"player {row['winner']} {100 * row['share']:.2f} %".split(),
            *f"{100 * low:.2f} - {100 * high:.2f} %".split(),
            f"{row['mean_length']:.2f}",
            *map(str, row["opening"]),
        ]


@loop_over("n", ["1", "2"])
def test_without_a_first_move_there_is_no_opening(n: str) -> None:
    result = PROGRAM.run(n)
    reason = "there is no opening: player 1 (Max) cannot move and loses"
    expected = (1, "", f"take_stones.openings: {reason}\n")
    assert (result.returncode, result.stdout, result.stderr) == expected


def test_rows_come_while_others_are_computed() -> None:
    """Ctrl-C ends what would take for ever, after the first row."""
    with PROGRAM.on_a_terminal("1000", "--plies", "20", "--games", "9") as terminal:
        seen = ""
        while seen.count("\n") < 2:
            more = terminal.read()
            assert more
            seen += more
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.read_to_end().endswith("take_stones.openings: interrupted\r\n")
        assert terminal.process.wait(TEST_TIMEOUT) == 130


@loop_over(
    "arguments, message",
    ("", "one #stones is needed, not 0; usage: "),
    ("0", "#stones must be at least 1, not 0"),
    ("7 --depth 3", "there is no option '--depth'; usage: "),
    ("7 --plies 0", "the number of plies must be from 1 to 20, not 0"),
    ("7 --plies 21", "the number of plies must be from 1 to 20, not 21"),
    ("7 --games 0", "the number of games must be from 1 to 1000000000000, not 0"),
    (f"7 --games {10**13}", f"the number of games must be from 1 to {10**12}, not {10**13}"),
    ("7 --players spec,random", "unknown player 'spec' (choose from random, greedy)"),
    ("7 --players random", "--players needs two players, not 1"),
    ("7 --players random,random,greedy", "--players needs two players, not 3"),
    (f"{10**15}", f"#stones '{10**15}' is too large for this machine's memory"),
)
def test_bad_input_is_one_line(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split()).startswith(message)
