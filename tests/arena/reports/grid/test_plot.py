"""Layout of the plots of a grid."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.reports.grid.plot import BOTTOM, LEFT, RIGHT, TOP, panels
from arena.tournament.grid_results import GridResults
from core import GAMES
from tests.support.computing.grids import PLAN, played_games, player_1_wins, results_of
from tests.support.games.toy_games import NIM, Heap


def test_each_cell_and_each_quantity_has_a_plot() -> None:
    titles = [panel.title for panel in panels(results_of(played_games()), {})]
    assert titles == ["Elo, stones 20", "Elo, stones 7", "Elo for a ply", "Points of player 1, %"]
    one, two, *_ = panels(results_of(played_games()), {})
    assert (one.y_ticks, one.x_ticks, one.level) == (two.y_ticks, two.x_ticks, two.level)
    assert [panel.title for panel in panels(results_of([]), {})] == []


def test_depths_are_to_scale_and_other_bots_at_the_side() -> None:
    [panel, *_] = panels(results_of(played_games()), {})
    [(one, _), (two, _), (four, _)] = panel.x_ticks
    [(side, name)] = panel.names
    assert name == "random"
    assert abs((four - two) - 2 * (two - one)) < 0.3
    assert LEFT < side < one < four < RIGHT


def test_marks_are_within_the_axes() -> None:
    for panel in panels(results_of(played_games()), {0: 1.0, 1: 0.0}):
        heights = [mark.y for mark in panel.marks] + [y for y, _ in panel.y_ticks]
        heights += [mark.truth for mark in panel.marks if mark.truth is not None]
        assert all(TOP <= y <= BOTTOM for y in heights)
        assert all(LEFT <= mark.x <= RIGHT for mark in panel.marks)
    *_, panel = panels(results_of(played_games(winner=player_1_wins)), {0: 1.0})
    assert {int(text) for _, text in panel.y_ticks} <= {*range(101)}
    assert [mark.truth is None for mark in panel.marks] == [False, True]


def test_intervals_beyond_the_axis_or_unknown() -> None:
    [panel, *_] = panels(results_of(played_games()[:20]), {})
    assert any(mark.interval.count("h") < 2 for mark in panel.marks if mark.interval)
    games = played_games(winner=player_1_wins, moves=lambda _: "3 6")
    plan = replace(PLAN, grid_plies=(0,))
    results = GridResults(plan, [game._replace(opening=()) for game in games])
    assert {mark.interval for panel in panels(results, {}) for mark in panel.marks} == {""}


def test_opening_lengths_are_panels_or_the_axis() -> None:
    plan = replace(PLAN, grid_plies=(1, 2), rounds=6)
    titles = [panel.title for panel in panels(GridResults(plan, played_games(plan)), {})]
    assert "Points of player 1, %, 1 opening ply" in titles
    assert "Points of player 1, %, 2 opening plies" in titles
    plan = replace(PLAN, game="isolation", setups=({},), grid_plies=(1, 3))
    *_, panel = panels(GridResults(plan, played_games(plan)), {})
    assert panel.x_label == "opening plies"
    assert [text for _, text in panel.x_ticks] == ["1", "3"]


def two_heaps(*, left: int, right: int, moves: Sequence[int] = ()) -> Heap:
    return Heap(left + right, moves)


def test_cells_of_several_parameters_are_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "two_heaps", NIM._replace(position=two_heaps))
    setups = ({"left": 5, "right": 5}, {"left": 6, "right": 10})
    plan = replace(PLAN, game="two_heaps", setups=setups)
    *_, panel = panels(GridResults(plan, played_games(plan)), {})
    assert panel.x_label == "cell, in the order of the table"
    assert [text for _, text in panel.x_ticks] == ["1", "2"]


def test_ticks_are_few_and_round() -> None:
    plan = replace(PLAN, setups=({"stones": 20},))
    *_, panel = panels(GridResults(plan, played_games(plan)), {})
    assert [text for _, text in panel.x_ticks] == ["2"]
    assert LEFT < panel.marks[0].x < RIGHT
    setups = tuple({"stones": stones} for stones in (20, 21, 22, 500))
    plan = replace(PLAN, setups=setups)
    *_, panel = panels(GridResults(plan, played_games(plan)), {})
    assert [text for _, text in panel.x_ticks] == ["0", "100", "200", "300", "400", "500"]
