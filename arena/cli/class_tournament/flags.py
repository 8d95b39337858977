"""Flags of a tournament of submissions."""

import argparse
from pathlib import Path

from arena.cli.arguments import UsageError
from arena.cli.configuration import ClassOptions
from arena.cli.flags import Flags
from arena.tournament.duration import parse_duration
from core import GAMES

DEFAULT_BENCHMARKS = ("random", "greedy", "spec:1", "spec:4", "perfect")
DEFAULT_CLASS_TIME = "2/move"
EXCLUDED = ("in_process", "workers", "cluster", "server", "dry_run")  # with submissions
CHOSEN = ("sprt",)  # --duration sets the number of rounds or pairs, too


def add_class(command: Flags) -> None:
    """Add the flags of a tournament of submissions."""
    command.add_argument(
        "--submissions",
        type=Path,
        metavar="DIR",
        help="let the programs of the assignment in a folder of submissions take part, as arena"
        " grade builds them, besides --bots (default then: " + " ".join(DEFAULT_BENCHMARKS) + ");"
        f" --time is by default {DEFAULT_CLASS_TIME}, --sandbox is require",
    )
    command.add_argument(
        "--duration",
        metavar="TIME",
        help="time that a tournament of submissions is to take, such as 45m, 90s, 2h or 1h30m:"
        " chooses --rounds (in a Swiss tournament or a knockout --pairs), --concurrency and --time",
    )
    command.add_argument(
        "--anonymous", action="store_true", help="let the submissions play under pseudonyms"
    )


def class_options(arguments: argparse.Namespace) -> ClassOptions | None:
    """Return the options of a tournament of submissions; None for others. Raises UsageError."""
    if arguments.submissions is None:
        for name in ("duration", "anonymous"):
            if getattr(arguments, name):
                raise UsageError(f"--{name} requires --submissions")
        return None
    for name in EXCLUDED:
        if getattr(arguments, name):
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} cannot be combined with --submissions")
    if not GAMES[arguments.game].program:
        raise UsageError(
            f"--submissions requires a game with a format of programs, not {arguments.game}"
        )
    return ClassOptions(
        submissions=arguments.submissions,
        duration=_duration(arguments),
        anonymous=arguments.anonymous,
        has_time=arguments.time is not None,
        has_concurrency=arguments.concurrency is not None,
    )


def sized_by(format_: str) -> str:
    """Return the flag that gives a tournament of a format its size."""
    return "pairs" if format_ in {"swiss", "knockout"} else "rounds"


def _duration(arguments: argparse.Namespace) -> float | None:
    if arguments.duration is None:
        return None
    for name in (sized_by(arguments.format), *CHOSEN):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name} cannot be combined with --duration")
    try:
        return parse_duration(arguments.duration)
    except ValueError as error:
        raise UsageError(f"--duration {error}") from None
