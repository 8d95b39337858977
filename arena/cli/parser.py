"""Parser of the command line: commands, flags, and a tournament's configuration file."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from arena.cli.arguments import (
    DEFAULT_BOTS,
    DEFAULT_OFFERS,
    UsageError,
    game_metavar,
    game_name,
    number,
    start_time,
    unix_time,
    whole_number,
)
from arena.cli.class_tournament.flags import add_class
from arena.cli.configuration import CommandConfig
from arena.cli.conversion import configure
from arena.cli.flags import (
    SERVE_CONCURRENCY,
    TOURNAMENT_CONCURRENCY,
    add_address,
    add_affinity,
    add_anchor,
    add_bot,
    add_bot_files,
    add_bot_logs,
    add_bot_settings,
    add_database,
    add_game,
    add_los,
    add_match_options,
    add_openings,
    add_sandbox,
    add_seed,
    add_shown_games,
    add_timeout,
    add_verbosity,
    add_workers,
)
from arena.cli.grading import add_grading
from arena.cli.plot_flags import add_plot
from arena.cli.runs import add_merge, add_runs
from arena.cli.sweep.flags import add_sweep
from arena.model.version import installed_version
from arena.network.addresses import CONNECTIONS_PER_ADDRESS
from arena.tournament.plan import FORMATS
from bots.arguments import EPILOG, add_arguments
from core import GAMES

SHELLS = ("bash", "zsh", "fish", "tcsh")

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """Argument parser that raises UsageError, and names no type of Python in its messages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", int, whole_number)
        self.register("type", float, number)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        raise UsageError(message)

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help and flush it, so that a full disk is noticed.

        Raises:
            OSError: The help cannot be written.
        """
        super().print_help(file)
        print(end="", flush=True)


class PrintVersion(argparse.Action):
    """Option that prints the version of the installed package and ends the program."""

    def __call__(self, *_: object) -> None:
        """Print the version. Raises SystemExit."""
        print(f"arena {installed_version()}", flush=True)
        raise SystemExit(0)


def parser(defaults: Mapping[str, Any] = MappingProxyType({})) -> Parser:
    """Return the parser of the command line.

    Args:
        defaults: Values that replace the defaults of `arena tournament`, by name.
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
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    tournament = commands.add_parser("tournament", help="play a tournament and print the table")
    _add_tournament(tournament)
    tournament.set_defaults(**defaults)
    add_sweep(commands.add_parser("sweep", help="measure strength on a grid of depths and setups"))

    _add_serve(commands.add_parser("serve", help="run an arena that pairs connected bots"))
    _add_token(commands.add_parser("token", help="manage the tokens of bots"))
    _add_ban(commands.add_parser("ban", help="ban names and networks from an arena"))
    _add_rewriting(commands)
    _add_tables(commands)
    _add_records(commands)
    _add_bot(commands.add_parser("bot", help="connect a bot to an arena", epilog=EPILOG))
    _add_check(commands.add_parser("check", help="check that a bot follows the protocol"))
    _add_check_game(commands)
    add_grading(commands.add_parser("grade", help="grade programs written for the assignment"))
    games = commands.add_parser("games", help="list the games that can be played here")
    games.add_argument("--json", action="store_true", help="print the games as JSON")
    completion = commands.add_parser("completion", help="print a script that completes commands")
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    return result


def _add_bot(command: argparse.ArgumentParser) -> None:
    add_arguments(command)
    command.add_argument(
        "--quiet", action="store_true", help="print no line for connections and results"
    )


def _add_serve(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--game",
        nargs="+",
        type=game_name,
        metavar=game_metavar(),
        default=[*GAMES],
        help="games to play (default: all)",
    )
    command.add_argument(
        "--offer",
        nargs="*",
        metavar="BOT",
        help="opponents that people can challenge: random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], perfect, openspiel:mcts:SIMULATIONS or program:COMMAND, each"
        " with an optional NAME= in front; without arguments, disable the built-in opponents"
        " (default: " + " ".join(DEFAULT_OFFERS) + ", without those that play none of the games)",
    )
    command.add_argument(
        "--log", metavar="FILE", help="write a log of JSON lines to FILE; - for standard error"
    )
    command.add_argument(
        "--behind-proxy",
        action="store_true",
        help="take the addresses of clients from the X-Real-IP header of a reverse proxy",
    )
    command.add_argument(
        "--connections-per-address",
        type=int,
        metavar="N",
        default=CONNECTIONS_PER_ADDRESS,
        help="maximum number of connections of an address, of bots without a token and again of"
        " spectators (default: %(default)s)",
    )
    command.add_argument(
        "--trusted",
        nargs="+",
        action="extend",
        default=[],
        metavar="NETWORK=N",
        help="networks with N such connections for each of their addresses, such as"
        " 192.0.2.0/24=1000",
    )
    add_match_options(command, port=8765, concurrency=SERVE_CONCURRENCY)


def _add_names(command: argparse.ArgumentParser) -> None:
    """Add the flag that resolves pseudonyms."""
    command.add_argument(
        "--names",
        action="store_true",
        help="list the names of the submissions of an anonymous tournament",
    )


