"""Options of a bot that connects to an arena. Importing this module imports no bot."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.sandbox import Policy, parse_policy
from bots.specification import BUILT_IN

EPILOG = "The environment variable ARENA_TOKEN is the token for arenas that require one."


@dataclass(frozen=True)
class BotOptions:
    """Options of a bot.

    Attributes:
        bot: The specification; `spec` alone has a depth of 4.
        url: The URL of the arena's /play.
        name: The name of the bot; None is its default name.
        games: The names of the games that it plays; None for all that it can.
        matches: The highest number of simultaneous matches.
        think: The most seconds for a move; None as the clock allows.
        casual: Whether it plays only casual matches.
        seed: The seed of a bot that makes random choices; None draws one.
        bot_files: The folder of a user's module or program; None is the working directory.
        sandbox: The sandbox of a user's program; None isolates only program: bots.
        show_ignored: Whether all ignored lines of a program are noted, not the first alone.
        pass_env: Variables of the environment that a program gets in the sandbox too.
    """

    bot: str
    url: str
    name: str | None
    games: Sequence[str] | None
    matches: int
    think: float | None
    casual: bool
    seed: int | None
    bot_files: Path | None
    sandbox: Policy | None
    show_ignored: bool
    pass_env: Sequence[str] | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a bot, with defaults from the environment."""
    parser.add_argument(
        "bot",
        help=f"bot to run: {', '.join(BUILT_IN)}; spec:8 searches 8 plies deep (default: 4), 0 to "
        "the end of the game; spec:4@nodes=1000 visits at most 1000 nodes for a move, as "
        "strong@nodes=1000 does; "
        "openspiel:mcts:1000 is a Monte Carlo tree search of OpenSpiel with 1000 simulations; "
        "python:MODULE:CLASS is a class with a method choose(position, clock); "
        '"stdio:COMMAND" runs a program that reads and writes lines; "program:[depth=N] COMMAND" '
        "starts a program of the assignment for each move",
        metavar="BOT",
    )
    parser.add_argument(
        "--url",
        default=os.environ.get("ARENA_URL") or "ws://127.0.0.1:8765/play",
        help="URL of the arena (default: $ARENA_URL, or ws://127.0.0.1:8765/play)",
    )
    parser.add_argument(
        "--name",
        default=os.environ.get("ARENA_NAME"),
        help="name of the bot (default: $ARENA_NAME, or the kind of bot)",
    )
    parser.add_argument(
        "--games",
        nargs="+",
        metavar="NAME",
        help="games to play (default: all that the bot supports)",
    )
    parser.add_argument(
        "--matches", type=int, default=1, help="maximum number of simultaneous matches (default: 1)"
    )
    parser.add_argument(
        "--think",
        type=float,
        metavar="SECONDS",
        help="maximum time for a move in seconds (default: as the clock allows)",
    )
    parser.add_argument(
        "--casual",
        action="store_true",
        help="play only casual matches, which are arranged by challenges",
    )
    parser.add_argument(
        "--seed",
        type=int,
        help="seed of random, of openspiel:mcts and of Python classes: the same seed plays the same"
        " games",
    )
    parser.add_argument(
        "--bot-files",
        metavar="DIR",
        type=Path,
        help="folder of the module of python:MODULE:CLASS, and the folder in which a program runs "
        "(default: the working directory)",
    )
    parser.add_argument(
        "--sandbox",
        type=parse_policy,
        choices=[*Policy],
        metavar="POLICY",
        help="sandbox of stdio: and program: commands: auto, require or off (default: auto for "
        "program:, off for stdio:)",
    )
    parser.add_argument(
        "--show-ignored",
        action="store_true",
        help="note all ignored output lines of a stdio: program on standard error, not the first"
        " alone",
    )
    parser.add_argument(
        "--pass-env",
        nargs="+",
        metavar="NAME",
        help="environment variables that stdio: and program: commands get in the sandbox too "
        "(without a sandbox, they get all)",
    )
