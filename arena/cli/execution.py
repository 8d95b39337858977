"""Execution of a command, and the exit status of one that fails."""

import asyncio
import resource
import sys
from contextlib import suppress

from arena.cli.arguments import UsageError
from arena.cli.output import notify
from arena.cli.shared_options import Command, PlayingCommand
from arena.model.visible import visible
from arena.storage.schema import DatabaseError, UnusableDatabase
from core import GAMES
from core.cli import BROKEN_PIPE, flush_output
from core.registry import UnknownGame

MAX_MESSAGE = 1000  # characters
MAX_DESCRIPTORS = 65536  # some programs close all that are allowed before they start others


def run(command: Command) -> int:
    """Run a command and return the exit status. Raises what `report` accepts."""
    _warn_of_unusable_games(command)
    allow_descriptors()
    status = command.run()
    sys.stdout.flush()
    return status


def allow_descriptors() -> None:
    """Raise the limit on file descriptors, up to 65536, as far as the system lets this process.

    The usual limit is 1024, or 256 on macOS, which is for programs that call select(2). A public
    arena has a descriptor for each bot and spectator.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    while soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return
        wanted //= 2  # macOS has further limits


def report(error: BaseException, command: Command | None) -> int:
    """Print the error that ended a command in one line, and return the exit status.

    Args:
        error: The error; one that is a fault of the arena is raised again.
        command: The command; None if its words could not be parsed.
    """
    flush_output()
    match error:
        case UsageError() | UnusableDatabase():
            return _fail(str(error), 2)
        case DatabaseError() | UnknownGame():
            return _fail(str(error), 1)
        case OSError():
            if isinstance(error, BrokenPipeError) and not error.filename:
                return BROKEN_PIPE  # quietly: the reader, such as head, wants no more
            what = f" {error.filename}" if error.filename else ""
            return _fail(f"cannot write{what}: {error.strerror}", 1)
        case KeyboardInterrupt() | asyncio.CancelledError():
            # Python ends by SIGINT if an interrupt has passed through exec(TEXT), as in the
            # definition of a dataclass that is imported; the next such exec forgets it.
            exec("")
            if command and _logs_to_standard_error(command):
                return 130
            advice = command and command.continuation
            notes = dict.fromkeys(getattr(error, "__notes__", [advice]))
            return _fail("; ".join(["stopped", *filter(None, notes)]), 130)
    raise error


def _warn_of_unusable_games(command: Command) -> None:
    """Name the games of installed packages that cannot be used, on standard error."""
    if _logs_to_standard_error(command):
        return
    refusals = map(command.refusal, GAMES) if isinstance(command, PlayingCommand) else ()
    for failure in (*GAMES.failures, *filter(None, refusals)):
        notify(f"warning: {failure}")


def _logs_to_standard_error(command: Command) -> bool:
    """Return whether standard error has only JSON lines, unless the command fails."""
    return getattr(command, "log", None) == "-"


def _fail(message: str, status: int) -> int:
    if len(message) > MAX_MESSAGE:  # it quotes a file
        message = f"{message[:MAX_MESSAGE]} ..."
    print(f"arena: {visible(message)}", file=sys.stderr, flush=True)
    return status
