"""Arguments and output of the assignment's programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import GAMES
from core.search import search
from core.take_stones import Board
from core.take_stones.six_lines import (
    LABELS,
    SixLines,
    arguments,
    find_values,
    format_six_lines,
    parse_six_lines,
)
from tests.support.cases import loop_over

OUTPUT = """\
Move: 6
Value: 1.0
Number of Nodes Visited: 3
Number of Nodes Evaluated: 1
Max Depth Reached: 2
Avg Effective Branching Factor: 1.0
"""
PARSED = SixLines(6, "1.0", 3, 1, 2, "1.0")


@given(st.integers(3, 12), st.integers(1, 4))
def test_our_own_output_is_parsed(stones: int, depth: int) -> None:
    result = search(Board(stones), depth)
    nodes = result.nodes_visited, result.nodes_evaluated
    output = format_six_lines(result.move, result.value, *nodes, result.max_depth)
    lines = parse_six_lines(output)
    assert (lines.move, lines.visited, lines.evaluated, lines.max_depth) == (
        result.move,
        result.nodes_visited,
        result.nodes_evaluated,
        result.max_depth,
    )
    assert float(lines.value) == result.value


@loop_over(
    "text",
    OUTPUT,
    OUTPUT.upper().replace("\n", "\r\n"),
    OUTPUT.replace(":", " :\t").replace("Nodes", " Nodes"),
    f"Debug: 7\nloading\n\n{OUTPUT.rstrip()}",
    OUTPUT.replace("6", "5") + OUTPUT,
    OUTPUT.replace("Move: 6", "Move: +6"),
)
def test_tolerated_differences(text: str) -> None:
    assert parse_six_lines(text) == PARSED


@loop_over("number", ["-0.0", "0,5", "NaN", ".5", "1.", "-Infinity", "2"])
def test_numbers_with_decimals(number: str) -> None:
    text = OUTPUT.replace("Value: 1.0", f"Value: {number}")
    assert parse_six_lines(text).value == number


@loop_over("label", LABELS)
def test_a_missing_line(label: str) -> None:
    text = "".join(line for line in OUTPUT.splitlines(True) if not line.startswith(label))
    with pytest.raises(ValueError, match=f"^no line '{label}:'$"):
        parse_six_lines(text)
    assert label not in find_values(text)


@loop_over(
    "old, new, reason",
    ("Move: 6", "Move: six", "'six' as Move, not a number"),
    ("Move: 6", "Move: 6.0", "'6.0' as Move, not a number"),
    ("Move: 6", "Move: " + "9" * 50, f"'{'9' * 40}' as Move, not a number"),
    ("Value: 1.0", "Value:", "'' as Value, not a number"),
    ("Visited: 3", "Visited: \u0663", "'\u0663' as Number of Nodes Visited, not a number"),
)
def test_a_wrong_value(old: str, new: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        parse_six_lines(OUTPUT.replace(old, new))


@given(st.text())
def test_any_text_can_be_parsed_or_refused(text: str) -> None:
    assert {*find_values(text)} <= {*LABELS}
    with pytest.raises(ValueError, match=r"^no line"):
        parse_six_lines(text)


def test_arguments() -> None:
    assert arguments({"stones": 7}, [1, 4, 2], 3) == ["7", "3", "1", "4", "2", "3"]


def test_the_game_has_the_format() -> None:
    program = GAMES["take_stones"].program
    assert program
    assert program.parse(OUTPUT) == PARSED
    assert program.arguments({"stones": 5}, [], 0) == ["5", "0", "0"]
