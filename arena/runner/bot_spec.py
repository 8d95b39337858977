"""Specifications of bots as an organiser writes them: [NAME=]BOT."""

import re
import shlex
import shutil
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from core import GAMES

EXTERNAL = "external:"  # a bot that connects by itself
COMMAND = "cmd:"  # a program that connects when it is started
STDIO = "stdio:"  # a program that reads and writes lines
BUILTIN = re.compile(r"random|greedy|spec:\d+|perfect", re.ASCII)


def parse_bots(bots: Sequence[str]) -> dict[str, str]:
    """Return the specification of each bot by its name, which is made unique by a number.

    Args:
        bots: Specifications, each with an optional name.

    Raises:
        ValueError: A specification or a name is invalid, or two bots have the same name.
    """
    counts: Counter[str] = Counter()
    found: dict[str, str] = {}
    for bot in bots:
        name, spec = _split(bot)
        counts[name] += 1
        if counts[name] > 1 and name == default_name(spec) and not spec.startswith(EXTERNAL):
            name = f"{name}#{counts[name]}"
        if name in found:
            raise ValueError(f"two bots are named {name}")
        try:
            decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))  # checks the name
        except ValueError as error:
            raise ValueError(f"bot {bot!r}: {error}") from None
        found[name] = spec
    return found


def default_name(spec: str) -> str:
    """Return the name of a bot that is given none. Raises ValueError for an invalid command."""
    if spec.startswith((COMMAND, STDIO)):
        return PurePath(command_words(spec)[0]).name
    return spec.removeprefix(EXTERNAL)


def is_builtin(spec: str) -> bool:
    """Return whether a bot comes with the arena."""
    return not spec.startswith((EXTERNAL, COMMAND, STDIO))


def parse_house_bots(bots: Sequence[str], games: Collection[str]) -> dict[str, str]:
    """Return the specification of each house bot by its name, without those that play no game.

    Args:
        bots: Specifications, each with an optional name.
        games: The names of the games that are played.

    Raises:
        ValueError: A specification or a name is invalid, or a bot is not a built-in one.
    """
    found = parse_bots(bots)
    for spec in found.values():
        if not BUILTIN.fullmatch(spec):
            raise ValueError(
                f"unknown bot {spec!r} (choose from random, greedy, spec:DEPTH, perfect)"
            )
    return {name: spec for name, spec in found.items() if supported_games(spec, games)}


def supported_games(spec: str, games: Collection[str]) -> list[str]:
    """Return those of the games that a built-in bot can play."""
    return [game for game in games if not _missing_part(spec, game)]


def check_playable(bots: Mapping[str, str], game: str) -> None:
    """Check that all bots can play a game, as far as the arena knows them.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game.

    Raises:
        ValueError: A built-in bot needs what the game lacks.
    """
    for name, spec in bots.items():
        if missing := _missing_part(spec, game):
            raise ValueError(f"bot {name} cannot play {game}, which has no {missing}")


def _missing_part(spec: str, game: str) -> str | None:
    """Return what a built-in bot needs but a game lacks, as bots/__main__.py does; else None."""
    kind, _, depth = spec.partition(":")
    if kind == "perfect" and not GAMES[game].solver:
        return "solver"
    searches_to_the_end = depth and not depth.strip("0")
    if kind == "spec" and not searches_to_the_end and not GAMES[game].evaluate:
        return "evaluation"
    return None


def command_words(spec: str) -> list[str]:
    """Return the words of a bot's command line.

    Raises:
        ValueError: The command is invalid, or there is no such program.
    """
    command = spec.partition(":")[2]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"bot {spec!r}: {error}") from None
    if not words:
        raise ValueError(f"bot {spec!r}: no command")
    if not shutil.which(words[0]):
        raise ValueError(f"bot {spec!r}: program {words[0]!r} not found")
    return words


def _split(bot: str) -> tuple[str, str]:
    """Return name and specification; an equals sign after a colon belongs to a command."""
    name, equals, spec = bot.partition("=")
    if not equals or ":" in name:
        return default_name(bot), bot
    own_name = default_name(spec)
    if spec.startswith(EXTERNAL) and name != own_name:
        raise ValueError(f"bot {bot!r}: an external bot keeps its own name, {own_name}")
    return name, spec
