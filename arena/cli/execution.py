"""Execution of a command, and the exit status of one that fails."""

import asyncio
import sys
from importlib import import_module
from keyword import iskeyword

from arena.cli.arguments import UsageError
from arena.cli.configuration import CommandConfig
from arena.cli.output import notify
from arena.cli.tournament_configuration import PlayingOptions
from arena.model.visible import visible
from arena.storage.schema import DatabaseError, UnusableDatabase
from core import GAMES
from core.cli import BROKEN_PIPE
from core.registry import UnknownGame

MAX_MESSAGE = 1000  # characters


def run(config: CommandConfig) -> int:
    """Run a command and return the exit status. Raises what `report` accepts."""
    _warn_of_unusable_games(config)
    # Imported on demand: most commands need modules that are slow to import.
    name = config.command.replace("-", "_") + "_" * iskeyword(config.command)
    command = import_module(f"arena.cli.commands.{name}")
    status: int = command.run(config)
    if sys.stdout:
        sys.stdout.flush()
    return status


def report(error: BaseException, advice: str) -> int:
    """Print the error that ended a command in one line, and return the exit status.

    Args:
        error: The error; one that is a fault of the arena is raised again.
        advice: How to go on after an interruption.
    """
    match error:
        case UsageError() | UnusableDatabase():
            return _fail(str(error), 2)
        case DatabaseError() | UnknownGame():
            return _fail(str(error), 1)
        case OSError():
            sys.stdout = None  # prevents a second failing flush when the interpreter ends
            if isinstance(error, BrokenPipeError) and not error.filename:
                return BROKEN_PIPE  # quietly: the reader, such as head, wants no more
            what = f" {error.filename}" if error.filename else ""
            return _fail(f"cannot write{what}: {error.strerror}", 1)
        case KeyboardInterrupt() | asyncio.CancelledError():
            return _fail(f"stopped{advice}", 130)
    raise error


def _warn_of_unusable_games(config: CommandConfig) -> None:
    """Name the games of installed packages that cannot be used, on standard error."""
    if getattr(config, "log", None) == "-":
        return  # standard error holds nothing but JSON
    refusals = map(config.refusal, GAMES) if isinstance(config, PlayingOptions) else ()
    for failure in (*GAMES.failures, *filter(None, refusals)):
        notify(f"warning: {failure}")


def _fail(message: str, status: int) -> int:
    if len(message) > MAX_MESSAGE:  # it quotes a file
        message = f"{message[:MAX_MESSAGE]} ..."
    print(f"arena: {visible(message)}", file=sys.stderr, flush=True)
    return status
