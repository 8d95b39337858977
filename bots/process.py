"""Process of a bot that an arena starts: `arena bot` without messages about its matches."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from arena.model.visible import visible
from arena.options import switch
from bots.arguments import BotOptions
from bots.client import ProgramFailed
from bots.playing import create_client, run_until_done

if TYPE_CHECKING:
    from bots.programs import UserProgram

TRIAL_SECONDS = 0.5  # in which a program that cannot play has probably ended


@dataclass(frozen=True)
class ProcessOptions(BotOptions):
    """Options of the process of a bot."""

    until_eof: bool = switch("exit when standard input is closed")
    dry_run: bool = switch("create the bot and exit without connecting")


class Parser(argparse.ArgumentParser):
    """Argument parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(2, f"bots: {message}\n")


def parser() -> Parser:
    """Return the argument parser, with defaults from the environment."""
    result = Parser(prog="python -m bots", description="Run a bot for an arena that starts it.")
    ProcessOptions.add_to(result)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    given = vars(parser().parse_args(argv))
    try:
        options = ProcessOptions.of(given)
        client, program = create_client(options)
        if options.dry_run:
            if program:
                _try(program)
            return 0
    except (ValueError, ProgramFailed) as error:
        parser().error(str(error))
    try:
        return run_until_done(client, program, _warn, options.until_eof)
    except asyncio.CancelledError:
        return 143
    except KeyboardInterrupt:
        return 130


def _try(program: "UserProgram") -> None:
    """End a program after a short time in which it may fail. Raises ProgramFailed."""
    from bots.stdio import StdioBot  # which has been imported with it

    with closing(program):
        if isinstance(program, StdioBot):
            program.watch(TRIAL_SECONDS)


def _warn(message: str) -> None:
    print(f"bots: {visible(message)}", file=sys.stderr)
