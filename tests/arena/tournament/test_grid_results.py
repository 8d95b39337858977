"""Results of a grid, collected from its games."""

import math
from dataclasses import replace

import pytest

from arena.model.results import RatedResult, Termination
from arena.tournament.grid_results import GridResults, search_depths
from tests.support.computing.grids import PLAN, mixed, played_games, player_1_wins, results_of


def test_games_are_counted_in_their_cells_and_pairs_rated() -> None:
    results = results_of(played_games())
    assert results.matches == PLAN.matches
    assert [cell.matches for cell in results.cells] == [PLAN.matches // 2] * 2
    assert [len(cell.pairs) for cell in results.cells] == [PLAN.matches // 4] * 2
    assert [cell.distinct_games for cell in results.cells] == [PLAN.matches // 2] * 2
    [cell, _] = results_of(played_games()).cells
    assert [standing.bot for standing in cell.standings] == [*PLAN.bots]
    [cell, _] = results_of(played_games()[:3]).cells
    assert (cell.matches, len(cell.pairs)) == (2, 1)
    [_, other] = results_of(played_games()[:3]).cells
    assert (other.matches, other.pairs, other.player_1, other.ply_worth) == (1, [], None, None)


def test_a_stored_grid_of_very_many_cells_has_those_that_were_played() -> None:
    plan = replace(PLAN, grid_plies=tuple(range(10**6)))
    games = [
        game._replace(number=number) for number in (1, 2_000_001) for game in played_games()[:1]
    ]
    found = [(cell.cell, cell.matches) for cell in GridResults(plan, games).cells]
    assert found == [(({"stones": 20}, 0), 1), (({"stones": 7}, 0), 1)]


def test_a_deeper_search_that_wins_is_worth_something() -> None:
    results = results_of(played_games())
    for cell in results.cells:
        assert cell.ply_worth
        assert cell.ply_worth.value > 0
        assert cell.step("spec:1") is None
        assert cell.step("random") is None
        difference, _ = cell.ratings.difference("deep", "spec:2")
        assert cell.step("deep") == (pytest.approx(difference), pytest.approx(cell.step("deep")[1]))  # type: ignore[index]
    assert results.mean_ply_worth
    mean, margin = results.mean_ply_worth
    assert mean == pytest.approx(sum(c.ply_worth.value for c in results.cells if c.ply_worth) / 2)
    assert margin < max(c.ply_worth.margin for c in results.cells if c.ply_worth)


def test_copies_are_counted_and_leave_no_interval() -> None:
    plan = replace(PLAN, grid_plies=(0,))
    games = played_games(plan, player_1_wins, moves=lambda _: "3 6")
    results = GridResults(plan, games)
    for cell in results.cells:
        assert cell.distinct_games == 1
        assert cell.player_1 == (1.0, math.inf)
        assert not cell.has_ply_worth
    assert results.mean_ply_worth is None


def test_openings_and_forfeits_are_counted() -> None:
    plan = replace(PLAN, setups=({"stones": 3}, {"stones": 20}))
    [short, long] = GridResults(plan, played_games(plan)).cells
    assert short.short_openings == short.matches
    assert long.short_openings == 0
    games = played_games()
    one, two, _, _ = games[0].result
    lost = games[0]._replace(result=RatedResult(one, two, 2, Termination.ILLEGAL_MOVE))
    [cell, other] = results_of([lost, *games[1:]]).cells
    assert (cell.forfeits, other.forfeits) == (1, 0)


def test_ratings_of_cells() -> None:
    plan = replace(PLAN, bots={"spec:3": "spec:3", "random": "random"})
    results = GridResults(plan, played_games(plan, lambda number, _: 1 + number % 2))
    assert results.mean_ply_worth is None
    results = GridResults(PLAN, played_games(winner=mixed), ("random", 1000.0))
    assert [cell.ratings.elo["random"] for cell in results.cells] == [1000, 1000]


def test_depths_are_those_of_bots_with_a_limit_of_depth() -> None:
    with_depth = {"a": "spec:012", "b": "strong:1", "c": "spec:2@nodes=9", "d": "strong:3@nodes=9"}
    without = {"e": "spec:0", "f": "greedy", "g": "strong", "h": "strong@nodes=9"}
    plan = replace(PLAN, bots=with_depth | without)
    assert search_depths(plan) == {"a": 12, "b": 1, "c": 2, "d": 3}


def test_bots_that_are_not_in_the_plan_come_last() -> None:
    plan = replace(PLAN, bots={"random": "random", "spec:2": "spec:2"})
    standings = GridResults(plan, played_games()).cells[0].standings
    assert [standing.bot for standing in standings[:2]] == ["random", "spec:2"]
    assert {standing.bot for standing in standings[2:]} == {"spec:1", "deep"}
