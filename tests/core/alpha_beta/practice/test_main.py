"""The exercises' command line."""

import re
import shlex

import pytest

from core import GAMES
from core.alpha_beta.practice import Trees, exercises
from core.alpha_beta.practice.__main__ import OPTIONS, USAGE, run
from core.cli import UsageError
from tests.support.cases import loop_over
from tests.support.games.programs import Program

PROGRAM = Program("alpha_beta.practice")
HELP = run(["--help"])


def sheet(options: str) -> str:
    return run(shlex.split(options))


def test_it_prints_a_sheet_or_one_line_of_error() -> None:
    result = PROGRAM.run("--count", "1", "--depth", "2")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == sheet("--count 1 --depth 2")
    assert result.stdout.startswith("<!DOCTYPE html>")
    result = PROGRAM.run("--count", "none")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "alpha_beta.practice: --count must be a whole number in decimal digits, not 'none'\n"
    )


@loop_over("example", re.findall(r"\$ python -m \S+ (.+) > \S+\n", HELP))
def test_the_examples_in_the_help_work(example: str) -> None:
    assert "Exercise 4" in sheet(example) or "Solution 4" in sheet(example)


def test_the_defaults_are_those_of_the_help() -> None:
    given = (
        "--seed 1 --count 4 --cutoffs 1 --depth 3 --format html --paper a4 --title Alpha-beta"
        " --branching 2..3 --values 1..50 --player max"
    )
    assert sheet("") == sheet(given)
    for name, value in re.findall(r"(--\w+) (\S+)", given):
        described = re.search(rf"^  {name} .*(\n {{20}}.*)*", HELP, re.MULTILINE)
        assert described
        assert re.search(rf"{value} \(default|\(default: {value}\b", described[0])


def test_the_options_of_trees() -> None:
    source = Trees(2, (3, 3), (-9, 9), "min")
    tasks = [item.task.source for item in exercises(source, 2, 5, 2)]
    options = "--depth 2 --branching 3 --values -9..9 --player min --seed 5 --count 2 --cutoffs 2"
    page = sheet(f"{options} --solutions")
    assert [task in page for task in tasks] == [True, True]
    assert f"<footer>Made with: python -m core.alpha_beta.practice {options}</footer>" in page


def test_options_of_sheets_and_games() -> None:
    text = sheet("--count 1 --format tex --paper letter --title 'Week 3'")
    assert r"\usepackage[letterpaper" in text
    assert "Week 3" in text
    options = "--game take_stones --setup stones=10 --plies 2 --count 2"
    assert sheet(options).count("Take-Stones (stones 10) after") == 2
    assert sheet(f"{options} --format tex").count("Take{-}Stones (stones 10) after") == 2
    assert "(stones 20)" in sheet("--game take_stones --plies 3..5 --count 1")
    assert {*re.findall(r"^  (--\w+)", HELP, re.MULTILINE)} == {*OPTIONS}
    assert f"game: {', '.join(GAMES)}\n" in HELP


@loop_over(
    "options, message",
    ("7", f"expected options alone, got '7'; usage: {USAGE}"),
    ("--depths 3", f"there is no option '--depths'; usage: {USAGE}"),
    ("--format pdf", "unknown --format 'pdf' (choose from html, tex)"),
    ("--paper a5", "unknown --paper 'a5' (choose from a4, letter)"),
    ("--player x", "unknown --player 'x' (choose from max, min, either)"),
    ("--count 0", "--count must be from 1 to 50, not '0'"),
    ("--depth 7", "--depth must be from 1 to 6, not '7'"),
    ("--cutoffs 21", "--cutoffs must be from 0 to 20, not '21'"),
    (
        "--branching 3..2",
        "--branching must be within from 1 to 32, the lower number first, not '3..2'",
    ),
    (
        "--values 0..1000",
        "--values must be within from -999 to 999, the lower number first, not '0..1000'",
    ),
    ("--values 3..", "--values must be a whole number in decimal digits, not ''"),
    (
        "--branching 4 --depth 3",
        "--branching 4..4 and --depth 3 give at least 64 leaves, and 32 fit on a page",
    ),
    ("--depth 6", "--branching 2..3 and --depth 6 give at least 64 leaves, and 32 fit on a page"),
    ("--plies 2", "--plies goes with --game only"),
    ("--setup a=2", "--setup goes with --game only"),
    ("--game take_stones --values 2", "--values does not go with --game"),
    ("--game chess", f"unknown game 'chess' (choose from {', '.join(GAMES)})"),
    ("--game take_stones --setup n=3", "--setup: Take-Stones has no parameter 'n' (it has stones)"),
    ("--game isolation --setup n=3", "--setup: Isolation has no parameter 'n' (it has size)"),
    ("--game isolation --setup size=9", "--setup size must be at most 8, not 9"),
    ("--game take_stones --setup stones=0", "--setup stones must be at least 1, not 0"),
    (
        f"--game take_stones --setup stones=1{'0' * 15}",
        "--setup 'stones=1000000000000000' is too large",
    ),
)
def test_wrong_options(options: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        sheet(options)
    assert error.value.status == 2
    assert str(error.value) == message


def test_a_game_without_evaluation_is_searched_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["take_stones"]._replace(evaluate=None)
    monkeypatch.setitem(GAMES._games, "take_stones", game)
    with pytest.raises(UsageError, match="has no evaluation"):
        sheet("--game take_stones --setup stones=6")


@loop_over(
    "options, error",
    (
        "--depth 1",
        "found 0 exercises, and in 1000 attempts no other: 1000 had too few cutoffs:"
        " lower --cutoffs, or raise --depth",
    ),
    (
        "--depth 6 --branching 1..32 --seed 2",
        "found 0 exercises, and in 1000 attempts no other: 1000 had no move or did not fit on"
        " a page: lower --branching or --depth",
    ),
    (
        "--game take_stones --setup stones=500 --plies 0",
        "found 0 exercises, and in 1000 attempts no other: 1000 had no move or did not fit on"
        " a page: change --plies, --depth or --setup",
    ),
    (
        "--branching 1 --depth 1 --values 1 --cutoffs 0 --count 2",
        "found 1 exercises, and in 1000 attempts no other: 1000 had the answers of an earlier"
        " one: lower --count",
    ),
)
def test_the_option_that_leaves_no_exercise_is_named(options: str, error: str) -> None:
    with pytest.raises(UsageError) as caught:
        sheet(options)
    assert caught.value.status == 1
    assert str(caught.value) == error
