"""The arena's command line: its commands, their flags, and a tournament's file."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from arena.cli.arguments import DEFAULT_BOTS, DEFAULT_OFFERS, Refused, moment
from arena.tournament.schedule import FORMATS
from core import GAMES

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Raises Refused."""
        raise Refused(message)

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print it at once, so that a full disk is noticed. Raises OSError."""
        super().print_help(file)
        print(end="", flush=True)


def parser(defaults: Mapping[str, Any] = MappingProxyType({})) -> Parser:
    """The command line's arguments; a tournament's may have other defaults."""
    result = Parser(prog="arena", description="Referee matches between game-playing bots.")
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    tournament = commands.add_parser("tournament", help="play a tournament, print the table")
    _add_tournament(tournament)
    tournament.set_defaults(**defaults)

    _add_serve(commands.add_parser("serve", help="let bots join, and pair those that are here"))
    _add_token(commands.add_parser("token", help="say which bots may come to an arena"))
    _add_tables(commands)
    _add_records(commands)
    _add_check(commands.add_parser("check", help="try a bot and tell what works"))
    return result


def _add_serve(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--game", nargs="+", choices=[*GAMES], default=[*GAMES], help="(default: all)"
    )
    command.add_argument(
        "--offer",
        nargs="*",
        metavar="BOT",
        default=DEFAULT_OFFERS,
        help="[NAME=] and random, greedy, spec:DEPTH or perfect: bots that people may challenge;"
        " without any BOT none (default: " + " ".join(DEFAULT_OFFERS) + ")",
    )
    command.add_argument(
        "--log", metavar="FILE", help="write a log in JSON lines, - for standard error"
    )
    command.add_argument(
        "--behind-proxy",
        action="store_true",
        help="believe the address of a bot that a reverse proxy passes on as X-Real-IP",
    )
    _add_playing(command, port=8765, concurrency=100)


def _add_tables(commands: "argparse._SubParsersAction[Parser]") -> None:
    """The commands that show what a database comes to."""
    table = commands.add_parser("standings", help="print the table of a database")
    _add_database(table)
    table.add_argument("--json", action="store_true", help="print the standings as JSON")
    _add_anchor(table)
    _add_los(table)

    report = commands.add_parser("report", help="write a database as a web page")
    _add_database(report)
    report.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="the page, in HTML"
    )
    _add_anchor(report)

    view = commands.add_parser("view", help="show a database in the browser")
    _add_database(view)
    _add_anchor(view)
    _add_address(view, port=8765)


def _add_records(commands: "argparse._SubParsersAction[Parser]") -> None:
    """The commands that take the records of a database one by one."""
    export = commands.add_parser("export", help="write the records of a database as text")
    _add_database(export)
    export.add_argument(
        "--format", choices=["pgn", "jsonl", "csv"], help="(default: by FILE's ending, else pgn)"
    )
    export.add_argument("--output", type=Path, metavar="FILE", help="(default: standard output)")

    reading = commands.add_parser("import", help="make a new database of records that are text")
    reading.add_argument("file", type=Path, metavar="FILE", help="the records, as pgn or jsonl")
    reading.add_argument("db", type=Path, metavar="DB", help="the new database")
    reading.add_argument("--format", choices=["pgn", "jsonl"], help="(default: by FILE's ending)")

    verify = commands.add_parser("verify", help="replay all records through the referee")
    _add_database(verify)

    analyse = commands.add_parser("analyse", help="judge the moves of all matches by perfect play")
    _add_database(analyse)
    analyse.add_argument("--json", action="store_true", help="print the accuracies as JSON")


def _add_check(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--bot",
        metavar="BOT",
        help="random, greedy, spec:DEPTH, perfect, cmd:COMMAND or stdio:COMMAND, which is started"
        " (default: wait for one that dials in)",
    )
    command.add_argument("--game", choices=[*GAMES], help="(default: all that the bot plays)")
    command.add_argument("--json", action="store_true", help="print the results as JSON")
    command.add_argument(
        "--time", type=float, default=10.0, help="seconds to wait for an answer (default: 10)"
    )
    command.add_argument(
        "url",
        nargs="?",
        metavar="URL",
        help="where the bot shall dial in (default: ws://127.0.0.1:8765/play, with --bot a free"
        " port)",
    )


def _add_database(command: argparse.ArgumentParser) -> None:
    command.add_argument("db", type=Path, metavar="DB", help="the database")


def _add_anchor(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--anchor",
        metavar="NAME[=ELO]",
        help="a bot whose rating is given, 0 if not said (default: the mean is 0)",
    )


def _add_los(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--los", action="store_true", help="show how likely it is that one is stronger than another"
    )


def _add_tournament(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="TOML with the flags below as keys"
    )
    command.add_argument(
        "--bots",
        nargs="+",
        metavar="BOT",
        help="[NAME=] and random, greedy, spec:DEPTH, perfect, cmd:COMMAND for a program that"
        " speaks the protocol, stdio:COMMAND for one that reads and writes lines, or external:NAME"
        " for one that dials in by itself (default: " + " ".join(DEFAULT_BOTS) + ")",
    )
    command.add_argument(
        "--format", choices=FORMATS, default=FORMATS[0], help="(default: %(default)s)"
    )
    command.add_argument(
        "--rounds",
        type=int,
        help="of a Swiss tournament (default: as few as find a winner); else how often all is"
        " played (default: 1, with --sprt until it is decided)",
    )
    command.add_argument("--seeds", type=int, help="bots that play the gauntlet (default: 1)")
    command.add_argument(
        "--pairs", type=int, help="of matches in each meeting of a Swiss or a knockout (default: 1)"
    )
    command.add_argument(
        "--sprt",
        nargs="+",
        metavar="KEY=VALUE",
        help="end when it is decided how strong the first of two bots is: elo0=0 elo1=20, and"
        " alpha=0.05 beta=0.05",
    )
    command.add_argument(
        "--game", choices=[*GAMES], default=next(iter(GAMES)), help="(default: %(default)s)"
    )
    command.add_argument(
        "--opening-plies", type=int, default=0, help="random moves to begin with (default: 0)"
    )
    command.add_argument("--book", type=Path, help="file of openings, one a line")
    command.add_argument("--seed", type=int, help="of all that is random (default: drawn)")
    command.add_argument(
        "--server", action="store_true", help="whoever is here when it begins takes part too"
    )
    command.add_argument(
        "--at",
        type=moment,
        metavar="TIME",
        help="when that is: 20:00, or 2030-12-31T20:00 (default: as soon as two bots are here)",
    )
    command.add_argument("--dry-run", action="store_true", help="print the plan and play nothing")
    command.add_argument("--json", action="store_true", help="print the standings as JSON")
    _add_anchor(command)
    _add_los(command)
    command.add_argument("--events", metavar="FILE", help="write JSON lines, - for standard output")
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--quiet", action="store_true", help="tell only of what goes wrong")
    shown.add_argument("--plain", action="store_true", help="a line a match, also on a terminal")
    _add_playing(command, port=0, concurrency=2)


def _add_playing(command: argparse.ArgumentParser, port: int, concurrency: int) -> None:
    for name, meaning in {
        name: parameter.meaning
        for game in GAMES.values()
        for name, parameter in game.parameters.items()
    }.items():
        command.add_argument(
            f"--{name}", nargs="+", metavar="N", help=f"{meaning}: numbers, or FIRST-LAST[/STEP]"
        )
    command.add_argument(
        "--time",
        default="5+0.05",
        metavar="CONTROL",
        help="BASE+INCREMENT, or TIME/move, in seconds (default: %(default)s)",
    )
    command.add_argument(
        "--margin", type=float, default=0.0, help="seconds that may be overdrawn (default: 0)"
    )
    command.add_argument(
        "--concurrency",
        type=int,
        default=concurrency,
        help="matches at once (default: %(default)s)",
    )
    command.add_argument(
        "--grace",
        type=float,
        default=5.0,
        help="seconds that a bot may be disconnected in a match (default: 5)",
    )
    command.add_argument("--db", type=Path, help="database (default: a new one in results/)")
    _add_address(command, port)
    _add_strangers(command)


def _add_address(command: argparse.ArgumentParser, port: int) -> None:
    command.add_argument("--host", default="127.0.0.1", help="to listen on (default: 127.0.0.1)")
    command.add_argument(
        "--port",
        type=int,
        default=port,
        help="to listen on, 0 for a free one (default: %(default)s)",
    )


def _add_strangers(command: argparse.ArgumentParser) -> None:
    strangers = command.add_mutually_exclusive_group()
    strangers.add_argument(
        "--tokens",
        type=Path,
        metavar="FILE",
        help="let in only bots with a token (see arena token)",
    )
    strangers.add_argument(
        "--open", action="store_true", help="let in anybody, also from other machines"
    )
    command.add_argument(
        "--origin",
        nargs="+",
        action="extend",
        default=[],
        metavar="URL",
        help="of web pages that may connect, besides the arena's own",
    )
    command.add_argument(
        "--connections",
        type=int,
        default=1000,
        help="of bots at once (default: %(default)s)",
    )


def _add_token(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, meaning in {
        "add": "make a token for a bot, and print it this once",
        "list": "print which bots have a token, and since when",
        "revoke": "let a bot not in again",
    }.items():
        action = actions.add_parser(name, help=meaning, description=meaning)
        if name != "list":
            action.add_argument("name", metavar="NAME", help="the bot's name")
        action.add_argument(
            "--tokens",
            type=Path,
            default=Path("tokens.json"),
            metavar="FILE",
            help="where they are kept (default: %(default)s)",
        )


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, with those from a tournament's file where they are not given.

    Raises Refused.
    """
    arguments = parser().parse_args(argv)
    if arguments.command == "tournament" and arguments.file:
        arguments = parser(_from_file(arguments)).parse_args(argv)
    return arguments


def _from_file(arguments: argparse.Namespace) -> dict[str, Any]:
    from arena.cli.config_file import defaults  # which needs a parser of TOML

    path = arguments.file
    try:
        found = defaults(path, lambda words: parser().parse_args(["tournament", *words]))
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, Refused) as error:
        raise Refused(f"{path}: {error}") from None
    if arguments.quiet or arguments.plain:  # only one of them, so that the file's gives way
        found.update(quiet=False, plain=False)
    return found
