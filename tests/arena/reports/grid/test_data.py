"""Results of a grid as JSON and as CSV."""

import csv
import io
import json

import pytest

from arena.reports.grid.data import grid_json, write_grid_csv
from tests.support.computing.grids import PLAN, played_games, results_of


def test_json_has_all_numbers() -> None:
    results = results_of(played_games())
    facts = json.loads(grid_json(results, {0: 0.5}))
    assert (facts["matches"], facts["finished"]) == (72, 72)
    [cell, other] = facts["cells"]
    assert cell["setup"] == {"stones": 20}
    assert (cell["perfect_player_1"], other["perfect_player_1"]) == (0.5, None)
    [one, two, deep, random] = cell["bots"]
    assert [bot["depth"] for bot in (one, two, deep, random)] == [1, 2, 4, None]
    assert two["step"]["elo"] == pytest.approx(two["rating"]["elo"] - one["rating"]["elo"])
    assert one["wins"] + one["losses"] == 18


def test_unknown_numbers_are_null() -> None:
    facts = json.loads(grid_json(results_of(played_games()[:2]), {}))
    [cell, empty] = facts["cells"]
    assert cell["bots"][0]["rating"] is None or cell["bots"][0]["rating"]["margin"] is None
    assert (empty["ply_worth"], empty["player_1"]) == (None, None)


def test_csv_has_a_row_for_each_bot_in_each_cell() -> None:
    out = io.StringIO()
    write_grid_csv(out, results_of(played_games()), {1: 0.25})
    rows = [*csv.DictReader(io.StringIO(out.getvalue()))]
    assert [(row["stones"], row["bot"]) for row in rows] == [
        (stones, bot) for stones in ("20", "7") for bot in PLAN.bots
    ]
    assert (rows[0]["perfect_player_1"], rows[-1]["perfect_player_1"]) == ("", "0.25")
    assert float(rows[0]["elo"]) < float(rows[2]["elo"])
