"""The arguments of the arena's command line, checked."""

import argparse
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from arena.clock import TimeControl
from arena.messages import PROTOCOL, Hello, decode_from_bot, encode
from core import GAMES
from core.game import Game

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

EXTERNAL = "external:"
DEFAULT_BOTS = ["random", "greedy", "spec:1", "spec:4", "spec:8"]


class Refused(Exception):
    """Ends the program with a line on standard error and status 2."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        self.exit(2, f"arena: {message}\n")

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print it at once, so that a full disk is noticed. Raises OSError."""
        super().print_help(file)
        print(end="", flush=True)


def parser() -> Parser:
    """The command line's arguments."""
    result = Parser(prog="arena", description="Referee matches between game-playing bots.")
    commands = result.add_subparsers(dest="command", required=True, metavar="COMMAND")

    tournament = commands.add_parser("tournament", help="play a round robin and print the table")
    tournament.add_argument(
        "--bots",
        nargs="+",
        default=DEFAULT_BOTS,
        metavar="BOT",
        help="random, greedy, spec:DEPTH, perfect, or external:NAME for one that dials in by itself"
        " (default: " + " ".join(DEFAULT_BOTS) + ")",
    )
    tournament.add_argument("--rounds", type=int, default=1, help="round robins (default: 1)")
    tournament.add_argument(
        "--opening-plies", type=int, default=0, help="random moves to begin with (default: 0)"
    )
    tournament.add_argument("--seed", type=int, help="of all that is random (default: drawn)")
    tournament.add_argument("--json", action="store_true", help="print the standings as JSON")
    tournament.add_argument(
        "--game", choices=[*GAMES], default=next(iter(GAMES)), help="(default: %(default)s)"
    )
    _add_playing(tournament, port=0, concurrency=2)

    serve = commands.add_parser("serve", help="let bots join, and pair those that are here")
    serve.add_argument(
        "--game", nargs="+", choices=[*GAMES], default=[*GAMES], help="(default: all)"
    )
    _add_playing(serve, port=8765, concurrency=100)

    analyse = commands.add_parser("analyse", help="judge the moves of all matches by perfect play")
    analyse.add_argument("db", type=Path, metavar="DB", help="the database")
    analyse.add_argument("--json", action="store_true", help="print the accuracies as JSON")

    table = commands.add_parser("standings", help="print the table of a database")
    table.add_argument("db", type=Path, metavar="DB", help="the database")
    table.add_argument("--json", action="store_true", help="print the standings as JSON")
    return result


def _add_playing(command: argparse.ArgumentParser, port: int, concurrency: int) -> None:
    for name, meaning in {
        name: parameter.meaning
        for game in GAMES.values()
        for name, parameter in game.parameters.items()
    }.items():
        command.add_argument(f"--{name}", type=int, nargs="+", metavar="N", help=meaning)
    command.add_argument(
        "--time",
        default="5+0.05",
        metavar="BASE+INCREMENT",
        help="in seconds (default: %(default)s)",
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
    command.add_argument("--host", default="127.0.0.1", help="to listen on (default: 127.0.0.1)")
    command.add_argument(
        "--port",
        type=int,
        default=port,
        help="to listen on, 0 for a free one (default: %(default)s)",
    )


def named(bots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A name for each bot: its own, and a number for the second and later of a kind.

    Raises Refused.
    """
    if len(bots) < 2:
        raise Refused(f"a tournament needs at least 2 bots, not {len(bots)}")
    seen: Counter[str] = Counter()
    names = set()
    for bot in bots:
        seen[bot] += 1
        name = bot.removeprefix(EXTERNAL)
        if name == bot and seen[bot] > 1:
            name = f"{bot}#{seen[bot]}"
        if name in names:
            raise Refused(f"two bots are named {name}")
        try:
            decode_from_bot(encode(Hello(PROTOCOL, name, [])))  # or it could never join
        except ValueError as error:
            raise Refused(f"bot {bot!r}: {error}") from None
        names.add(name)
        yield name, bot


def setups_of(
    games: Sequence[str], arguments: argparse.Namespace
) -> dict[str, tuple[dict[str, int], ...]]:
    """All combinations of each game's parameters, each checked. Raises Refused."""
    known = {name for game in games for name in GAMES[game].parameters}
    for name in {name for game in GAMES.values() for name in game.parameters} - known:
        if getattr(arguments, name) is not None:
            raise Refused(f"{' and '.join(games)} has no {name}")
    return {game: _combinations(GAMES[game], arguments) for game in games}


def _combinations(game: Game, arguments: argparse.Namespace) -> tuple[dict[str, int], ...]:
    choices = []
    for name, parameter in game.parameters.items():
        values = getattr(arguments, name) or parameter.usual
        for value in values:
            if value < parameter.minimum:
                raise Refused(f"{name} must be at least {parameter.minimum}, not {value}")
        choices.append([(name, value) for value in values])
    setups = tuple(dict(setup) for setup in itertools.product(*choices))
    for setup in setups:
        try:
            game.position(**setup)
        except (ValueError, MemoryError) as error:
            raise Refused(f"{setup}: {error}") from None
    return setups


def time_control(arguments: argparse.Namespace) -> TimeControl:
    """The time control. Raises Refused."""
    try:
        return TimeControl.parse(arguments.time)
    except ValueError as error:
        raise Refused(str(error)) from None


def check_numbers(arguments: argparse.Namespace) -> None:
    """Refuse numbers that are too small. Raises Refused."""
    limits = {"rounds": 1, "opening_plies": 0, "concurrency": 1, "grace": 0}
    for name, least in limits.items():
        value = getattr(arguments, name, least)
        if not value >= least:
            flag = name.replace("_", "-")
            raise Refused(f"--{flag} must be at least {least}, not {value}")
