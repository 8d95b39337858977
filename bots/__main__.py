"""Command line of the bots: `python -m bots spec --depth 4 --url ws://127.0.0.1:8765/play`."""

import argparse
import asyncio
import io
import os
import secrets
import signal
import sys
from collections.abc import Collection, Sequence
from contextlib import closing, nullcontext
from typing import NoReturn
from urllib.parse import urlsplit

from bots.client import Choose, Client, RefusedByArena, in_thread
from bots.greedy_bot import GreedyBot
from bots.perfect_bot import PerfectBot
from bots.random_bot import RandomBot
from bots.spec_bot import SpecBot
from bots.stdio import ProgramFailed, StdioBot
from core import GAMES

KINDS = ("random", "greedy", "spec", "perfect")
SOLVED = [name for name, game in GAMES.items() if game.solver]


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        self.exit(2, f"bots: {message}\n")


def parser() -> Parser:
    """The command line's arguments, with defaults from the environment."""
    result = Parser(
        prog="python -m bots",
        description="Play in an arena.",
        epilog="An arena that asks for a token gets the one in ARENA_TOKEN in the environment.",
    )
    result.add_argument(
        "bot",
        help=f"{', '.join(KINDS)}; spec:4 is short for spec --depth 4; "
        '"stdio:COMMAND" is a program that reads and writes lines',
        metavar="BOT",
    )
    result.add_argument("--depth", type=int, help="spec: plies, 0 for the end (default: 4)")
    result.add_argument("--seed", type=int, help="random: the same seed, the same games")
    result.add_argument(
        "--url",
        default=os.environ.get("ARENA_URL") or "ws://127.0.0.1:8765/play",
        help="where the arena is (default: ARENA_URL in the environment, or ws://127.0.0.1:8765/play)",
    )
    result.add_argument(
        "--name",
        default=os.environ.get("ARENA_NAME"),
        help="the name to play under (default: ARENA_NAME in the environment, or as the bot)",
    )
    result.add_argument(
        "--games", nargs="+", metavar="NAME", help="what to play (default: all that it can)"
    )
    result.add_argument("--matches", type=int, default=1, help="at once (default: 1)")
    result.add_argument(
        "--think",
        type=float,
        metavar="SECONDS",
        help="the most to spend on a move (default: what the clock allows)",
    )
    result.add_argument(
        "--casual", action="store_true", help="play only what is asked for by a challenge"
    )
    result.add_argument(
        "--until-eof", action="store_true", help="leave when standard input is closed"
    )
    return result


def bridge(arguments: argparse.Namespace) -> StdioBot | None:
    """The bot that asks a program, if that is what is wanted. Raises ValueError."""
    kind, _, command = arguments.bot.partition(":")
    if kind != "stdio":
        return None
    _check_options(kind, arguments)
    return StdioBot(command, arguments.matches)


def chosen(arguments: argparse.Namespace) -> tuple[str, Choose]:
    """The own name and the mind of one of our bots. Raises ValueError."""
    kind, _, depth = arguments.bot.partition(":")
    if kind not in KINDS:
        raise ValueError(f"there is no bot {arguments.bot!r}, but {', '.join(KINDS)}")
    if kind != "spec" and depth:
        raise ValueError(f"only spec has a depth, not {arguments.bot!r}")
    _check_options(kind, arguments)
    if kind == "random":
        seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
        return kind, RandomBot(seed)
    if kind == "perfect":
        return kind, PerfectBot()
    if kind == "greedy":
        return kind, GreedyBot()
    if depth and arguments.depth is not None:
        raise ValueError(f"{arguments.bot!r} has a depth already, --depth is one too many")
    if depth and not (depth.isascii() and depth.isdigit()):
        raise ValueError(f"depth must be a whole number of plies, not {depth!r}")
    plies = int(depth) if depth else 4 if arguments.depth is None else arguments.depth
    if plies < 0:
        raise ValueError(f"depth must be 0 or more plies, not {plies}")
    return f"spec:{plies}", SpecBot(plies)


