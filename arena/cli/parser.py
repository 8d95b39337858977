"""Parser of the command line: commands, flags, and a tournament's configuration file.

This module imports only what the list of commands, `arena --help`, needs.
"""

import argparse
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from arena.cli.shared_options import Command

COMMANDS: Mapping[str, tuple[str, str]] = {
    "tournament": ("tournament.TournamentCommand", "play a tournament and print the table"),
    "class": ("tournament.ClassCommand", "play a tournament of the programs of a class"),
    "standings": ("standings.StandingsConfig", "print the standings of a database"),
    "report": ("report.ReportConfig", "write a report on a database as a web page"),
    "plot": ("report.PlotConfig", "draw ratings, openings, lengths and times as SVG"),
    "view": ("view.ViewConfig", "show a database in a browser"),
    "serve": ("serve.ServeConfig", "run an arena that pairs connected bots"),
    "bot": ("bot.BotConfig", "connect a bot to an arena"),
    "check": ("check.CheckConfig", "check that a bot follows the protocol"),
    "grade": ("grade.GradeConfig", "grade programs written for the assignment"),
    "export": ("records.ExportConfig", "write the records of a database as text or Parquet"),
    "import": ("records.ImportConfig", "create or fill a database from records as text"),
    "merge": ("merge.MergeConfig", "create a database from several databases"),
    "verify": ("replay.VerifyConfig", "replay all records and compare them with the rules"),
    "analyse": ("replay.AnalyseConfig", "measure the accuracy of all moves against perfect play"),
    "trace": ("trace.TraceConfig", "show an alpha-beta search step by step"),
    "practice": ("practice.PracticeConfig", "print exercises on alpha-beta"),
    "token": ("administration.TokenConfig", "manage the tokens of bots"),
    "ban": ("administration.BanConfig", "ban names and networks from an arena"),
    "rename": ("administration.RenameConfig", "replace a name in all matches of an arena"),
    "prune": ("administration.PruneConfig", "remove old matches of an arena"),
    "check-game": ("games.CheckGameConfig", "check that a game does what every game must"),
    "games": ("games.GamesConfig", "list the games that can be played here"),
    "completion": ("completion.CompletionConfig", "print a script that completes commands"),
}
"""The class of each command in arena.cli.commands, and its purpose; the most used first."""
REFUSED_ARGUMENT = re.compile("argument (.+?): (.*)", re.DOTALL)  # a message of argparse


class Parser(argparse.ArgumentParser):
    """Argument parser that raises UsageError."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError in the form of the messages of options."""
        from arena.cli.arguments import UsageError
        from arena.options import about

        if found := REFUSED_ARGUMENT.fullmatch(message):
            message = about(*found.groups())
        raise UsageError(message)

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help. Raises OSError, which argparse would ignore."""
        print(self.format_help(), end="", file=file)
        sys.stdout.flush()


class PrintVersion(argparse.Action):
    """Option that prints the version of the installed package and ends the program."""

    def __call__(self, *_: object) -> None:
        """Print the version. Raises SystemExit."""
        from arena.model.version import installed_version

        print(f"arena {installed_version()}", flush=True)
        raise SystemExit(0)


def parser(commands: Collection[str] = COMMANDS) -> Parser:
    """Return the parser of the command line.

    Args:
        commands: The commands to add options for; the others are only listed.
    """
    result = Parser(prog="arena", description="Referee matches between game-playing bots.")
    result.add_argument(
        "--version",
        action=PrintVersion,
        nargs=0,
        dest=argparse.SUPPRESS,
        default=argparse.SUPPRESS,
        help="print the version of the arena",
    )
    choices = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, purpose) in COMMANDS.items():
        command = choices.add_parser(name, help=purpose)
        if name in commands:
            command_class(name).add_to(command)
    return result


def command_class(name: str) -> "type[Command]":
    """Import the module of a command and return its class."""
    module, kind = COMMANDS[name][0].split(".")
    found: type[Command] = getattr(import_module(f"arena.cli.commands.{module}"), kind)
    return found


def command_parser(of_all: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of a command, among those of all commands."""
    [commands] = (action for action in of_all._actions if action.dest == "command")
    found: argparse.ArgumentParser = dict(commands.choices or {})[name]
    return found


def parse(argv: Sequence[str] | None) -> "Command":
    """Parse a command line and return its command.

    A tournament's file replaces the defaults of arguments that are not given.

    Args:
        argv: The words after the program's name; None takes sys.argv.

    Raises:
        UsageError: The command line, or the file of a tournament, is invalid.
    """
    words = sys.argv[1:] if argv is None else argv
    all_commands = parser(words)
    arguments, others = all_commands.parse_known_args(words)
    from arena.cli.arguments import BOTS_HINT, UsageError
    from arena.options import InvalidOption

    if others:
        hint = "" if others[0].startswith("-") or "bots" not in arguments else BOTS_HINT
        raise UsageError(f"unrecognized arguments: {' '.join(others)}{hint}")
    kind = command_class(arguments.command)
    if arguments.command == "tournament" and arguments.file:
        from arena.cli.config_file import set_defaults

        set_defaults(command_parser(all_commands, arguments.command), arguments)
        arguments = all_commands.parse_args(words)
    try:
        command = kind.of(vars(arguments))
    except InvalidOption as error:
        raise UsageError(str(error)) from None
    command.check()
    return command
