"""Arguments and output of the assignment's programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import GAMES
from core.search import search
from core.take_stones import Board
from core.take_stones.six_lines import (
    LABELS,
    Answer,
    arguments,
    find_values,
    format_six_lines,
    parse_answer,
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
PARSED = Answer(6, 2)


@given(st.integers(3, 12), st.integers(1, 4))
def test_our_own_output_is_parsed(stones: int, depth: int) -> None:
    result = search(Board(stones), depth)
    nodes = result.nodes_visited, result.nodes_evaluated
    output = format_six_lines(result.move, result.value, *nodes, result.max_depth)
    assert parse_answer(output) == (result.move, result.max_depth)


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
    assert parse_answer(text) == PARSED


@loop_over("label", LABELS)
def test_a_missing_line(label: str) -> None:
    text = "".join(line for line in OUTPUT.splitlines(True) if not line.startswith(label))
    assert label not in find_values(text)
    if label == "Move":
        with pytest.raises(ValueError, match=r"^no line 'Move:'$"):
            parse_answer(text)
    else:
        assert parse_answer(text).move == 6


@loop_over(
    "old, new, depth",
    ("Value: 1.0", "Value: none", 2),
    ("Max Depth Reached: 2", "Max Depth Reached: two", None),
    ("Max Depth Reached", "Depth", None),
)
def test_other_wrong_lines(old: str, new: str, depth: int | None) -> None:
    assert parse_answer(OUTPUT.replace(old, new)) == (6, depth)


@loop_over(
    "old, new, reason",
    ("Move: 6", "Move: six", "'six' as Move, not a number"),
    ("Move: 6", "Move: 6.0", "'6.0' as Move, not a number"),
    ("Move: 6", "Move: " + "9" * 50, f"'{'9' * 40}' as Move, not a number"),
    ("Move: 6", "Move:", "'' as Move, not a number"),
    ("Move: 6", "Move: \u0663", "'\u0663' as Move, not a number"),
)
def test_a_wrong_value(old: str, new: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        parse_answer(OUTPUT.replace(old, new))


@given(st.text())
def test_any_text_can_be_parsed_or_refused(text: str) -> None:
    assert {*find_values(text)} <= {*LABELS}
    with pytest.raises(ValueError, match=r"^no line"):
        parse_answer(text)


def test_the_game_has_the_arguments_and_the_format() -> None:
    assert arguments({"stones": 7}, [1, 4, 2], 3) == ["7", "3", "1", "4", "2", "3"]
    program = GAMES["take_stones"].program
    assert program
    assert program.parse(OUTPUT) == PARSED
    assert program.arguments({"stones": 5}, [], 0) == ["5", "0", "0"]
