"""Process of a bot that an arena starts: `arena bot` without messages about its matches."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from typing import NoReturn

from arena.model.visible import visible
from bots.arguments import EPILOG, BotOptions, add_arguments
from bots.playing import create_client, run_until_done
from bots.stdio import ProgramFailed, StdioBot

TRIAL_SECONDS = 0.5  # in which a program that cannot play has probably ended


class Parser(argparse.ArgumentParser):
    """Argument parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(2, f"bots: {message}\n")


def parser() -> Parser:
    """Return the argument parser, with defaults from the environment."""
    result = Parser(
        prog="python -m bots", description="Run a bot for an arena that starts it.", epilog=EPILOG
    )
    add_arguments(result)
    result.add_argument(
        "--until-eof", action="store_true", help="exit when standard input is closed"
    )
    result.add_argument(
        "--dry-run", action="store_true", help="create the bot and exit without connecting"
    )
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    given = vars(parser().parse_args(argv))
    until_eof, is_dry_run = given.pop("until_eof"), given.pop("dry_run")
    try:
        client, program = create_client(BotOptions(**given))
        if is_dry_run:
            with closing(program) if program else nullcontext():
                if isinstance(program, StdioBot):
                    program.watch(TRIAL_SECONDS)
            return 0
    except (ValueError, ProgramFailed) as error:
        parser().error(str(error))
    try:
        return run_until_done(client, program, _warn, until_eof)
    except asyncio.CancelledError:
        return 143
    except KeyboardInterrupt:
        return 130


def _warn(message: str) -> None:
    print(f"bots: {visible(message)}", file=sys.stderr)
