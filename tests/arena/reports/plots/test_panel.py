"""Parts of panels: axes, labels that do not overlap, rows and numbers."""

import itertools

from arena.reports.plots.panel import (
    BOTTOM,
    LABEL_GAP,
    MAX_LINES,
    MAX_ROWS,
    TOP,
    Axis,
    left_out,
    line_labels,
    line_path,
    named_rows,
    number_text,
)
from tests.support.cases import loop_over


@loop_over(("number", "place"), [(0, 100), (5, 50), (10, 0), (-1, 100), (11, 0)])
def test_an_axis_ends_at_its_ends(number: float, place: float) -> None:
    assert Axis(0, 10, 100, 0).place(number) == place


def test_lines_have_labels_at_their_ends() -> None:
    assert line_path([(1, 2), (3, 4.5)]) == "M1 2L3 4.5"
    keys, labels = line_labels([(200.0, "low"), (50.0, "high")])
    assert [(label.text, label.y) for label in labels] == [("high", 50.0), ("low", 200.0)]
    assert [key.style for key in keys] == ["line series-2", "line series-1"]
    assert line_labels([(50.0, "x" * 40)])[1][0].text == "x" * 10 + "…"


@loop_over("height", [TOP, 120, BOTTOM])
def test_labels_do_not_overlap(height: float) -> None:
    _, labels = line_labels([(height, f"bot {rank}") for rank in range(MAX_LINES)])
    heights = [label.y for label in labels]
    assert all(after - before >= LABEL_GAP for before, after in itertools.pairwise(heights))
    assert TOP <= min(heights) <= max(heights) <= BOTTOM


@loop_over("count", [1, 5, MAX_ROWS])
def test_rows_are_inside_the_panel(count: int) -> None:
    places = named_rows([f"bot {row}" for row in range(count)]).places
    assert TOP < places[0] <= places[-1] < BOTTOM


def test_rows_and_notes() -> None:
    assert named_rows(["a long name"]).left > named_rows(["short"]).left
    assert (left_out(8, 9, "bots"), left_out(9, 9, "bots")) == ("8 of 9 bots are shown.", "")


@loop_over(
    "number, text",
    [(0, "0"), (200, "200"), (1000, "1k"), (2500, "2,500"), (20_500, "20.5k"), (2_000_000, "2M")],
)
def test_round_numbers_are_short(number: int, text: str) -> None:
    assert number_text(number) == text
