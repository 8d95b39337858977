"""Command line of the bots: python -m bots spec --depth 4 --url ws://127.0.0.1:8765/play."""

import argparse
import asyncio
import io
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from arena.model.visible import visible
from arena.sandbox.sandbox import Policy, SandboxUnavailable, parse_policy
from bots.builtin import create_strategy
from bots.client import Client, ConnectionRejected, run_in_thread
from bots.programs import UserProgram, create_program
from bots.python_bot import BotFailed
from bots.specification import BUILT_IN, PROGRAMS, SEARCHING, USERS_CODE, BotSpec, Kind
from bots.stdio import ALL_IGNORED, ProgramFailed, StdioBot
from core import GAMES
from core.registry import UnknownGame

DEFAULT_DEPTH = 4  # of spec, in plies
SEEDED = (Kind.RANDOM, Kind.OPENSPIEL, Kind.PYTHON)


class Parser(argparse.ArgumentParser):
    """Argument parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(2, f"bots: {message}\n")


def parser() -> Parser:
    """Return the argument parser, with defaults from the environment."""
    result = Parser(
        prog="python -m bots",
        description="Connect a bot to an arena.",
        epilog="The environment variable ARENA_TOKEN is the token for arenas that require one.",
    )
    result.add_argument(
        "bot",
        help=f"bot to run: {', '.join(BUILT_IN)}; spec:4 is short for spec --depth 4, "
        "and spec:4@nodes=1000 visits at most 1000 nodes for a move, as strong@nodes=1000 does; "
        "openspiel:mcts:1000 is a Monte Carlo tree search of OpenSpiel with 1000 simulations; "
        "python:MODULE:CLASS is a class with a method choose(position, clock); "
        '"stdio:COMMAND" runs a program that reads and writes lines; "program:[depth=N] COMMAND" '
        "starts a program of the assignment for each move",
        metavar="BOT",
    )
    result.add_argument(
        "--depth",
        type=int,
        help="search depth of spec and strong in plies, 0 to the end of the game (default: 4 for"
        " spec, 0 for strong)",
    )
    result.add_argument(
        "--seed",
        type=int,
        help="seed of random, of openspiel:mcts and of Python classes: the same seed plays the same"
        " games",
    )
    result.add_argument(
        "--bot-files",
        metavar="DIR",
        type=Path,
        help="folder of the module of python:MODULE:CLASS, and the folder in which a program runs "
        "(default: the working directory)",
    )
    result.add_argument(
        "--dry-run", action="store_true", help="create the bot and exit without connecting"
    )
    result.add_argument(
        "--sandbox",
        type=parse_policy,
        choices=[*Policy],
        metavar="POLICY",
        help="sandbox of stdio: and program: commands: auto, require or off (default: auto for "
        "program:, off for stdio:)",
    )
    result.add_argument(
        "--show-ignored",
        action="store_true",
        help="note all ignored output lines of a stdio: program on standard error"
        f" ({ALL_IGNORED} of each process at most), not the first alone",
    )
    result.add_argument(
        "--pass-env",
        nargs="+",
        metavar="NAME",
        help="environment variables that stdio: and program: commands get in the sandbox too "
        "(without a sandbox, they get all)",
    )
    _add_play_arguments(result)
    return result


def _add_play_arguments(parser: argparse.ArgumentParser) -> None:
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
        "--until-eof", action="store_true", help="exit when standard input is closed"
    )


def create_program_of(spec: BotSpec, arguments: argparse.Namespace) -> UserProgram | None:
    """Return the strategy that asks a user's program, or None for another bot; raise ValueError."""
    if spec.kind not in PROGRAMS:
        for flag in ("sandbox", "show_ignored", "pass_env"):
            if getattr(arguments, flag):
                name = flag.replace("_", "-")
                raise ValueError(f"--{name} applies to programs only, not to {spec.text!r}")
        return None
    try:
        return create_program(
            spec,
            arguments.sandbox,
            arguments.bot_files,
            arguments.matches,
            ALL_IGNORED if arguments.show_ignored else 1,
            arguments.pass_env or (),
        )
    except SandboxUnavailable as error:
        raise ValueError(str(error)) from None


def _warn(message: str) -> None:
    print(f"bots: {visible(message)}", file=sys.stderr)


