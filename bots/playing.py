"""Bots that play in an arena, from their options to the end of the connection."""

import asyncio
import io
import os
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bots.arguments import BotOptions
from bots.builtin import create_strategy
from bots.client import Client, ConnectionRejected, ProgramFailed, ignore, run_in_thread
from bots.python_bot import BotFailed
from bots.specification import PROGRAMS, USERS_CODE, BotSpec, Kind
from core import GAMES
from core.registry import UnknownGame

if TYPE_CHECKING:
    from bots.programs import UserProgram

DEFAULT_DEPTH = 4  # of spec, in plies
SEEDED = (Kind.RANDOM, Kind.OPENSPIEL, Kind.PYTHON)


def create_program_of(spec: BotSpec, options: BotOptions) -> "UserProgram | None":
    """Return the strategy that asks a user's program, or None for another bot; raise ValueError."""
    if spec.kind not in PROGRAMS:
        for flag in ("sandbox", "show_ignored", "pass_env"):
            if getattr(options, flag):
                name = flag.replace("_", "-")
                raise ValueError(f"--{name} applies to programs only, not to {spec.text!r}")
        return None
    from arena.sandbox.sandbox import SandboxUnavailable  # which other bots do not need
    from bots.programs import create_program
    from bots.stdio import ALL_IGNORED

    try:
        return create_program(
            spec,
            options.sandbox,
            options.bot_files,
            options.matches,
            ALL_IGNORED if options.show_ignored else 1,
            options.pass_env or (),
        )
    except SandboxUnavailable as error:
        raise ValueError(str(error)) from None


def read_bot(options: BotOptions) -> BotSpec:
    """Return the bot of the options, with its depth; raise ValueError."""
    spec = BotSpec.parse(options.bot)
    if spec.kind in (Kind.CMD, Kind.EXTERNAL):
        raise ValueError(f"bot {spec.text!r} connects by itself: start it alone")
    if spec.kind not in SEEDED and options.seed is not None:
        raise ValueError(f"--seed applies to {', '.join(SEEDED)} only, not to {spec.text!r}")
    if spec.kind not in USERS_CODE and options.bot_files is not None:
        raise ValueError(f"--bot-files applies to users' bots only, not to {spec.text!r}")
    if spec.kind is Kind.SPEC and spec.depth is None:
        return BotSpec.parse(spec.text.replace(spec.kind, f"{spec.kind}:{DEFAULT_DEPTH}", 1))
    return spec


def _select_games(games: Sequence[str] | None, spec: BotSpec) -> Sequence[str]:
    """Return the requested games, or all that the bot can play; raise ValueError."""
    requested = []
    for name in games or ():
        try:
            game = GAMES[name]
        except UnknownGame as error:
            raise ValueError(str(error)) from None
        try:
            spec.check_playable(game, spec.default_name)
        except ValueError as error:
            raise ValueError(f"{error} (choose from {', '.join(_playable(spec))})") from None
        requested.append(game.name)
    return requested or _playable(spec)


def _playable(spec: BotSpec) -> list[str]:
    """Return the registered games that a bot can play, also those of installed packages."""
    return [name for name, game in GAMES.items() if not spec.missing_part(game)]


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


async def play(client: Client, until_eof: bool, program: "UserProgram | None" = None) -> None:
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
    if program:
        from bots.stdio import StdioBot  # which has been imported with it

        if isinstance(program, StdioBot):
            tasks.append(asyncio.create_task(run_in_thread(program.watch)))
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


def create_client(
    options: BotOptions, report: Callable[[str], None] = ignore
) -> "tuple[Client, UserProgram | None]":
    """Return the client, and the program that it asks; one of stdio: is started.

    Args:
        options: The options of the bot.
        report: Receives the messages of the client, and one about a missing sandbox.

    Raises:
        ValueError: An option is invalid.
        ProgramFailed: The program cannot be started.
    """
    _check_url(options.url)
    spec = read_bot(options)
    program = create_program_of(spec, options)
    seed = secrets.randbits(32) if options.seed is None else options.seed
    client = Client(
        options.url,
        options.name or spec.default_name,
        program or create_strategy(spec, seed, options.bot_files),
        _select_games(options.games, spec),
        options.matches,
        token_from_environment(),
        options.casual,
        options.think,
        report,
    )
    if program:
        program.start()
        if program.sandbox.notice:
            report(program.sandbox.notice)
    return client, program


def run_until_done(
    client: Client,
    program: "UserProgram | None",
    report: Callable[[str], None],
    until_eof: bool = False,
) -> int:
    """Play as `play` does, then end the program.

    Args:
        client: The client.
        program: The program that it asks, if it asks one.
        report: Receives why the arena has refused the bot, or how the code of a user has failed.
        until_eof: Whether to play until standard input is closed, at most.

    Returns:
        The exit status: 0, or 1 after a report.

    Raises:
        CancelledError: SIGTERM was received while a program was running.
    """
    try:
        with closing(program) if program else nullcontext():
            asyncio.run(play(client, until_eof, program))
    except (BotFailed, ConnectionRejected, ProgramFailed) as error:
        report(str(error))
        return 1
    return 0
