"""Options of a bot that connects to an arena. Importing this module imports no bot."""

from dataclasses import dataclass
from pathlib import Path

from arena.options import Options, argument, option, switch
from arena.sandbox.limits import Policy, parse_policy
from bots.specification import BUILT_IN


@dataclass(frozen=True)
class BotOptions(Options):
    """Options of a bot; None is the default that the help text states."""

    epilog = "The environment variable ARENA_TOKEN is the token for arenas that require one."

    bot: str = argument(
        "bot to run, in arena bot with an optional NAME= in front: "
        f"{', '.join(BUILT_IN)}; "
        "spec:8 searches 8 plies deep (default: 4), 0 to the end of the game; "
        "spec:4@nodes=1000 visits at most 1000 nodes for a move, as strong@nodes=1000 does; "
        "openspiel:mcts:1000 is a Monte Carlo tree search of OpenSpiel with 1000 simulations; "
        "python:MODULE:CLASS is a class with a method choose(position, clock); "
        '"stdio:COMMAND" runs a program that reads and writes lines; "program:[depth=N] COMMAND" '
        "starts a program of the assignment for each move",
        metavar="BOT",
    )
    url: str = option(
        "URL of the arena (default: $ARENA_URL, or ws://127.0.0.1:8765/play)",
        environment="ARENA_URL",
        default="ws://127.0.0.1:8765/play",
    )
    name: str | None = option(
        "name of the bot (default: $ARENA_NAME, or the kind of bot)",
        environment="ARENA_NAME",
    )
    games: tuple[str, ...] | None = option(
        "games to play (default: all that the bot supports)", metavar="NAME"
    )
    matches: int = option("maximum number of simultaneous matches (default: 1)", default=1, least=1)
    think: float | None = option(
        "maximum time for a move in seconds (default: as the clock allows)",
        above=0,
        metavar="SECONDS",
    )
    casual: bool = switch("play only casual matches, which are arranged by challenges")
    seed: int | None = option(
        "seed of random, of openspiel:mcts and of Python classes: the same seed plays the same"
        " games",
    )
    bot_files: Path | None = option(
        "folder of the module of python:MODULE:CLASS, and the folder in which a program runs "
        "(default: the working directory)",
        metavar="DIR",
    )
    sandbox: Policy | None = option(
        "sandbox of stdio: and program: commands: auto, require or off (default: auto for "
        "program:, off for stdio:)",
        type=parse_policy,
        choices=[*Policy],
        metavar="POLICY",
    )
    show_ignored: bool = switch(
        "note all ignored output lines of a stdio: program on standard error, not the first alone"
    )
    pass_env: tuple[str, ...] | None = option(
        "environment variables that stdio: and program: commands get in the sandbox too "
        "(without a sandbox, they get all)",
        metavar="NAME",
    )