def read_bot(arguments: argparse.Namespace) -> BotSpec:
    """Return the bot of the arguments, with its depth; raise ValueError."""
    spec = BotSpec.parse(arguments.bot)
    if spec.kind in (Kind.CMD, Kind.EXTERNAL):
        raise ValueError(f"bot {spec.text!r} connects by itself: start it without `bots`")
    if spec.kind not in SEEDED and arguments.seed is not None:
        raise ValueError(f"--seed applies to {', '.join(SEEDED)} only, not to {spec.text!r}")
    if spec.kind not in USERS_CODE and arguments.bot_files is not None:
        raise ValueError(f"--bot-files applies to users' bots only, not to {spec.text!r}")
    if spec.kind not in SEARCHING and arguments.depth is not None:
        raise ValueError(f"--depth applies to {' and '.join(SEARCHING)} only, not to {spec.text!r}")
    depth = arguments.depth
    if depth is None and spec.kind is Kind.SPEC and spec.depth is None:
        depth = DEFAULT_DEPTH
    if depth is None:
        return spec
    if spec.depth is not None:
        raise ValueError(f"repeated depth: {spec.text!r} and --depth")
    word, at, nodes = spec.text.partition("@")
    return BotSpec.parse(f"{word}:{depth}{at}{nodes}")


def select_games(games: Sequence[str] | None, spec: BotSpec, bot: str) -> Sequence[str]:
    """Return the requested games, or all that the bot can play; raise ValueError."""
    playable = [name for name, game in GAMES.items() if not spec.missing_part(game)]
    requested = []
    for name in games or ():
        try:
            game = GAMES[name]
        except UnknownGame as error:
            raise ValueError(str(error)) from None
        requested.append(game.name)
        if missing := spec.missing_part(game):
            known = ", ".join(playable)
            raise ValueError(
                f"{bot} cannot play {name}, which has no {missing} (choose from {known})"
            )
    return requested or playable


def token_from_environment() -> str | None:
    """Return the token that authenticates the name, if there is one; raise ValueError.

    It is read from the environment, because all users of a machine can see command lines, and is
    removed from it, so that programs started by this one do not inherit it.
    """
    token = os.environ.pop("ARENA_TOKEN", None)
    if token and not token.isascii():
        raise ValueError("ARENA_TOKEN contains non-ASCII characters")
    return token or None


def _check_url(text: str) -> None:
    try:
        url = urlsplit(text)
        is_valid = url.scheme in {"ws", "wss"} and url.hostname and url.port != 0
        is_valid = is_valid and not url.fragment
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ValueError(f"--url must be ws://HOST:PORT/play or wss://HOST:PORT/play, got {text!r}")


async def play(client: Client, until_eof: bool, program: UserProgram | None = None) -> None:
    """Play until the arena ends it, or with `until_eof` until standard input is closed.

    Raises:
        BotFailed: A user's class raised an exception.
        ConnectionRejected: The arena rejected the bot.
        ProgramFailed: A process of the program ended.
        CancelledError: SIGTERM was received while a program was running.
    """
    tasks: list[asyncio.Task[object]] = [asyncio.create_task(client.play())]
    if until_eof:
        # Unbuffered: the interpreter cannot exit while a thread holds the lock of a buffer.
        raw = io.FileIO(sys.stdin.fileno(), closefd=False)
        tasks.append(asyncio.create_task(run_in_thread(raw.read)))
    if isinstance(program, StdioBot):
        tasks.append(asyncio.create_task(run_in_thread(program.watch)))
    if program:
        this = asyncio.current_task()
        assert this
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # Two tasks may fail because of the same end of a program: collect both exceptions.
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
            raise result


def create_client(arguments: argparse.Namespace) -> tuple[Client, UserProgram | None]:
    """Return the client, and the program that it asks; one of stdio: is started.

    Raises:
        ValueError: An argument is invalid.
        ProgramFailed: The program cannot be started.
    """
    _check_url(arguments.url)
    if arguments.matches < 1:
        raise ValueError(f"--matches must be at least 1, got {arguments.matches}")
    if arguments.think is not None and not arguments.think > 0:
        raise ValueError(f"--think must be above 0, got {arguments.think:g}")
    spec = read_bot(arguments)
    program = create_program_of(spec, arguments)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    strategy = program or create_strategy(spec, seed, arguments.bot_files)
    games = select_games(arguments.games, spec, spec.default_name)
    name, matches = arguments.name or spec.default_name, arguments.matches
    casual, think = arguments.casual, arguments.think
    client = Client(
        arguments.url, name, strategy, games, matches, token_from_environment(), casual, think
    )
    if program:
        program.start()
        # An arena that starts bots has said it, once for all of them.
        if program.sandbox.notice and not arguments.until_eof:
            _warn(program.sandbox.notice)
    return client, program


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    arguments = parser().parse_args(argv)
    try:
        client, program = create_client(arguments)
    except (ValueError, ProgramFailed) as error:
        parser().error(str(error))
    try:
        with closing(program) if program else nullcontext():
            if arguments.dry_run:
                return 0
            asyncio.run(play(client, arguments.until_eof, program))
    except (BotFailed, ConnectionRejected, ProgramFailed) as error:
        _warn(str(error))
        return 1
    except asyncio.CancelledError:
        return 143
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
