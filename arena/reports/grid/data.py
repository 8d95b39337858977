"""Results of a grid as JSON and as CSV."""

import json
import math
from typing import TextIO

from arena.reports.csv import csv_line
from arena.tournament.grid_results import CellResults, GridResults, PerfectShares
from arena.tournament.standings import Standing


def grid_json(results: GridResults, perfect: PerfectShares) -> str:
    """Encode all results of a grid as one JSON object; a number that is unknown is null."""
    plan = results.plan
    fields = {
        "game": plan.game,
        "time": plan.time,
        "seed": plan.seed,
        "rounds": plan.rounds,
        "matches": plan.matches,
        "finished": results.matches,
        "ply_worth": _elo_fields(results.mean_ply_worth),
        "cells": [
            _cell_fields(cell, perfect.get(index)) for index, cell in enumerate(results.cells)
        ],
    }
    return json.dumps(fields, indent=2)


def _cell_fields(cell: CellResults, perfect: float | None) -> dict[str, object]:
    slope, share = cell.ply_worth, cell.player_1
    worth = _elo_fields(slope and (slope.value, slope.margin))
    return {
        "setup": cell.cell.setup,
        "opening_plies": cell.cell.opening_plies,
        "matches": cell.matches,
        "pairs": len(cell.pairs),
        "distinct_games": cell.distinct_games,
        "distinct_openings": len(cell.openings),
        "short_openings": cell.short_openings,
        "forfeits": cell.forfeits,
        "ply_worth": worth and {**worth, "is_straight": slope and slope.is_straight},
        "player_1": share and {"share": share.value, "margin": _number(share.margin)},
        "perfect_player_1": perfect,
        "bots": [_bot_fields(cell, standing) for standing in cell.standings],
    }


def _bot_fields(cell: CellResults, standing: Standing) -> dict[str, object]:
    bot = standing.bot
    elo = cell.ratings.elo.get(bot)
    return {
        "bot": bot,
        "depth": cell.depths.get(bot),
        "rating": None if elo is None else _elo_fields((elo, cell.ratings.margin(bot))),
        "step": _elo_fields(cell.step(bot)),
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "forfeits": dict(sorted(standing.forfeits.items())),
    }


def _elo_fields(estimate: tuple[float, float] | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {"elo": _number(estimate[0]), "margin": _number(estimate[1])}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def write_grid_csv(out: TextIO, results: GridResults, perfect: PerfectShares) -> None:
    """Write a table with a row for each bot in each cell; a number that is unknown is empty."""
    rows = [
        _row(cell, standing, perfect.get(index))
        for index, cell in enumerate(results.cells)
        for standing in cell.standings
    ]
    out.writelines(map(csv_line, [[*rows[0]], *(row.values() for row in rows)]))


def _row(cell: CellResults, standing: Standing, perfect: float | None) -> dict[str, object]:
    bot, slope, share = standing.bot, cell.ply_worth, cell.player_1
    elo = cell.ratings.elo.get(bot)
    return {
        **cell.cell.setup,
        "opening_plies": cell.cell.opening_plies,
        "bot": bot,
        "depth": cell.depths.get(bot),
        "elo": elo,
        "margin": None if elo is None else _number(cell.ratings.margin(bot)),
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "forfeits": standing.forfeits.total(),
        "matches": cell.matches,
        "distinct_games": cell.distinct_games,
        "ply_worth": slope and _number(slope.value),
        "ply_worth_margin": slope and _number(slope.margin),
        "player_1": share and share.value,
        "player_1_margin": share and _number(share.margin),
        "perfect_player_1": perfect,
    }
