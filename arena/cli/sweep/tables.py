"""Results of a sweep from its database: on standard output, and as files."""

import io
import time
from collections.abc import Sequence
from pathlib import Path

from arena.analysis.perfect_share import perfect_share
from arena.cli.arguments import unknown_anchor
from arena.cli.output import atomic_file
from arena.reports.sweep.data import sweep_json, write_sweep_csv
from arena.reports.sweep.page import sweep_page, write_page, write_picture
from arena.reports.sweep.text import sweep_text
from arena.reports.text import forfeits_text
from arena.storage.reader import DatabaseReader
from arena.tournament.sweep import SweepPlan
from arena.tournament.sweep_results import Anchor, PerfectShares, SweepResults

SOLVER_SECONDS = 5.0  # for the openings of all cells


def sweep_results(
    records: DatabaseReader, plan: SweepPlan, anchor: Anchor | None
) -> tuple[SweepResults, PerfectShares]:
    """Return the results, and the shares under perfect play as far as they are soon known.

    Raises:
        UsageError: The anchor is not one of the bots.
        DatabaseError: The database cannot be read.
    """
    if anchor and anchor[0] not in plan.bots:
        raise unknown_anchor(anchor[0], plan.bots)
    results = SweepResults(plan, records.played_games(), anchor)
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


def print_sweep(
    records: DatabaseReader, results: SweepResults, perfect: PerfectShares, *, as_json: bool
) -> None:
    """Print the results of a sweep as text or JSON. Raises DatabaseError."""
    if as_json:
        print(sweep_json(results, perfect), flush=True)
        return
    number = sum(cell.forfeits for cell in results.cells)
    parts = [sweep_text(results, perfect), forfeits_text(records.forfeits(), number)]
    print("\n".join(filter(None, parts)), end="", flush=True)


def write_sweep(
    records: DatabaseReader,
    results: SweepResults,
    perfect: PerfectShares,
    output: Sequence[Path],
) -> None:
    """Write the results of a sweep to files: tables, pictures, and pages by default.

    Raises:
        UsageError: A file cannot be replaced.
        OSError: A file cannot be written.
    """
    if not output:
        return
    page = sweep_page(results, perfect)
    for path in output:
        with atomic_file(path, records.path) as file:
            out = io.TextIOWrapper(file, encoding="utf-8", newline="")
            match path.suffix:
                case ".csv":
                    write_sweep_csv(out, results, perfect)
                case ".svg":
                    write_picture(out, page)
                case _:
                    write_page(out, page)
            out.detach()  # flushes; the file is closed by its context