def _check_options(kind: str, arguments: argparse.Namespace) -> None:
    if kind != "spec" and arguments.depth is not None:
        raise ValueError(f"only spec has a depth, not {arguments.bot!r}")
    if kind != "random" and arguments.seed is not None:
        raise ValueError(f"only random has a seed, not {arguments.bot!r}")


def wanted(games: Sequence[str] | None, playable: Collection[str], bot: str) -> Collection[str]:
    """The games to play: those asked for, or all that the bot can play. Raises ValueError."""
    for game in games or ():
        if game not in GAMES:
            raise ValueError(f"there is no game {game!r}, but {', '.join(GAMES)}")
        if game not in playable:
            raise ValueError(f"{bot} cannot play {game}, but {', '.join(playable)}")
    return games or playable


def secret() -> str | None:
    """The token that proves our name, if there is one. Raises ValueError.

    It comes by the environment alone, as all users of a machine can read its command lines, and
    is taken out of it: a program that is started here has no use for it.
    """
    token = os.environ.pop("ARENA_TOKEN", None)
    if token and not token.isascii():
        raise ValueError("ARENA_TOKEN in the environment is no token: it has other than ASCII")
    return token or None


def _check_url(text: str) -> None:
    try:
        url = urlsplit(text)
        is_possible = url.scheme in {"ws", "wss"} and url.hostname and url.port != 0
        is_possible = is_possible and not url.fragment
    except ValueError:
        is_possible = False
    if not is_possible:
        raise ValueError(f"url {text!r} is not like ws://HOST:PORT/play or wss://HOST:PORT/play")


async def play(client: Client, until_eof: bool, program: StdioBot | None = None) -> None:
    """Play until it is over or, if that is wanted, until standard input is closed.

    Raises RefusedByArena, ProgramFailed, and CancelledError for SIGTERM where a program has to be
    ended.
    """
    waiting: list[asyncio.Task[object]] = [asyncio.create_task(client.play())]
    if until_eof:
        # Not buffered: the interpreter cannot end while a thread holds the lock of a buffer.
        raw = io.FileIO(sys.stdin.fileno(), closefd=False)
        waiting.append(asyncio.create_task(in_thread(raw.read)))
    if program:
        waiting.append(asyncio.create_task(in_thread(program.watch)))
        this = asyncio.current_task()
        assert this
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # A program's end may come in two ways at once: none may be left for asyncio to report.
        for task in waiting:
            task.cancel()
        results = await asyncio.gather(*waiting, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
            raise result


def prepared(arguments: argparse.Namespace) -> tuple[Client, StdioBot | None]:
    """The client, and the program that it asks, started. Raises ValueError, ProgramFailed."""
    _check_url(arguments.url)
    if arguments.matches < 1:
        raise ValueError(f"matches must be at least 1, not {arguments.matches}")
    if arguments.think is not None and not arguments.think > 0:
        raise ValueError(f"the seconds to think must be above 0, not {arguments.think:g}")
    program = bridge(arguments)
    name, mind = (program.name, program) if program else chosen(arguments)
    games = wanted(arguments.games, SOLVED if isinstance(mind, PerfectBot) else GAMES, name)
    name, matches = arguments.name or name, arguments.matches
    casual, think = arguments.casual, arguments.think
    client = Client(arguments.url, name, mind, games, matches, secret(), casual, think)
    if program:
        program.start()
    return client, program


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status."""
    arguments = parser().parse_args(argv)
    try:
        client, program = prepared(arguments)
    except (ValueError, ProgramFailed) as error:
        parser().error(str(error))
    try:
        with closing(program) if program else nullcontext():
            asyncio.run(play(client, arguments.until_eof, program))
    except (RefusedByArena, ProgramFailed) as error:
        print(f"bots: {error}", file=sys.stderr)
        return 1
    except asyncio.CancelledError:
        return 143
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
