"""Command `arena plot`: pictures of a database."""

import io
from collections.abc import Callable
from functools import partial
from typing import TextIO

from arena.cli.arguments import UsageError, unknown_anchor
from arena.cli.configuration import PlotConfig
from arena.cli.grid import grid_results
from arena.cli.output import atomic_file
from arena.ratings import rate
from arena.reports.grid.page import grid_page, write_picture
from arena.reports.plots import KINDS
from arena.reports.plots.panels import plot_panels, write_plots
from arena.storage.spectator_reader import PlotReader


def run(config: PlotConfig) -> int:
    """Write the plots as SVG and return the exit status.

    Raises:
        UsageError: There is nothing to plot, or a flag does not apply.
        DatabaseError: The database cannot be read.
        OSError: The picture cannot be written.
    """
    write = _plots(config)
    if config.output:
        with atomic_file(config.output, config.db) as file:
            out = io.TextIOWrapper(file, encoding="utf-8")
            write(out)
            out.detach()  # flushes; the file is closed by its context
    else:
        text = io.StringIO()
        write(text)
        print(text.getvalue(), end="", flush=True)
    return 0


def _plots(config: PlotConfig) -> Callable[[TextIO], None]:
    """Return the function that writes the plots."""
    with PlotReader(config.db) as records:
        plan = records.decoded_plan()
        records.check_tallies()
        games = [game for game, _ in records.games_by_size()]
        if not games:
            raise UsageError(f"{config.db} has no rated matches to plot")
        if config.game and config.game not in games:
            raise UsageError(
                f"--game: no rated matches of {config.game} (choose from {', '.join(games)})"
            )
        game = config.game or games[0]
        if plan and plan.format == "grid" and not config.kind:
            return partial(
                write_picture, page=grid_page(*grid_results(records, plan, config.anchor))
            )
        _, scores = records.pair_scores(game)
        elo = rate(records.tallies()[game], scores, config.anchor).elo
        if config.anchor and config.anchor[0] not in elo:
            raise unknown_anchor(config.anchor[0], sorted(elo))
        kinds = [config.kind] if config.kind else KINDS
        panels = plot_panels(records, game, elo, config.anchor, kinds)
    if not panels:
        raise UsageError(f"{config.db} has no plot of kind {config.kind}: no time was measured")
    title = f"{game}: {config.kind or 'ratings, openings, lengths and times'}"
    return partial(write_plots, title=title, panels=panels)
