"""Plots with a line for each bot."""

from arena.ratings.rater import Sample
from arena.reports.plots.lines import duration_text, rating_panel, time_panel
from arena.reports.plots.panel import BOTTOM, LABELS_RIGHT, LEFT, MAX_LINES, TOP
from tests.support.cases import loop_over

HISTORY = [
    Sample(10, {"anna": (300.0, 400.0)}),
    Sample(100, {"anna": (100.0, 50.0), "bert": (-100.0, 50.0)}),
    Sample(1000, {"anna": (90.0, 10.0), "bert": (-90.0, 10.0)}),
]


def test_ratings_have_bands_lines_and_a_description() -> None:
    panel = rating_panel(HISTORY, ["anna", "bert"], 2)
    styles = [shape.style for shape in panel.shapes]
    assert styles[:4] == ["band series-1", "band series-2", "line series-1", "line series-2"]
    assert panel.shapes[2].path.endswith(f"L{LABELS_RIGHT:.1f} {panel.labels[0].y}")
    assert panel.shapes[3].path.count("L") == 1
    texts = [text for _, text in rating_panel(HISTORY, ["anna", "bert"], 2).y_ticks]
    assert (texts[0], texts[-1]) == ("\N{MINUS SIGN}200", "+200")
    panel = rating_panel(HISTORY, ["anna", "bert"], 9)
    ratings = "anna +90, bert \N{MINUS SIGN}90"
    assert panel.description == f"Ratings after 1,000 matches, the best first: {ratings}."
    assert panel.note == "Bands are 95 % intervals. 2 of 9 bots are shown."
    assert rating_panel(HISTORY, ["anna", "bert"], 2).note == "Bands are 95 % intervals."


def test_times_have_a_logarithmic_axis() -> None:
    panel = time_panel([("anna", 0, 10, 0.01), ("anna", 2, 10, 1.0)], ["anna"])
    assert panel
    assert panel.y_ticks == [(BOTTOM, "1 ms"), ((BOTTOM + TOP) / 2, "10 ms"), (TOP, "100 ms")]
    assert panel.shapes[0].path == f"M{LEFT:.1f} {BOTTOM:.1f}L{LABELS_RIGHT:.1f} {TOP:.1f}"
    assert panel.description == "Mean time charged for a move, by ply: anna at most 100 ms."
    panel = time_panel([("anna", 3, 10, 0.01)], ["anna"])
    assert panel
    assert [text for _, text in panel.y_ticks] == ["1 ms", "10 ms"]
    panel = time_panel([("anna", 0, 1000, 1.0), ("anna", 2, 9, 9.0)], ["anna"])
    assert panel
    assert "L" not in panel.shapes[0].path
    assert time_panel([("anna", 0, 10, 0.0)], ["anna"]) is None


def test_the_best_bots_are_shown() -> None:
    bots = [f"bot {rank}" for rank in range(MAX_LINES + 2)]
    panel = time_panel([(bot, 0, 10, 1.0) for bot in sorted(bots)], bots)
    assert panel
    assert {label.text for label in panel.labels} == {*bots[:MAX_LINES]}
    assert panel.note.endswith(f"{MAX_LINES} of {MAX_LINES + 2} bots are shown.")


@loop_over(
    "seconds, text",
    [(1e-5, "10 µs"), (0.00012345, "120 µs"), (0.001, "1 ms"), (1.5, "1.5 s"), (1e-9, "0.001 µs")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
