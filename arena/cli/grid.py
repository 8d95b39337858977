"""Results of a grid from its database: on standard output, and as files."""

import time
from pathlib import Path

from arena.analysis.perfect_share import perfect_share
from arena.cli.arguments import check_anchor
from arena.cli.output import atomic_text
from arena.ratings import Anchor
from arena.reports.grid.data import grid_json, write_grid_csv
from arena.reports.grid.page import grid_page, write_page
from arena.reports.grid.text import grid_text
from arena.reports.text import forfeits_text
from arena.storage.reader import DatabaseReader
from arena.tournament.grid_results import GridResults, PerfectShares
from arena.tournament.plan import Plan

SOLVER_SECONDS = 5.0  # for the openings of all cells


def grid_results(
    records: DatabaseReader, plan: Plan, anchor: Anchor | None
) -> tuple[GridResults, PerfectShares]:
    """Return the results, and the shares under perfect play that are found in SOLVER_SECONDS.

    Raises:
        UsageError: The anchor is not one of the bots.
        DatabaseError: The database cannot be read.
    """
    check_anchor(anchor, plan.bots)
    results = GridResults(plan, records.played_games(), anchor)
    deadline = time.monotonic() + SOLVER_SECONDS
    perfect = {}
    for index, cell in enumerate(results.cells):
        if cell.openings:
            share = perfect_share(
                plan.game, cell.cell.setup, cell.openings, lambda: deadline - time.monotonic()
            )
            if share is not None:
                perfect[index] = share
    return results, perfect


def print_grid(
    records: DatabaseReader, plan: Plan, anchor: Anchor | None, *, as_json: bool
) -> None:
    """Print the results of a grid as text or JSON; errors are those of `grid_results`."""
    results, perfect = grid_results(records, plan, anchor)
    if as_json:
        print(grid_json(results, perfect), flush=True)
        return
    number = sum(cell.forfeits for cell in results.cells)
    parts = [grid_text(results, perfect), forfeits_text(records.forfeits(), number)]
    print("\n".join(filter(None, parts)), end="", flush=True)


def write_grid(records: DatabaseReader, plan: Plan, anchor: Anchor | None, path: Path) -> None:
    """Write the results of a grid to a file: a table if its name ends in .csv, else a page.

    Other errors are those of `grid_results`.

    Raises:
        OSError: The file cannot be written.
    """
    results, perfect = grid_results(records, plan, anchor)
    with atomic_text(path, records.path) as file:
        if path.suffix.lower() == ".csv":
            write_grid_csv(file, results, perfect)
        else:
            write_page(file, grid_page(results, perfect))
