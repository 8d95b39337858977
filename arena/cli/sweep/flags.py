"""Flags of `arena sweep`."""

import argparse
from pathlib import Path

from arena.cli.flags import (
    add_anchor,
    add_bot_files,
    add_game,
    add_new_database,
    add_parameters,
    add_sandbox,
    add_seed,
    add_time,
    add_verbosity,
    add_workers,
)

SEARCHING_BOT = "spec"  # stands for a bot of each depth
DEFAULT_DEPTHS = ("1-6",)
DEFAULT_PAIRS = 50
DEFAULT_OPENING_PLIES = ("2",)
SWEEP_SUFFIXES = (".html", ".svg", ".csv")


def add_sweep(command: argparse.ArgumentParser) -> None:
    """Add all flags of the command."""
    command.add_argument(
        "--bots",
        nargs="+",
        metavar="BOT",
        default=[SEARCHING_BOT],
        help=f"bots, each with an optional NAME= in front: {SEARCHING_BOT} for one of each depth,"
        " random, greedy, spec:DEPTH[@nodes=N], strong[:DEPTH][@nodes=N], perfect,"
        " openspiel:mcts:SIMULATIONS, python:MODULE:CLASS, stdio:COMMAND or"
        f' "program:[depth=N] COMMAND" (default: {SEARCHING_BOT})',
    )
    command.add_argument(
        "--depths",
        nargs="+",
        metavar="N",
        help=f"depths of {SEARCHING_BOT} in plies: numbers or ranges FIRST-LAST[/STEP] (default:"
        f" {' '.join(DEFAULT_DEPTHS)})",
    )
    add_bot_files(command)
    add_sandbox(command)
    add_game(command)
    add_parameters(command)
    command.add_argument(
        "--opening-plies",
        nargs="+",
        metavar="N",
        default=DEFAULT_OPENING_PLIES,
        help="random moves at the start of each match: numbers or ranges FIRST-LAST[/STEP]"
        f" (default: {' '.join(DEFAULT_OPENING_PLIES)})",
    )
    command.add_argument(
        "--pairs",
        type=int,
        default=DEFAULT_PAIRS,
        help="pairs of matches between every two bots in each cell of the grid"
        " (default: %(default)s)",
    )
    add_seed(command)
    add_time(command)
    add_workers(command)
    add_new_database(command)
    command.add_argument(
        "--output",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="files to write: a page (.html), its plots (.svg) or a table (.csv)",
    )
    command.add_argument("--dry-run", action="store_true", help="print the plan without playing")
    command.add_argument("--json", action="store_true", help="print the results as JSON")
    add_anchor(command)
    add_verbosity(command)
