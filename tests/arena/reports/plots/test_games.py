"""Plots of openings, sides and lengths."""

import pytest

from arena.reports.plots.games import (
    MAX_BINS,
    Shares,
    length_panel,
    opening_panel,
    share_interval,
    side_panel,
)
from arena.reports.plots.panel import MAX_ROWS
from tests.support.cases import loop_over

WINNERS = (1, 1, 2, None)
SETUP = '{"stones": 7}'


def shares_of(*openings: tuple[str, str]) -> Shares:
    """Return the shares of four games of each setup and opening."""
    return Shares((*opening, "anna", "bert", winner) for opening in openings for winner in WINNERS)


@loop_over(
    "setup, opening, name",
    (SETUP, "[3, 6]", "7 stones: 3 6"),
    (SETUP, "[]", "7 stones"),
    ('{"size": 6}', "[3]", "size 6: 3"),
    ("{}", "[3, 6]", "3 6"),
    ("{}", "[]", "no opening"),
)
def test_an_opening_is_named(setup: str, opening: str, name: str) -> None:
    assert shares_of((setup, opening)).openings == {name: (2.5, 4)}


def test_openings_are_told_apart_by_what_differs() -> None:
    setups = [f'{{"stones": {stones}}}' for stones in range(20)]
    assert [*shares_of(*((setup, "[3]") for setup in setups)).openings] == ["3"]
    assert [*shares_of(*((SETUP, f"[1, {move}]") for move in range(20))).openings] == ["7 stones"]
    shown = shares_of(*((SETUP, f"[1, {move}]") for move in range(MAX_ROWS))).openings
    assert len(shown) == MAX_ROWS  # as many as have a row
    openings = [(f'{{"stones": {one}}}', f"[{one % 3}, {one}]") for one in range(20)]
    assert [*shares_of(*openings).openings] == ["0 …", "1 …", "2 …"]


def test_many_openings_and_bots_are_cut() -> None:
    setups = [(f'{{"stones": {stones}}}', "[]") for stones in range(30, 8, -1)]
    shares = shares_of(*setups, ('{"stones": 9}', "[]"))
    assert len(shares.openings) == MAX_ROWS
    assert [*shares.openings][:2] == ["9 stones", "18 stones"]
    assert opening_panel(shares).note.endswith(f"{MAX_ROWS} of 22 openings are shown.")
    shares = Shares((SETUP, "[]", f"bot {rank}", "x", 1) for rank in range(20))
    panel = side_panel(shares, [f"bot {rank}" for rank in range(20)])
    assert len(panel.y_ticks) == MAX_ROWS
    assert panel.note.endswith(f"{MAX_ROWS} of 20 bots are shown.")


def test_openings_and_bots_have_marks() -> None:
    panel = opening_panel(shares_of((SETUP, "[3]")))
    assert [shape.style for shape in panel.shapes] == ["span", "dot"]
    assert panel.shapes[1].tooltip == "7 stones: 3: 62.5 % of 4 games"
    assert panel.description == "Player 1 has 62.5 % of the points in these games."
    panel = side_panel(shares_of((SETUP, "[3]")), ["anna", "bert"])
    assert panel.description == "anna as player 1: 62.5 %; bert as player 2: 37.5 %."
    assert [shape.style for shape in panel.shapes] == ["line", "line", "dot", "truth"]


def test_lengths_are_or_share_bars() -> None:
    panel = length_panel([(5, 1), (7, 2)])
    assert [bar.tooltip for bar in panel.shapes] == ["5 plies: 1 game", "7 plies: 2 games"]
    assert (panel.note, panel.description) == (
        "Median 7, mean 6.3 plies.",
        "3 games of 5 to 7 plies, median 7.",
    )
    panel = length_panel([(plies, 1) for plies in range(100)])
    assert len(panel.shapes) <= MAX_BINS
    assert panel.shapes[0].tooltip == "0 to 2 plies: 3 games"
    assert len(length_panel([(9, 4)]).shapes) == 1


@loop_over(
    "points, games, interval",
    [(0, 10, (0, 0.2775)), (10, 10, (0.7225, 1)), (50, 100, (0.4038, 0.5962))],
)
def test_wilson_intervals(points: float, games: int, interval: tuple[float, float]) -> None:
    assert share_interval(points, games) == pytest.approx(interval, abs=1e-4)
