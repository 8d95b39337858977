"""Flags shared by several commands."""

import argparse
from pathlib import Path

from core import GAMES


def add_database(command: argparse.ArgumentParser) -> None:
    """Add the database as a positional argument."""
    command.add_argument("db", type=Path, metavar="DB", help="database file")


def add_anchor(command: argparse.ArgumentParser) -> None:
    """Add the flag of a bot with a fixed rating."""
    command.add_argument(
        "--anchor",
        metavar="NAME[=ELO]",
        help="bot with a fixed rating, 0 unless ELO is given (default: the mean rating is 0)",
    )


def add_los(command: argparse.ArgumentParser) -> None:
    """Add the flag of likelihoods of superiority."""
    command.add_argument(
        "--los",
        action="store_true",
        help="print the likelihood of superiority of each pair of bots",
    )


def add_match_options(command: argparse.ArgumentParser, port: int, concurrency: int) -> None:
    """Add the flags of commands that play matches.

    Args:
        command: The parser of the command.
        port: The default port.
        concurrency: The default number of simultaneous matches.
    """
    _add_parameters(command)
    command.add_argument(
        "--time",
        default="5+0.05",
        metavar="CONTROL",
        help="time control in seconds: BASE+INCREMENT or TIME/move (default: %(default)s)",
    )
    command.add_argument(
        "--margin",
        type=float,
        default=0.0,
        help="seconds that a bot may exceed its time by (default: 0)",
    )
    command.add_argument(
        "--concurrency",
        type=int,
        default=concurrency,
        help="maximum number of simultaneous matches (default: %(default)s)",
    )
    command.add_argument(
        "--grace",
        type=float,
        default=5.0,
        help="seconds that a bot may stay disconnected during a match (default: 5)",
    )
    command.add_argument("--db", type=Path, help="database file (default: a new one in results/)")
    add_address(command, port)
    add_admission(command)


def _add_parameters(command: argparse.ArgumentParser) -> None:
    """Add a flag for each parameter of the games."""
    for name, meaning in {
        name: parameter.meaning
        for game in GAMES.values()
        for name, parameter in game.parameters.items()
    }.items():
        command.add_argument(
            f"--{name}",
            nargs="+",
            metavar="N",
            help=f"{meaning.replace('%', '%%')}: numbers or ranges FIRST-LAST[/STEP]",
        )


def add_address(command: argparse.ArgumentParser, port: int) -> None:
    """Add the flags of the address to listen on."""
    command.add_argument(
        "--host", default="127.0.0.1", help="host to listen on (default: 127.0.0.1)"
    )
    command.add_argument(
        "--port",
        type=int,
        default=port,
        help="port to listen on, 0 for a free one (default: %(default)s)",
    )


def add_admission(command: argparse.ArgumentParser) -> None:
    """Add the flags that limit who may connect."""
    authentication = command.add_mutually_exclusive_group()
    authentication.add_argument(
        "--tokens",
        type=Path,
        metavar="FILE",
        help="admit only bots with a token in FILE (see arena token)",
    )
    authentication.add_argument(
        "--open",
        action="store_true",
        help="admit any bot without a token, also from other machines",
    )
    command.add_argument(
        "--origin",
        nargs="+",
        action="extend",
        default=[],
        metavar="URL",
        help="origins of web pages that may connect, besides the arena's own",
    )
    command.add_argument(
        "--connections",
        type=int,
        default=1000,
        help="maximum number of connections of bots (default: %(default)s)",
    )