def _add_tables(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the commands that evaluate a database."""
    table = commands.add_parser("standings", help="print the standings of a database")
    add_database(table)
    table.add_argument("--json", action="store_true", help="print the standings as JSON")
    add_anchor(table)
    add_los(table)
    add_bot(table)
    _add_names(table)

    report = commands.add_parser("report", help="write a report on a database as a web page")
    add_database(report)
    report.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="HTML file to write"
    )
    add_anchor(report)
    _add_names(report)
    add_shown_games(report)

    add_plot(commands.add_parser("plot", help="draw ratings, openings, lengths and times as SVG"))

    view = commands.add_parser("view", help="show a database in a browser")
    add_database(view)
    add_anchor(view)
    add_address(view, port=8765)


def _add_records(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the commands that process the records of a database one by one."""
    export = commands.add_parser(
        "export", help="write the records of a database as text or Parquet"
    )
    add_database(export)
    export.add_argument(
        "--format",
        choices=["pgn", "jsonl", "csv", "parquet"],
        help="output format (default: by the suffix of FILE, else pgn)",
    )
    export.add_argument(
        "--output", type=Path, metavar="FILE", help="file to write (default: standard output)"
    )

    reading = commands.add_parser("import", help="create or fill a database from records as text")
    reading.add_argument(
        "file", type=Path, metavar="FILE", help="file of records in pgn or jsonl format"
    )
    reading.add_argument("db", type=Path, metavar="DB", help="database to create or to fill")
    reading.add_argument(
        "--format", choices=["pgn", "jsonl"], help="input format (default: by the suffix of FILE)"
    )

    add_merge(commands.add_parser("merge", help="create a database from several databases"))

    verify = commands.add_parser(
        "verify", help="replay all records and compare them with the rules"
    )
    add_database(verify)

    analyse = commands.add_parser(
        "analyse", help="measure the accuracy of all moves against perfect play"
    )
    add_database(analyse)
    analyse.add_argument("--json", action="store_true", help="print the accuracies as JSON")


def _add_check(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--bot",
        metavar="BOT",
        help="bot to start: random, greedy, spec:DEPTH[@nodes=N], strong[:DEPTH][@nodes=N],"
        " perfect, openspiel:mcts:SIMULATIONS, cmd:COMMAND, stdio:COMMAND or program:COMMAND"
        " (default: wait for a bot to connect)",
    )
    add_sandbox(command)
    command.add_argument(
        "--game",
        type=game_name,
        metavar=game_metavar(),
        help="game to check (default: all that the bot plays)",
    )
    command.add_argument("--json", action="store_true", help="print the results as JSON")
    add_timeout(command)
    command.add_argument(
        "--positions",
        type=int,
        metavar="N",
        help="measure instead in how many of N won positions the bot keeps the win",
    )
    command.add_argument(
        "--seed", type=int, default=1, help="seed of the positions (default: %(default)s)"
    )
    command.add_argument(  # the spelling of version 0.1
        "--time", type=float, dest="timeout", default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )
    command.add_argument(
        "url",
        nargs="?",
        metavar="URL",
        help="URL for the bot to connect to (default: ws://127.0.0.1:8765/play; with --bot, a free"
        " port)",
    )


def _add_check_game(commands: "argparse._SubParsersAction[Parser]") -> None:
    command = commands.add_parser("check-game", help="check that a game does what every game must")
    command.add_argument("game", type=game_name, metavar="NAME", help="name of the game")
    command.add_argument(
        "--seed", type=int, default=1, help="seed of the random games (default: %(default)s)"
    )


def _add_tournament(command: argparse.ArgumentParser) -> None:
    _add_bots(command)
    _add_format(command)
    _add_openings(command)
    _add_output(command)
    _add_in_process(command)
    add_runs(command)
    add_class(command)
    add_match_options(command, port=0, concurrency=TOURNAMENT_CONCURRENCY)


def _add_bots(command: argparse.ArgumentParser) -> None:
    """Add the file and the bots of a tournament."""
    command.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="TOML file with the flags below as keys"
    )
    command.add_argument(
        "--bots",
        nargs="+",
        metavar="BOT",
        help="bots, each with an optional NAME= in front: random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], perfect, openspiel:mcts:SIMULATIONS for a tree search of"
        " OpenSpiel, python:MODULE:CLASS for a class with a method choose(position, clock),"
        " cmd:COMMAND for a program that speaks the protocol, stdio:COMMAND for a program that"
        ' reads and writes lines, "program:[depth=N] COMMAND" for a program of the assignment, or'
        " external:NAME for a bot that connects by itself (default: "
        + " ".join(DEFAULT_BOTS)
        + ", without those that cannot play the game)",
    )
    add_bot_files(command)
    add_bot_settings(command)
    add_affinity(command)


def _add_in_process(command: argparse.ArgumentParser) -> None:
    """Add the flags of a tournament without connections."""
    command.add_argument(
        "--in-process",
        action="store_true",
        help="play in processes of workers, without connections: all bots but cmd: and external:",
    )
    add_workers(command, "; implies --in-process")


