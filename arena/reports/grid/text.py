"""Tables of a grid as aligned text."""

import math
from collections.abc import Iterator

from arena.model.setups import setup_text
from arena.model.visible import visible
from arena.reports.text import aligned_text, counted, finished_text
from arena.tournament.grid_results import CellResults, GridResults, PerfectShares, search_depths
from arena.tournament.standings import Standing

UNKNOWN = "."
NOT_STRAIGHT = "*"  # marks the worth of a ply where strength is not linear in depth
SUMMARY_HEADER = (
    *("cell", "matches", "distinct games", "Elo a ply", "+-"),
    *("player 1", "+-", "perfect play", "forfeits"),
)


def grid_text(results: GridResults, perfect: PerfectShares) -> str:
    """Format all results of a grid: a summary with a row for each cell, and a table of each cell.

    Args:
        results: The results.
        perfect: The shares under perfect play, where they are known.
    """
    blocks = [f"{title_text(results)}\n{answer_text(results)}\n", summary_text(results, perfect)]
    blocks += [f"{title}\n{aligned_text(rows, names=0)}" for title, rows in cell_tables(results)]
    return "\n".join(blocks)


def title_text(results: GridResults) -> str:
    """Format the plan, and how much of it is finished."""
    plan = results.plan
    finished = finished_text(results.matches, plan.matches)
    return visible(f"{plan.game}, grid, time {plan.times_text}, seed {plan.seed}: {finished}")


def answer_text(results: GridResults) -> str:
    """Answer how much a ply is worth."""
    if len({*search_depths(results.plan).values()}) < 2:
        return "No bots differ in depth alone: the worth of a ply is unknown"
    if results.mean_ply_worth is None:
        return "The worth of a ply is unknown: too few different games"
    elo, margin = results.mean_ply_worth
    cells = len([cell for cell in results.cells if cell.has_ply_worth])
    mean = f"mean of {cells} cells; " if cells > 1 else ""
    return (
        f"A ply is worth {signed(elo)} Elo +- {margin:.0f} ({mean}+- is a 95 % confidence interval)"
    )


def summary_text(results: GridResults, perfect: PerfectShares) -> str:
    """Format a row for each cell, and notes on the limits of its results."""
    rows = [SUMMARY_HEADER, *summary_rows(results, perfect)]
    return aligned_text(rows, names=0) + "".join(f"{note}\n" for note in notes(results))


def summary_rows(results: GridResults, perfect: PerfectShares) -> list[list[str]]:
    """Return the rows of the summary."""
    return [_summary_row(cell, perfect.get(index)) for index, cell in enumerate(results.cells)]


def _summary_row(cell: CellResults, perfect: float | None) -> list[str]:
    slope, share = cell.ply_worth, cell.player_1
    mark = "" if slope is None or slope.is_straight else NOT_STRAIGHT
    return [
        cell_text(cell),
        f"{cell.matches}",
        f"{cell.distinct_games}",
        UNKNOWN if slope is None else signed(slope.value) + mark,
        UNKNOWN if slope is None else margin_text(slope.margin),
        UNKNOWN if share is None else f"{100 * share.value:.1f} %",
        UNKNOWN if share is None else margin_text(100 * share.margin, 1),
        UNKNOWN if perfect is None else f"{100 * perfect:.1f} %",
        f"{cell.forfeits or UNKNOWN}",
    ]


def notes(results: GridResults) -> Iterator[str]:
    """Yield notes on the limits of the results."""
    slopes = [cell.ply_worth for cell in results.cells]
    if any(slope and not slope.is_straight for slope in slopes):
        yield (
            f"{NOT_STRAIGHT} strength is not linear in depth: the interval includes the scatter"
            " around a line"
        )
    copies = sum(cell.matches - cell.distinct_games for cell in results.cells)
    if copies:
        repeat = "repeats" if copies == 1 else "repeat"
        yield (
            f"{counted(copies, 'match', 'matches')} {repeat} a game that was played before: copies"
            " do not make intervals narrower"
        )
    for cell in results.cells:
        if cell.short_openings:
            yield (
                f"{cell_text(cell)}: the opening is shorter than"
                f" {counted(cell.cell.opening_plies, 'ply', 'plies')} in {cell.short_openings} of"
                f" {counted(cell.matches, 'match', 'matches')}, as no more moves were possible"
            )


def cell_tables(results: GridResults) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield title and rows of the table of each cell, with a row for each bot below the header.

    A step is the difference from the bot with the next lower depth.
    """
    for cell in results.cells:
        openings = counted(len(cell.openings), "distinct opening")
        drawn = ["drawn"] if _has_draws(cell) else []
        header = ["bot", "Elo", "+-", "step", "+-", "won", *drawn, "lost", "forfeits"]
        rows = [_bot_row(cell, standing) for standing in cell.standings]
        yield f"{cell_text(cell)}: {openings}", [header, *rows]


def _bot_row(cell: CellResults, standing: Standing) -> list[str]:
    bot, has_draws = standing.bot, _has_draws(cell)
    elo = cell.ratings.elo.get(bot)
    step = cell.step(bot)
    return [
        bot,
        UNKNOWN if elo is None else signed(elo),
        UNKNOWN if elo is None else margin_text(cell.ratings.margin(bot)),
        UNKNOWN if step is None else signed(step[0]),
        UNKNOWN if step is None else margin_text(step[1]),
        f"{standing.wins}",
        *([f"{standing.draws}"] if has_draws else []),
        f"{standing.losses}",
        f"{standing.forfeits.total() or UNKNOWN}",
    ]


def _has_draws(cell: CellResults) -> bool:
    return any(standing.draws for standing in cell.standings)


def cell_text(cell: CellResults) -> str:
    """Format the difference of a cell from the others of a grid."""
    parts = [setup_text(cell.cell.setup) or cell.plan.game]
    if len(cell.plan.plies) > 1:
        parts.append(counted(cell.cell.opening_plies, "opening ply", "opening plies"))
    return visible(", ".join(parts))


def signed(elo: float) -> str:
    """Format a difference in Elo; unknown if it is not a number."""
    return UNKNOWN if math.isnan(elo) else f"{elo:+z.0f}"


def margin_text(margin: float, digits: int = 0) -> str:
    """Format half the width of an interval; unknown if it is infinite."""
    return f"{margin:.{digits}f}" if math.isfinite(margin) else UNKNOWN
