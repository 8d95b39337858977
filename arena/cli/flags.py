"""Flags shared by several commands."""

import argparse
from pathlib import Path

from arena.cli.arguments import SHOWN_GAMES, game_metavar, game_name, shown_games
from arena.model.clock import CREDIT_RATE, MAX_CREDIT
from arena.sandbox.sandbox import Policy, parse_policy
from arena.tournament.plan import BOOK_POLICIES
from core import GAMES

DEFAULT_TIME = "5+0.05"
DEFAULT_GRACE = 5.0  # seconds
DEFAULT_CONNECTIONS = 1000
BOOK_DEFAULTS = {"book_order": "sequential", "book_start": 1, "book_policy": BOOK_POLICIES[0]}
SERVE_CONCURRENCY, TOURNAMENT_CONCURRENCY = 100, 2

Flags = argparse._ActionsContainer
"""A command, or a group of its flags that its help shows together."""


def add_database(command: Flags) -> None:
    """Add the database as a positional argument."""
    command.add_argument("db", type=Path, metavar="DB", help="database file")


def add_anchor(command: Flags) -> None:
    """Add the flag of a bot with a fixed rating."""
    command.add_argument(
        "--anchor",
        metavar="NAME[=ELO]",
        help="bot with a fixed rating, 0 unless ELO is given (default: the mean rating is 0)",
    )


def add_los(command: Flags) -> None:
    """Add the flag of likelihoods of superiority."""
    command.add_argument(
        "--los",
        action="store_true",
        help="print the likelihood of superiority of each pair of bots",
    )


def add_shown_games(command: Flags) -> None:
    """Add the flag of the number of games on a page."""
    command.add_argument(
        "--games",
        type=shown_games,
        default=SHOWN_GAMES,
        metavar="N",
        help="games on the page, the first ones: none, all or a number (default: %(default)s)",
    )


def add_bot(command: Flags) -> None:
    """Add the flag of the bot to list the results of."""
    command.add_argument(
        "--bot",
        metavar="NAME",
        help="bot whose results against each other bot are listed, instead of the crosstable",
    )


def add_sandbox(command: Flags) -> None:
    """Add the flag of the sandbox of users' programs."""
    command.add_argument(
        "--sandbox",
        type=parse_policy,
        choices=[*Policy],
        metavar="POLICY",
        help="sandbox of program:, stdio: and cmd: bots: auto (bubblewrap where it works), require"
        " or off (default: auto for program:, off for stdio: and cmd:)",
    )


def add_limits(command: Flags, concurrency: int) -> None:
    """Add the flags of the limits of matches over connections.

    Args:
        command: The command.
        concurrency: The default number of simultaneous matches.
    """
    # Defaults are set by arena.cli.conversion: in process some of these flags are refused.
    command.add_argument(
        "--concurrency",
        type=int,
        help=f"maximum number of simultaneous matches (default: {concurrency})",
    )
    command.add_argument(
        "--margin",
        type=float,
        default=0.0,
        help="seconds that a bot may exceed its time by (default: 0)",
    )
    command.add_argument(
        "--grace",
        type=float,
        help="seconds that a bot may stay disconnected during a match"
        f" (default: {DEFAULT_GRACE:g})",
    )
    command.add_argument(
        "--max-credit",
        metavar="SECONDS",
        type=float,
        help="network delay that a bot of another machine is not charged for in a match, which"
        f" {100 * CREDIT_RATE:g} %% of its turns refill (default: {MAX_CREDIT:g})",
    )


def add_time(command: Flags) -> None:
    """Add the flag of the time control."""
    command.add_argument(
        "--time",
        metavar="CONTROL",
        help="time control in seconds: BASE+INCREMENT or TIME/move; in process also unlimited or"
        f' "N nodes" for each move (default: {DEFAULT_TIME}; in process: unlimited)',
    )


def add_new_database(command: Flags) -> None:
    """Add the flag of a database that is created or continued."""
    command.add_argument("--db", type=Path, help="database file (default: a new one in results/)")


