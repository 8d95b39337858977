"""Entry point of the command line: arena serve, tournament, standings and more."""

import asyncio
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword

from arena.cli.arguments import UsageError
from arena.cli.configuration import (
    AnalyseConfig,
    CommandConfig,
    ServeConfig,
    TournamentConfig,
)
from arena.cli.output import notify
from arena.cli.parser import parse
from arena.model.visible import visible
from arena.storage.schema import DatabaseError, UnusableDatabase
from core import GAMES
from core.cli import BROKEN_PIPE
from core.registry import UnknownGame

MAX_MESSAGE = 1000  # characters


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    Args:
        argv: The words after the program's name; None takes sys.argv.

    Returns:
        0 on success, 1 if something failed, 2 for an invalid command line or unusable input, found
        before anything starts, 130 if interrupted, 141 if the reader of the output has exited.
    """
    advice = ""
    try:
        config = parse(argv)
        if isinstance(config, AnalyseConfig | ServeConfig | TournamentConfig):
            advice = "; run the same command on the same database to continue"
        _warn_of_unusable_games(config)
        # Imported on demand: most commands need modules that are slow to import.
        name = config.command + "_" * iskeyword(config.command)
        command = import_module(f"arena.cli.commands.{name}")
        status: int = command.run(config)
        if sys.stdout:
            sys.stdout.flush()
    except (UsageError, UnusableDatabase) as error:
        return _fail(str(error), 2)
    except (DatabaseError, UnknownGame) as error:
        return _fail(str(error), 1)
    except OSError as error:
        sys.stdout = None  # prevents a second failing flush when the interpreter ends
        if isinstance(error, BrokenPipeError) and not error.filename:
            return BROKEN_PIPE  # quietly: the reader, such as head, wants no more
        what = f" {error.filename}" if error.filename else ""
        return _fail(f"cannot write{what}: {error.strerror}", 1)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return _fail(f"stopped{advice}", 130)
    return status


def _warn_of_unusable_games(config: CommandConfig) -> None:
    """Name the games of installed packages that cannot be used, on standard error."""
    if isinstance(config, ServeConfig) and config.arena.log == "-":
        return  # standard error holds nothing but JSON
    for failure in GAMES.failures:
        notify(f"warning: {failure}")


def _fail(message: str, status: int) -> int:
    if len(message) > MAX_MESSAGE:  # it quotes a file
        message = f"{message[:MAX_MESSAGE]} ..."
    print(f"arena: {visible(message)}", file=sys.stderr, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
