"""Tables of a grid."""

from dataclasses import replace

from arena.model.results import RatedResult, Termination
from arena.reports.grid.text import answer_text, grid_text
from arena.tournament.grid_results import GridResults
from tests.support.computing.grids import PLAN, played_games, player_1_wins, results_of


def test_a_table_has_a_row_for_each_cell_and_bot() -> None:
    lines = grid_text(results_of(played_games()), {0: 0.75}).splitlines()
    assert lines[0] == "take_stones, grid, time unlimited, seed 1: 72 of 72 matches"
    assert lines[1].startswith("A ply is worth +")
    assert lines[1].endswith(" (mean of 2 cells; +- is a 95 % confidence interval)")
    [row] = [line for line in lines if line.startswith("stones 20  ")]
    assert "75.0 %" in row
    assert sum(line.startswith("deep ") for line in lines) == 2


def test_draws_and_forfeits_have_columns() -> None:
    table = grid_text(results_of(played_games(winner=lambda *_: None)), {})
    assert "drawn" in table
    games = played_games()
    one, two, _, _ = games[0].result
    lost = games[0]._replace(result=RatedResult(one, two, 2, Termination.TIMEOUT))
    lines = grid_text(results_of([lost, *games[1:]]), {}).splitlines()
    assert sum(line.endswith(" 1") for line in lines) == 2  # of the cell and of the bot


def test_copies_and_short_openings_are_noted_in_words() -> None:
    plan = replace(PLAN, setups=({"stones": 3},), grid_plies=(1, 2), rounds=1)
    text = grid_text(GridResults(plan, played_games(plan, player_1_wins, lambda _: "")), {})
    assert "22 matches repeat a game that was played before" in text
    assert "stones 3, 2 opening plies: the opening is shorter than 2 plies in 12 of 12" in text
    assert "stones 3, 1 opening ply: 1 distinct opening" in text
    assert "too few different games" in text
    plan = replace(PLAN, rounds=1)
    moves = ["same", *map(str, range(1, plan.matches))]
    games = played_games(plan, moves=lambda number: "same" if number < 3 else str(number))
    assert len(moves) == plan.matches
    assert "1 match repeats a game" in grid_text(GridResults(plan, games), {})


def test_strength_that_is_not_linear_is_marked() -> None:
    bots = {f"spec:{depth}": f"spec:{depth}" for depth in (1, 2, 3, 4)}
    plan = replace(PLAN, bots=bots, rounds=60, setups=({"stones": 50},))

    def second_is_best(number: int, players: tuple[str, str]) -> int:
        weak = (number + 1) // 2 % 5 == 0
        best = 1 if players[0] == "spec:2" else 2 if players[1] == "spec:2" else 1 + number % 2
        return 3 - best if weak else best

    results = GridResults(plan, played_games(plan, second_is_best))
    assert "strength is not linear in depth" in grid_text(results, {})
    assert "mean of" not in answer_text(results)


def test_grids_without_depths_or_games() -> None:
    plan = replace(PLAN, bots={"random": "random", "greedy": "greedy"})
    games = played_games(plan, player_1_wins)
    assert answer_text(GridResults(plan, games)).startswith("No bots differ in depth alone")
    text = grid_text(GridResults(replace(PLAN, game="isolation", setups=({},)), []), {})
    assert "isolation" in text
    assert "spec:1" in text