def add_bot_files(command: Flags) -> None:
    """Add the flag of the folder of users' bots."""
    command.add_argument(
        "--bot-files",
        type=Path,
        metavar="DIR",
        help="folder of the modules of python:MODULE:CLASS, and the folder in which stdio: and"
        " program: commands run; it is sent to a cluster (default: the working directory)",
    )


def add_bot_logs(command: Flags) -> None:
    """Add the flag of the folder of what bots write."""
    command.add_argument(
        "--bot-logs",
        type=Path,
        metavar="DIR",
        help="append the standard error of each bot that the tournament starts to a file in DIR,"
        " and the ignored output lines of stdio: bots",
    )


def add_trace(command: Flags) -> None:
    """Add the flag of the file of the messages of bots."""
    command.add_argument(
        "--trace",
        type=Path,
        metavar="FILE",
        help="append all messages from and to bots to FILE, as JSON lines with their times",
    )


def add_bot_settings(command: Flags) -> None:
    """Add the flag of the settings of a single bot."""
    command.add_argument(
        "--bot",
        nargs="+",
        action="append",
        metavar=("NAME", "KEY=VALUE"),
        help="settings of one of the bots: time=CONTROL for its own clock, dir=DIR for its working"
        " directory, restart=on for a new process for each match, env.NAME=VALUE for its"
        " environment; may be repeated",
    )


def add_affinity(command: Flags) -> None:
    """Add the flag that gives each match a processor."""
    command.add_argument(
        "--affinity",
        action="store_true",
        help="let the processes of each match's bots run on a processor of their own (Linux)",
    )


def add_workers(command: Flags, implied: str = "") -> None:
    """Add the flags of the workers of a run in process.

    Args:
        command: The parser of the command.
        implied: The implication of the flags, as a part of their help texts.
    """
    command.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help=f"number of workers{implied} (default: the usable processors)",
    )
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="Dask cluster of the workers: tcp://HOST:PORT or tls://HOST:PORT of its scheduler, or"
        f" local to start one here{implied}",
    )


def add_game(command: Flags) -> None:
    """Add the flag of the only game to play."""
    command.add_argument(
        "--game",
        type=game_name,
        metavar=game_metavar(),
        default=next(iter(GAMES)),
        help="game to play (default: %(default)s)",
    )


def add_seed(command: Flags) -> None:
    """Add the flag of the seed."""
    command.add_argument(
        "--seed", type=int, help="seed of all random choices (default: a random one)"
    )


def add_timeout(command: Flags) -> None:
    """Add the flag of the wait for a program."""
    command.add_argument(
        "--timeout",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="seconds to wait for an answer (default: 10)",
    )


def add_verbosity(command: Flags) -> None:
    """Add the flags that choose the output while matches are played."""
    output = command.add_mutually_exclusive_group()
    output.add_argument("--quiet", action="store_true", help="print only problems")
    output.add_argument(
        "--plain",
        action="store_true",
        help="print one line per match (default: a live table on a terminal, elsewhere problems and"
        " counts)",
    )


def add_parameters(command: Flags) -> None:
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


def add_address(command: Flags, port: int) -> None:
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


def add_admission(command: Flags) -> None:
    """Add the flags of the admission of bots."""
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
        "--bans",
        type=Path,
        metavar="FILE",
        help="do not admit the names and networks in FILE (see arena ban)",
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
        help=f"maximum number of connections of bots (default: {DEFAULT_CONNECTIONS})",
    )


def add_openings(command: Flags) -> None:
    """Add the flags of the openings of a tournament."""
    command.add_argument(
        "--opening-plies",
        type=int,
        help="random moves at the start of each match (default: as many as different games need,"
        " 0 where the setups suffice)",
    )
    command.add_argument("--book", type=Path, help="file of openings, one per line")
    command.add_argument(
        "--book-order",
        choices=["sequential", "random"],
        help="order of the openings of the book (default: %(default)s)",
    )
    command.add_argument(
        "--book-start",
        type=int,
        metavar="N",
        help="number of the first opening of the book that is played (default: %(default)s)",
    )
    command.add_argument(
        "--book-policy",
        choices=BOOK_POLICIES,
        help="openings of the book: all in each round, a new one for each round, or a new one for"
        " each encounter of two bots (default: %(default)s)",
    )
    command.set_defaults(**BOOK_DEFAULTS)