def _add_format(command: argparse.ArgumentParser) -> None:
    """Add the format of a tournament."""
    command.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="tournament format (default: %(default)s)",
    )
    command.add_argument(
        "--rounds",
        type=int,
        help="rounds of a Swiss tournament (default: the fewest that find a winner); otherwise,"
        " repetitions of the whole schedule (default: 1; with --sprt, until the test is decided)",
    )
    command.add_argument(
        "--seeds", type=int, help="number of bots that play the gauntlet (default: 1)"
    )
    command.add_argument(
        "--pairs",
        type=int,
        help="pairs of matches in each encounter of a Swiss tournament or a knockout (default: 1)",
    )
    command.add_argument(
        "--sprt",
        nargs="+",
        metavar="KEY=VALUE",
        help="end when a sequential test of the first of two bots is decided: elo0=0 elo1=20"
        " alpha=0.05 beta=0.05, or in normalised Elo nelo0=0 nelo1=20",
    )


def _add_openings(command: argparse.ArgumentParser) -> None:
    """Add the game, the openings and the seed of a tournament."""
    add_game(command)
    add_openings(command)
    add_seed(command)


def _add_output(command: argparse.ArgumentParser) -> None:
    """Add the start and the output of a tournament."""
    command.add_argument("--server", action="store_true", help="let bots join until the start")
    command.add_argument(
        "--at",
        type=start_time,
        metavar="TIME",
        help="start time with --server: 20:00 or 2030-12-31T20:00 (default: as soon as two bots are"
        " connected)",
    )
    command.add_argument(
        "--wait",
        type=float,
        metavar="SECONDS",
        help="seconds to wait for bots that connect by themselves (default: no limit)",
    )
    command.add_argument("--dry-run", action="store_true", help="print the plan without playing")
    command.add_argument("--json", action="store_true", help="print the standings as JSON")
    add_anchor(command)
    add_los(command)
    command.add_argument(
        "--events", metavar="FILE", help="write events as JSON lines to FILE; - for standard output"
    )
    add_bot_logs(command)
    add_verbosity(command)


def _add_token(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, meaning in {
        "add": "create the token of a bot and print it; it cannot be printed again",
        "list": "print the bots that have a token, with the date of its creation",
        "revoke": "revoke the token of a bot",
    }.items():
        action = actions.add_parser(name, help=meaning, description=meaning)
        if name != "list":
            action.add_argument("name", metavar="NAME", help="name of the bot")
        action.add_argument(
            "--tokens",
            type=Path,
            default=Path("tokens.json"),
            metavar="FILE",
            help="file of the tokens (default: %(default)s)",
        )


def _add_ban(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, meaning in {
        "add": "ban a name or a network; a running arena ends its connections",
        "list": "print the names and networks that are banned, with the date of the ban",
        "remove": "remove the ban of a name or a network",
    }.items():
        action = actions.add_parser(name, help=meaning, description=meaning)
        if name != "list":
            action.add_argument(
                "entry", metavar="NAME", help="name, address, or network such as 192.0.2.0/24"
            )
        action.add_argument(
            "--bans",
            type=Path,
            default=Path("bans.json"),
            metavar="FILE",
            help="file of the bans (default: %(default)s)",
        )


def _add_rewriting(commands: "argparse._SubParsersAction[Parser]") -> None:
    rename = commands.add_parser("rename", help="replace a name in all matches of an arena")
    rename.add_argument("db", type=Path, metavar="DB", help="database, also of a running arena")
    rename.add_argument("old", metavar="OLD", help="name to replace")
    rename.add_argument("new", metavar="NEW", help="name that nobody has")
    prune = commands.add_parser("prune", help="remove old matches of an arena")
    prune.add_argument("db", type=Path, metavar="DB", help="database, also of a running arena")
    prune.add_argument(
        "--before",
        type=unix_time,
        required=True,
        metavar="TIME",
        help="remove the matches that ended before: 2030-12-31 or 2030-12-31T20:00, in local time",
    )


def parse(argv: Sequence[str] | None) -> CommandConfig:
    """Return the configuration of the command that a command line asks for.

    A tournament's file replaces the defaults of arguments that are not given.

    Args:
        argv: The words after the program's name; None takes those of this process.

    Raises:
        UsageError: The command line, or the file of a tournament, is invalid.
    """
    arguments = parser().parse_args(argv)
    if arguments.command == "tournament" and arguments.file:
        arguments = parser(_file_defaults(arguments)).parse_args(argv)
    return configure(arguments)


def _file_defaults(arguments: argparse.Namespace) -> dict[str, Any]:
    from arena.cli.config_file import defaults  # imports a TOML parser

    path = arguments.file
    try:
        found = defaults(path, lambda words: vars(parser().parse_args(["tournament", *words])))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, UsageError) as error:
        raise UsageError(f"{path}: {error}") from None
    if arguments.quiet or arguments.plain:  # exclusive: the flag replaces the file's choice
        found.update(quiet=False, plain=False)
    return found
