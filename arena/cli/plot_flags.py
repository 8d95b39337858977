"""Flags of `arena plot`."""

import argparse
from pathlib import Path

from arena.cli.flags import add_anchor, add_database
from arena.reports.plots import KINDS


def add_plot(command: argparse.ArgumentParser) -> None:
    """Add all flags of the command."""
    add_database(command)
    command.add_argument(
        "--kind",
        choices=KINDS,
        help="what to plot: ratings by number of matches, points by opening and side, lengths"
        " of games, or times of moves (default: all in one picture)",
    )
    command.add_argument(
        "--game", metavar="GAME", help="game to plot (default: the one with the most matches)"
    )
    command.add_argument(
        "--output", type=Path, metavar="FILE", help="SVG file to write (default: standard output)"
    )
    add_anchor(command)
