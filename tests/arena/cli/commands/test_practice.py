"""`arena practice`: its sheets, and the options that leave no exercise."""

import shlex

import pytest

from arena.teaching.practice import Trees, exercises
from core import GAMES
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run


def sheet(arena: Run, options: str) -> str:
    end = arena("practice", *shlex.split(options))
    assert (end.status, end.err) == (0, "")
    return end.out


def test_the_defaults_are_those_of_the_help(arena: Run) -> None:
    given = (
        "--seed 1 --count 4 --cutoffs 1 --depth 3 --format html --paper a4 --title Alpha-beta"
        " --branching 2..3 --values 1..50 --player max"
    )
    assert sheet(arena, "") == sheet(arena, given)
    described = " ".join(arena("practice", "--help").out.split())
    for option in given.split("--")[1:]:
        _, value = option.split()
        assert f"(default: {value})" in described


def test_the_options_of_trees(arena: Run) -> None:
    source = Trees(2, (3, 3), (-9, 9), "min")
    tasks = [item.task.source for item in exercises(source, 2, 5, 2)]
    options = "--seed 5 --count 2 --cutoffs 2 --depth 2 --branching 3 --values=-9..9 --player min"
    page = sheet(arena, f"{options} --solutions")
    assert [task in page for task in tasks] == [True, True]
    assert f"<footer>Made with: arena practice {options}</footer>" in page


def test_options_of_sheets_and_games(arena: Run) -> None:
    text = sheet(arena, "--count 1 --format tex --paper letter --title 'Week 3'")
    assert r"\usepackage[letterpaper" in text
    assert "Week 3" in text
    options = "--count 2 --game take_stones --setup stones=10 --plies 2"
    assert sheet(arena, options).count("Take-Stones (stones 10) after") == 2
    assert sheet(arena, f"{options} --format tex").count("Take{-}Stones (stones 10) after") == 2
    assert f"Made with: arena practice {options}<" in sheet(arena, f"{options} --solutions")
    assert "(stones 20)" in sheet(arena, "--game take_stones --plies 3..5 --count 1")
    assert sheet(arena, "--game isolation --setup size=4").count("search to depth 2") == 4


@loop_over(
    "options, message",
    ("7", "unrecognized arguments: 7"),
    ("--count 0", "--count must be at least 1, not 0"),
    ("--depth 7", "--depth must be from 1 to 6, not 7"),
    ("--cutoffs 21", "--cutoffs must be at most 20, not 21"),
    (
        "--branching 3..2",
        "--branching must be within from 1 to 32, the lower number first, not 3..2",
    ),
    (
        "--values 0..1000",
        "--values must be within from -999 to 999, the lower number first, not 0..1000",
    ),
    ("--values 3..", "--values must be LOW..HIGH or a number, not '3..'"),
    ("--depth 6", "--branching 2..3 and --depth 6 give at least 64 leaves, and 32 fit on a page"),
    ("--plies 2", "--plies requires --game"),
    ("--setup a=2", "--setup requires --game"),
    ("--game take_stones --setup 2", "--setup must be NAME=NUMBER, not '2'"),
    ("--game take_stones --values 2", "--values does not go with --game"),
    ("--game isolation --depth 7", "--depth must be from 0 to 6, not 7"),
    (
        f"--game take_stones --setup stones=1{'0' * 15}",
        "stones must be at most 100000 here, got 1000000000000000",
    ),
    (
        "--depth 1",
        "found 0 exercises, and in 50 attempts no other: 50 had too few cutoffs:"
        " lower --cutoffs, or raise --depth",
    ),
    (
        "--depth 6 --branching 1..32 --seed 2",
        "found 0 exercises, and in 50 attempts no other: 50 had no move or did not fit on"
        " a page: lower --branching or --depth",
    ),
    (
        "--game take_stones --setup stones=2",
        "stones 2: player 1 cannot move at the start of take_stones",
    ),
    (
        "--game take_stones --setup stones=500 --plies 0",
        "found 0 exercises, and in 50 attempts no other: 50 had no move or did not fit on"
        " a page: change --plies, --depth or --setup",
    ),
    (
        "--branching 1 --depth 1 --values 1 --cutoffs 0 --count 2",
        "found 1 exercises, and in 50 attempts no other: 50 had the answers of an earlier"
        " one: lower --count",
    ),
)
def test_bad_input_names_the_value_and_the_rule(
    arena: Run, monkeypatch: pytest.MonkeyPatch, options: str, message: str
) -> None:
    monkeypatch.setitem(exercises.__globals__, "ATTEMPTS", 50)
    end = arena("practice", *options.split())
    assert (end.status, end.out, end.err.count("\n")) == (2, "", 1)
    assert end.err.startswith(f"arena: {message}")


def test_a_game_without_evaluation_is_searched_to_its_end(
    arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES["take_stones"]._replace(evaluate=None)
    monkeypatch.setitem(GAMES, "take_stones", game)
    end = arena("practice", "--game", "take_stones", "--setup", "stones=6")
    assert end.status == 2
    assert "has no evaluation" in end.err


def test_a_position_may_be_too_large_for_the_memory(
    arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise MemoryError

    game = GAMES["take_stones"]._replace(study=fail)  # type: ignore[arg-type]
    monkeypatch.setitem(GAMES, "take_stones", game)
    end = arena("practice", "--game", "take_stones")
    assert (end.status, end.out) == (2, "")
    assert end.err == "arena: the position is too large for this machine's memory\n"
