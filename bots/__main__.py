"""The bots' command line: python -m bots spec --depth 4 --url ws://127.0.0.1:8765/play"""

import argparse
import asyncio
import io
import secrets
import sys
from collections.abc import Sequence
from typing import NoReturn
from urllib.parse import urlsplit

from bots.client import Choose, Client, RefusedByArena, in_thread
from bots.greedy_bot import GreedyBot
from bots.perfect_bot import PerfectBot
from bots.random_bot import RandomBot
from bots.spec_bot import SpecBot
from core import GAMES

KINDS = ("random", "greedy", "spec", "perfect")
SOLVED = [name for name, game in GAMES.items() if game.solver]


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        self.exit(2, f"bots: {message}\n")


def parser() -> Parser:
    """The command line's arguments."""
    result = Parser(prog="python -m bots", description="Play in an arena.")
    result.add_argument(
        "bot", help=f"{', '.join(KINDS)}; spec:4 is short for spec --depth 4", metavar="BOT"
    )
    result.add_argument("--depth", type=int, help="spec: plies, 0 for the end (default: 4)")
    result.add_argument("--seed", type=int, help="random: the same seed, the same games")
    result.add_argument(
        "--url", default="ws://127.0.0.1:8765/play", help="where the arena is (%(default)s)"
    )
    result.add_argument("--name", help="the name to play under (default: as the bot)")
    result.add_argument("--matches", type=int, default=1, help="at once (default: 1)")
    result.add_argument(
        "--until-eof", action="store_true", help="leave when standard input is closed"
    )
    return result


def chosen(arguments: argparse.Namespace) -> tuple[str, Choose]:
    """The bot's own name and its mind. Raises ValueError."""
    kind, _, depth = arguments.bot.partition(":")
    if kind not in KINDS:
        raise ValueError(f"there is no bot {arguments.bot!r}, but {', '.join(KINDS)}")
    if kind != "spec" and (depth or arguments.depth is not None):
        raise ValueError(f"only spec has a depth, not {arguments.bot!r}")
    if kind != "random" and arguments.seed is not None:
        raise ValueError(f"only random has a seed, not {arguments.bot!r}")
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


def _check_url(text: str) -> None:
    try:
        url = urlsplit(text)
        is_possible = url.scheme in {"ws", "wss"} and url.hostname and url.port != 0
        is_possible = is_possible and not url.fragment
    except ValueError:
        is_possible = False
    if not is_possible:
        raise ValueError(f"url {text!r} is not like ws://HOST:PORT/play or wss://HOST:PORT/play")


async def play(client: Client, until_eof: bool) -> None:
    """Play until it is over or, if that is wanted, until standard input is closed."""
    playing = asyncio.create_task(client.play())
    waiting: set[asyncio.Task[object]] = {playing}
    if until_eof:
        # Not buffered: the interpreter cannot end while a thread holds the lock of a buffer.
        raw = io.FileIO(sys.stdin.fileno(), closefd=False)
        waiting.add(asyncio.create_task(in_thread(raw.read)))
    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    done.pop().result()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status."""
    arguments = parser().parse_args(argv)
    try:
        _check_url(arguments.url)
        if arguments.matches < 1:
            raise ValueError(f"matches must be at least 1, not {arguments.matches}")
        name, choose = chosen(arguments)
        games = SOLVED if isinstance(choose, PerfectBot) else GAMES
        client = Client(arguments.url, arguments.name or name, choose, games, arguments.matches)
    except ValueError as error:
        parser().error(str(error))
    try:
        asyncio.run(play(client, arguments.until_eof))
    except RefusedByArena as error:
        print(f"bots: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
