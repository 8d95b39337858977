"""Command `arena plot`: pictures of a database."""

import io

from arena.cli.arguments import UsageError, unknown_anchor
from arena.cli.configuration import PlotConfig
from arena.cli.output import atomic_file
from arena.protocol.plots import Panel
from arena.ratings import rate
from arena.reports.plots import KINDS
from arena.reports.plots.panels import plot_panels
from arena.reports.plots.picture import write_plots
from arena.storage.leaderboard_reader import PlotReader
from arena.tournament.sweep import SweepPlan


def run(config: PlotConfig) -> int:
    """Write the plots as SVG and return the exit status.

    Raises:
        UsageError: There is nothing to plot, or a flag does not apply.
        DatabaseError: The database cannot be read.
        OSError: The picture cannot be written.
    """
    title, panels = _panels(config)
    if config.output:
        with atomic_file(config.output, config.db) as file:
            out = io.TextIOWrapper(file, encoding="utf-8")
            write_plots(out, title, panels)
            out.detach()  # flushes; the file is closed by its context
    else:
        text = io.StringIO()
        write_plots(text, title, panels)
        print(text.getvalue(), end="", flush=True)
    return 0


def _panels(config: PlotConfig) -> tuple[str, list[Panel]]:
    with PlotReader(config.db) as records:
        if isinstance(records.decoded_plan(), SweepPlan):
            raise UsageError(f"{config.db} holds a sweep: arena report --output FILE.html plots it")
        records.check_tallies()
        games = [game for game, _ in records.games_by_size()]
        if not games:
            raise UsageError(f"{config.db} has no rated matches to plot")
        if config.game and config.game not in games:
            raise UsageError(
                f"--game: no rated matches of {config.game} (choose from {', '.join(games)})"
            )
        game = config.game or games[0]
        _, scores = records.pair_scores(game)
        elo = rate(records.tallies()[game], scores, config.anchor).elo
        if config.anchor and config.anchor[0] not in elo:
            raise unknown_anchor(config.anchor[0], sorted(elo))
        kinds = [config.kind] if config.kind else KINDS
        panels = plot_panels(records, game, elo, config.anchor, kinds)
    if not panels:
        raise UsageError(f"{config.db} has no plot of kind {config.kind}: no time was measured")
    return f"{game}: {config.kind or 'ratings, openings, lengths and times'}", panels
