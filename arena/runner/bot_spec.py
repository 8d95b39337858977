"""Specifications of bots as an organiser writes them: [NAME=]BOT."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePath
from types import MappingProxyType

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.sandbox.visible_paths import find_program
from core import GAMES

EXTERNAL = "external:"  # a bot that connects by itself
COMMAND = "cmd:"  # a program that connects when it is started
STDIO = "stdio:"  # a program that reads and writes lines
PYTHON = "python:"  # a class of a user
PROGRAM = "program:"  # a program of the assignment, started for each move
OPENSPIEL = "openspiel:"  # a bot of OpenSpiel, which may not be installed
USERS_CODE = (PYTHON, STDIO, PROGRAM)  # which is in the folder of bot files
PYTHON_CLASS = re.compile(r"python:[^:]+:[^:]+")
PROGRAM_OPTION = re.compile(r"(?:in|cd)=.+|depth=\d+", re.ASCII)  # in front of its command
NO_FOLDERS: Mapping[str, Path] = MappingProxyType({})
NODES = re.compile(r"@nodes=[1-9]\d{0,14}", re.ASCII)  # of a bot that searches
BUILTIN = re.compile(
    rf"random|greedy|(?:spec:\d+|strong(?::\d+)?)(?:{NODES.pattern})?|perfect", re.ASCII
)
OPENSPIEL_BOT = re.compile(r"openspiel:mcts:[1-9]\d{0,5}", re.ASCII)  # with its simulations
SEARCHING = "spec"  # over a connection also without its depth
STRONG = "strong"
FORMS = {
    "random": "random",
    "greedy": "greedy",
    SEARCHING: "spec:DEPTH[@nodes=N]",
    STRONG: "strong[:DEPTH][@nodes=N]",
    "perfect": "perfect",
    "openspiel": "openspiel:mcts:SIMULATIONS",
    "python": "python:MODULE:CLASS",
    "stdio": "stdio:COMMAND",
    "program": "program:COMMAND",
    "cmd": "cmd:COMMAND",
    "external": "external:NAME",
}  # by the word in front of a colon


def parse_bots(
    bots: Sequence[str], bot_files: Path | None = None, folders: Mapping[str, Path] = NO_FOLDERS
) -> dict[str, str]:
    """Return the specification of each bot by its name, which is made unique by a number.

    Args:
        bots: Specifications, each with an optional name.
        bot_files: The folder that programs run in, but those of cmd:; None is the working
            directory.
        folders: The folders of single bots, by name, which replace that.

    Raises:
        ValueError: A specification or a name is invalid, or two bots have the same name.
    """
    counts: Counter[str] = Counter()
    found: dict[str, str] = {}
    for bot in bots:
        name, spec = _split(bot)
        counts[name] += 1
        is_default = name == default_name(spec)
        if counts[name] > 1 and is_default and not spec.startswith(EXTERNAL):
            name = f"{name}#{counts[name]}"
        if name in found:
            raise ValueError(f"two bots are named {name}")
        try:
            decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))  # checks the name
        except ValueError as error:
            raise ValueError(f"bot {bot!r}: {error}") from None
        check_kind(spec)
        if spec.startswith((COMMAND, STDIO, PROGRAM)):
            common = None if spec.startswith(COMMAND) else bot_files
            command_words(spec, folders.get(name, common))  # checks that there is the program
        found[name] = spec
    return found


def check_kind(spec: str) -> None:
    """Check that there are bots of the kind of a specification. Raises ValueError."""
    kind, colon, rest = spec.partition(":")
    if BUILTIN.fullmatch(spec) or OPENSPIEL_BOT.fullmatch(spec) or spec == SEARCHING:
        return
    if kind not in FORMS or (":" in FORMS[kind] and not colon):
        raise ValueError(f"unknown bot {spec!r} ({_advice(spec)})")
    if kind in (SEARCHING, STRONG):
        raise ValueError(f"bot {spec!r}: expected a depth in plies, got {rest!r}")
    if ":" not in FORMS[kind]:
        raise ValueError(f"bot {spec!r}: a depth applies to {SEARCHING} and {STRONG} only")
    if kind == "python" and not PYTHON_CLASS.fullmatch(spec):
        raise ValueError(f"bot {spec!r}: expected {FORMS[kind]} such as python:mybot:MyBot")
    if kind == "openspiel":
        raise ValueError(
            f"bot {spec!r}: expected {FORMS[kind]} such as openspiel:mcts:1000, at most 999999"
        )


def _advice(spec: str) -> str:
    """Return the specification that was probably meant, else all that there are."""
    from difflib import get_close_matches  # slow to import

    kind = spec.partition(":")[0]
    near = FORMS.get(kind) or next(
        (FORMS[known] for known in get_close_matches(kind.lower(), FORMS, 1)), None
    )
    if not near and "/" in kind:
        near = f"{STDIO}{spec}"
    return f"did you mean {near!r}?" if near else f"choose from {', '.join(FORMS.values())}"


def default_name(spec: str) -> str:
    """Return the name of a bot that is given none. Raises ValueError for an invalid command."""
    if spec.startswith((COMMAND, STDIO, PROGRAM)):
        return PurePath(_split_command(spec)[1][0]).name
    if spec.startswith(PYTHON):
        return spec.rpartition(":")[2]
    return spec.removeprefix(EXTERNAL)


def is_builtin(spec: str) -> bool:
    """Return whether a bot is run by the code of the arena, as users' Python classes are too.

    The end of such a bot before its first match is a fault of its specification.
    """
    return not spec.startswith((EXTERNAL, COMMAND, STDIO, PROGRAM))


def is_drawn_by_seed(spec: str) -> bool:
    """Return whether a bot of the arena draws its moves, by the seed and the moves before."""
    return spec == "random" or spec.startswith(OPENSPIEL)


def is_deterministic(spec: str) -> bool:
    """Return whether a bot always makes the same move in a position, time permitting."""
    return spec != "random" and BUILTIN.fullmatch(spec) is not None


def is_cut_by_clock(spec: str) -> bool:
    """Return whether a built-in bot searches as long as its clock allows, at most."""
    return spec.startswith((f"{SEARCHING}:", STRONG, OPENSPIEL)) and not NODES.search(spec)


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
        if spec == SEARCHING:
            raise ValueError(f"bot {name}: expected {FORMS[SEARCHING]}, got {spec!r}")


def parse_house_bots(bots: Sequence[str], games: Collection[str]) -> dict[str, str]:
    """Return the specification of each house bot by its name.

    Args:
        bots: Specifications, each with an optional name.
        games: The names of the games that are played.

    Raises:
        ValueError: A specification or a name is invalid, or a bot cannot be a house bot or plays
            none of the games.
    """
    found = parse_bots(bots)
    for name, spec in found.items():
        if not BUILTIN.fullmatch(spec) and not spec.startswith((PROGRAM, OPENSPIEL)):
            raise ValueError(
                f"unknown bot {spec!r} (choose from random, greedy, spec:DEPTH[@nodes=N],"
                f" strong[:DEPTH][@nodes=N], perfect, {FORMS['openspiel']}, program:COMMAND)"
            )
        if not supported_games(spec, games):
            check_playable({name: spec}, next(iter(games)))
    return found


def supported_games(spec: str, games: Collection[str]) -> list[str]:
    """Return those of the games that a house bot can play."""
    return [game for game in games if not missing_part(spec, game)]


def check_playable(bots: Mapping[str, str], game: str) -> None:
    """Check that all bots can play a game, as far as the arena knows them.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game.

    Raises:
        ValueError: A bot needs a part that the game lacks.
    """
    for name, spec in bots.items():
        if missing := missing_part(spec, game):
            raise ValueError(f"bot {name} cannot play {game}, which has no {missing}")


def missing_part(spec: str, game: str) -> str | None:
    """Return the part of a game that a bot needs and the game lacks, if there is one.

    As `missing_part` in bots/__main__.py, but before there is a strategy: the arena knows a bot by
    its specification alone.
    """
    if spec.startswith(PROGRAM) and not GAMES[game].program:
        return "format of programs"
    kind, _, depth = NODES.sub("", spec).partition(":")
    if kind == "perfect" and not GAMES[game].solver:
        return "solver"
    if kind == STRONG and not GAMES[game].strong_search:
        return "strong search"
    searches_to_the_end = depth and not depth.strip("0")
    if kind == "spec" and not searches_to_the_end and not GAMES[game].evaluate:
        return "evaluation"
    return None


def command_words(spec: str, folder: Path | None = None) -> list[str]:
    """Return the words of a bot's command line.

    Args:
        spec: The specification of a program.
        folder: The folder that it runs in; None is the working directory.

    Raises:
        ValueError: The command is invalid, or there is no such program.
    """
    subfolder, words = _split_command(spec)
    place = (folder or Path()) / subfolder
    if not find_program(words[0], place):
        exists = "/" in words[0] and (place / words[0]).is_file()
        problem = "is not executable" if exists else "not found"
        raise ValueError(f"bot {spec!r}: program {words[0]!r} {problem}")
    return words


def _split_command(spec: str) -> tuple[str, list[str]]:
    """Return the folder and the words of a program's command; raise ValueError if it is invalid."""
    try:
        words = shlex.split(spec.partition(":")[2])
    except ValueError as error:
        raise ValueError(f"bot {spec!r}: {error}") from None
    folder = ""
    while spec.startswith(PROGRAM) and words and PROGRAM_OPTION.fullmatch(words[0]):
        option, _, value = words.pop(0).partition("=")
        folder = folder if option == "depth" else str(PurePath(folder, value))
    if not words:
        raise ValueError(f"bot {spec!r}: no command")
    return folder, words


def program_in(folder: Path, command: Sequence[str], inner: str = ".") -> str:
    """Return the specification of a program that sees a folder, and no other.

    Args:
        folder: The folder.
        command: The words that start the program.
        inner: The folder in that one that it runs in.
    """
    options = [f"in={folder}"] + [f"cd={inner}"] * (inner != ".")
    return PROGRAM + shlex.join([*options, *command])


def _split(bot: str) -> tuple[str, str]:
    """Return name and specification; an equals sign after a colon belongs to a command."""
    name, equals, spec = bot.partition("=")
    if not equals or ":" in name or name == f"{STRONG}@nodes":
        return default_name(bot), bot
    own_name = default_name(spec)
    if spec.startswith(EXTERNAL) and name != own_name:
        raise ValueError(f"bot {bot!r}: an external bot keeps its own name, {own_name}")
    return name, spec
