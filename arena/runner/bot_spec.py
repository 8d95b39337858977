"""The bots of an arena as the organiser names them: [NAME=]BOT."""

import re
import shlex
import shutil
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import PurePath

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from core import GAMES

EXTERNAL = "external:"  # dials in by itself
COMMAND = "cmd:"  # a program that dials in when it is started
LINES = "stdio:"  # a program that reads and writes lines
OWN = re.compile(r"random|greedy|spec:\d+|perfect", re.ASCII)


def entrants(bots: Sequence[str]) -> dict[str, str]:
    """What each bot is, by name: the one it is given or its own, with a number if it is not new.

    Raises ValueError.
    """
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for bot in bots:
        name, what = _split(bot)
        seen[name] += 1
        if seen[name] > 1 and name == own_name(what) and not what.startswith(EXTERNAL):
            name = f"{name}#{seen[name]}"
        if name in found:
            raise ValueError(f"two bots are named {name}")
        try:
            decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))  # or it could never join
        except ValueError as error:
            raise ValueError(f"bot {bot!r}: {error}") from None
        found[name] = what
    return found


def own_name(what: str) -> str:
    """What a bot is called if it is given no name. Raises ValueError."""
    if what.startswith((COMMAND, LINES)):
        return PurePath(program(what)[0]).name
    return what.removeprefix(EXTERNAL)


def is_own(what: str) -> bool:
    """Whether a bot is one of those that come with the arena."""
    return not what.startswith((EXTERNAL, COMMAND, LINES))


def offered(bots: Sequence[str], games: Collection[str]) -> dict[str, str]:
    """What each of the arena's own bots is, by name, but for those that play none of the games.

    Raises ValueError, also if one is not the arena's own.
    """
    found = entrants(bots)
    for what in found.values():
        if not OWN.fullmatch(what):
            raise ValueError(f"bot {what!r} is none of random, greedy, spec:DEPTH and perfect")
    return {name: what for name, what in found.items() if playable(what, games)}


def playable(what: str, games: Collection[str]) -> list[str]:
    """Those of the games that one of the arena's own bots can play."""
    return [game for game in games if what != "perfect" or GAMES[game].solver]


def program(what: str) -> list[str]:
    """The words of a bot's command line. Raises ValueError if there is no such program."""
    command = what.partition(":")[2]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"bot {what!r}: {error}") from None
    if not words:
        raise ValueError(f"bot {what!r} names no program")
    if not shutil.which(words[0]):
        raise ValueError(f"bot {what!r}: there is no program {words[0]}")
    return words


def _split(bot: str) -> tuple[str, str]:
    """The name and the rest; a colon before the equals sign makes that a part of a command."""
    name, equals, what = bot.partition("=")
    if not equals or ":" in name:
        return own_name(bot), bot
    own = own_name(what)
    if what.startswith(EXTERNAL) and name != own:
        raise ValueError(f"bot {bot!r}: one that dials in brings its name, which is {own}")
    return name, what
