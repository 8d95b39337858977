"""Specifications of bots as an organiser writes them: [NAME=]BOT."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePath

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.sandbox.visible_paths import find_program
from core import GAMES

EXTERNAL = "external:"  # a bot that connects by itself
COMMAND = "cmd:"  # a program that connects when it is started
STDIO = "stdio:"  # a program that reads and writes lines
PYTHON = "python:"  # a class of a user
PROGRAM = "program:"  # a program of the assignment, started for each move
USERS_CODE = (PYTHON, STDIO, PROGRAM)  # which is in the folder of bot files
PROGRAM_OPTION = re.compile(r"in=.+|depth=\d+", re.ASCII)  # in front of its command
BUILTIN = re.compile(r"random|greedy|spec:\d+|perfect", re.ASCII)


def parse_bots(bots: Sequence[str], bot_files: Path | None = None) -> dict[str, str]:
    """Return the specification of each bot by its name, which is made unique by a number.

    Args:
        bots: Specifications, each with an optional name.
        bot_files: The folder that programs run in, but those of cmd:; None is the working
            directory.

    Raises:
        ValueError: A specification or a name is invalid, or two bots have the same name.
    """
    counts: Counter[str] = Counter()
    found: dict[str, str] = {}
    for bot in bots:
        name, spec = _split(bot, bot_files)
        counts[name] += 1
        is_default = name == default_name(spec, bot_files)
        if counts[name] > 1 and is_default and not spec.startswith(EXTERNAL):
            name = f"{name}#{counts[name]}"
        if name in found:
            raise ValueError(f"two bots are named {name}")
        try:
            decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))  # checks the name
        except ValueError as error:
            raise ValueError(f"bot {bot!r}: {error}") from None
        found[name] = spec
    return found


def default_name(spec: str, bot_files: Path | None = None) -> str:
    """Return the name of a bot that is given none. Raises ValueError for an invalid command."""
    if spec.startswith((COMMAND, STDIO, PROGRAM)):
        return PurePath(command_words(spec, bot_files)[0]).name
    if spec.startswith(PYTHON):
        return spec.rpartition(":")[2]
    return spec.removeprefix(EXTERNAL)


def is_builtin(spec: str) -> bool:
    """Return whether a bot is run by the code of the arena, as users' Python classes are too.

    The end of such a bot before its first match is a fault of its specification.
    """
    return not spec.startswith((EXTERNAL, COMMAND, STDIO, PROGRAM))


def is_deterministic(spec: str) -> bool:
    """Return whether a bot always makes the same move in a position, time permitting."""
    return spec != "random" and BUILTIN.fullmatch(spec) is not None


def check_in_process(bots: Mapping[str, str]) -> None:
    """Check that all bots can play in process.

    Args:
        bots: The specification of each bot, by name.

    Raises:
        ValueError: A bot needs a connection.
    """
    for name, spec in bots.items():
        if spec.startswith((COMMAND, EXTERNAL)):
            reason = "there is no server to connect to"
            hint = " (stdio:COMMAND runs a program that reads and writes lines)"
            hint = hint if spec.startswith(COMMAND) else ""
            raise ValueError(f"bot {name} cannot play in process: {spec!r}, {reason}{hint}")


def parse_house_bots(bots: Sequence[str], games: Collection[str]) -> dict[str, str]:
    """Return the specification of each house bot by its name, without those that play no game.

    Args:
        bots: Specifications, each with an optional name.
        games: The names of the games that are played.

    Raises:
        ValueError: A specification or a name is invalid, or a bot cannot be a house bot.
    """
    found = parse_bots(bots)
    for spec in found.values():
        if not BUILTIN.fullmatch(spec) and not spec.startswith(PROGRAM):
            raise ValueError(
                f"unknown bot {spec!r} (choose from random, greedy, spec:DEPTH, perfect,"
                " program:COMMAND)"
            )
    return {name: spec for name, spec in found.items() if supported_games(spec, games)}


def supported_games(spec: str, games: Collection[str]) -> list[str]:
    """Return those of the games that a house bot can play."""
    return [game for game in games if not _missing_part(spec, game)]


def check_playable(bots: Mapping[str, str], game: str) -> None:
    """Check that all bots can play a game, as far as the arena knows them.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game.

    Raises:
        ValueError: A bot needs a part that the game lacks.
    """
    for name, spec in bots.items():
        if missing := _missing_part(spec, game):
            raise ValueError(f"bot {name} cannot play {game}, which has no {missing}")


def _missing_part(spec: str, game: str) -> str | None:
    """Return the part of a game that a bot needs and the game lacks, if there is one.

    As `missing_part` in bots/__main__.py, but before there is a strategy: the arena knows a bot by
    its specification alone.
    """
    if spec.startswith(PROGRAM) and not GAMES[game].program:
        return "format of programs"
    kind, _, depth = spec.partition(":")
    if kind == "perfect" and not GAMES[game].solver:
        return "solver"
    searches_to_the_end = depth and not depth.strip("0")
    if kind == "spec" and not searches_to_the_end and not GAMES[game].evaluate:
        return "evaluation"
    return None


def command_words(spec: str, bot_files: Path | None = None) -> list[str]:
    """Return the words of a bot's command line.

    Args:
        spec: The specification of a program.
        bot_files: The folder that it runs in, unless it is of cmd:; None is the working directory.

    Raises:
        ValueError: The command is invalid, or there is no such program.
    """
    try:
        words = shlex.split(spec.partition(":")[2])
    except ValueError as error:
        raise ValueError(f"bot {spec!r}: {error}") from None
    folder = Path() if spec.startswith(COMMAND) else bot_files or Path()
    while spec.startswith(PROGRAM) and words and PROGRAM_OPTION.fullmatch(words[0]):
        option, _, value = words.pop(0).partition("=")
        folder = folder / value if option == "in" else folder
    if not words:
        raise ValueError(f"bot {spec!r}: no command")
    if not find_program(words[0], folder):
        raise ValueError(f"bot {spec!r}: program {words[0]!r} not found")
    return words


def program_in(folder: Path, command: Sequence[str]) -> str:
    """Return the specification of a program that runs in a folder, and sees no other."""
    return PROGRAM + shlex.join([f"in={folder}", *command])


def _split(bot: str, bot_files: Path | None) -> tuple[str, str]:
    """Return name and specification; an equals sign after a colon belongs to a command."""
    name, equals, spec = bot.partition("=")
    if not equals or ":" in name:
        return default_name(bot, bot_files), bot
    own_name = default_name(spec, bot_files)
    if spec.startswith(EXTERNAL) and name != own_name:
        raise ValueError(f"bot {bot!r}: an external bot keeps its own name, {own_name}")
    return name, spec
