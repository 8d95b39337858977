"""Steps: events with their words and lines."""

from itertools import islice

from arena.teaching import FIGURE_5_7, Names, steps, trace
from arena.teaching.notation import parse_tree
from core.take_stones import Board

TREE = parse_tree("((3 5) (2 9))")


def test_each_event_has_words_and_lines() -> None:
    found = [*steps(trace(TREE), FIGURE_5_7, Names.of(TREE))]
    assert [step.event for step in found] == [*trace(TREE)]
    assert all(step.words and step.lines for step in found)


def test_steps_are_lazy() -> None:
    board = Board(1000)
    assert len([*islice(steps(trace(board), FIGURE_5_7, Names.of(board)), 100)]) == 100
