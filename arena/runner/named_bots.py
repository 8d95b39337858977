"""Bots as an organiser names them, [NAME=]BOT: whether they can play, and how they start."""

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from arena.protocol.player import name_problem
from arena.sandbox.limits import Policy
from arena.sandbox.sandbox import UNPROTECTED, Sandbox
from bots.specification import BUILT_IN, COMMANDS, FORMS, PROGRAMS, BotSpec, Kind, each_depth
from core import GAMES

NO_FOLDERS: Mapping[str, Path] = MappingProxyType({})
HOUSE_BOTS = (*BUILT_IN, Kind.OPENSPIEL, Kind.PROGRAM)

Bots = Mapping[str, BotSpec]
"""The specification of each bot, by name."""


def parse_bots(
    bots: Sequence[str], bot_files: Path | None = None, folders: Mapping[str, Path] = NO_FOLDERS
) -> dict[str, BotSpec]:
    """Return the specification of each bot by its name, which is made unique by a number.

    Args:
        bots: Specifications, each with an optional name, or with a range of depths.
        bot_files: The folder that programs run in, except cmd:; None is the working directory.
        folders: The folders of single bots, by name, which replace that.

    Raises:
        ValueError: A specification or a name is invalid, or two bots have the same name.
    """
    counts: Counter[str] = Counter()
    found: dict[str, BotSpec] = {}
    for bot in chain.from_iterable(map(each_depth, bots)):
        name, spec = _split(bot)
        counts[name] += 1
        is_default = name == spec.default_name
        if counts[name] > 1 and is_default and spec.kind is not Kind.EXTERNAL:
            name = f"{name}#{counts[name]}"
        if name in found:
            raise ValueError(f"two bots are named {name}")
        if problem := name_problem(name):
            raise ValueError(f"bot {bot!r}: name {name!r}: {problem}")
        if spec.kind in COMMANDS:
            common = None if spec.kind is Kind.CMD else bot_files
            spec.check_program(folders.get(name, common))
        found[name] = spec
    return found


def _split(bot: str) -> tuple[str, BotSpec]:
    """Return name and specification; an equals sign after a colon belongs to a command."""
    name, equals, text = bot.partition("=")
    if not equals or ":" in name or name == f"{Kind.STRONG}@nodes":
        spec = BotSpec.parse(bot)
        return spec.default_name, spec
    spec = BotSpec.parse(text)
    if spec.kind is Kind.EXTERNAL and name != spec.default_name:
        raise ValueError(f"bot {bot!r}: an external bot keeps its own name, {spec.default_name}")
    return name, spec


def check_in_process(bots: Bots) -> None:
    """Check that all bots can play in process. Raises ValueError if one needs a connection."""
    for name, spec in bots.items():
        if spec.kind in (Kind.CMD, Kind.EXTERNAL):
            reason = "there is no server to connect to"
            hint = " (stdio:COMMAND runs a program that reads and writes lines)"
            hint = hint if spec.kind is Kind.CMD else ""
            raise ValueError(f"bot {name} cannot play in process: {spec.text!r}, {reason}{hint}")
        if spec.kind is Kind.SPEC and spec.depth is None:
            raise ValueError(f"bot {name}: expected {FORMS[spec.kind]}, got {spec.text!r}")


def parse_house_bots(bots: Sequence[str], games: Collection[str]) -> dict[str, BotSpec]:
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
        if spec.kind not in HOUSE_BOTS or (spec.kind is Kind.SPEC and spec.depth is None):
            known = ", ".join(FORMS[kind] for kind in HOUSE_BOTS)
            raise ValueError(f"bot {spec.text!r} cannot be a house bot (choose from {known})")
        if not supported_games(spec, games):
            check_playable({name: spec}, next(iter(games)))
    return found


def supported_games(spec: BotSpec, games: Collection[str]) -> list[str]:
    """Return the games that a bot can play, by their names."""
    return [game for game in games if not spec.missing_part(GAMES[game])]


def check_playable(bots: Bots, game: str) -> None:
    """Check that all bots can play a game, as far as the arena knows them.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game.

    Raises:
        ValueError: A bot needs a part that the game lacks.
    """
    for name, spec in bots.items():
        spec.check_playable(GAMES[game], name)


def bot_words(spec: BotSpec, policy: Policy | None) -> list[str]:
    """Return the words that start a bot of the package `bots`, without its connection.

    Args:
        spec: The specification of the bot.
        policy: The sandbox of users' programs; None leaves the choice to the bot.
    """
    # -P: ignore a folder called bots in the working directory.
    words = [sys.executable, "-P", "-m", "bots", spec.text, "--until-eof"]
    return [*words, "--sandbox", policy] if policy and spec.kind in PROGRAMS else words


def game_words(spec: BotSpec, games: Sequence[str]) -> list[str]:
    """Return the words that name the games of a bot; none if the arena names no game.

    Without them it announces all registered games that it can play, which it has to look up among
    the installed packages, and no game of a family.

    Args:
        spec: The specification of the bot.
        games: The names of the games that the arena plays.
    """
    playable = supported_games(spec, games)
    return ["--games", *playable] if playable else []


def command_sandbox(spec: BotSpec, policy: Policy | None) -> Sandbox:
    """Return the sandbox of a bot's process.

    A program of cmd: is that process. The other programs are started by it.
    """
    if policy is None or spec.kind is not Kind.CMD:
        return UNPROTECTED
    return Sandbox.of(policy)


def programs_sandbox(specs: Iterable[BotSpec], policy: Policy | None) -> Sandbox:
    """Return the sandbox of the programs among bots.

    Args:
        specs: The specifications of the bots.
        policy: The sandbox of users' programs; None isolates only program: bots.

    Raises:
        SandboxUnavailable: The policy requires bubblewrap, which does not work here.
    """
    confined = (Kind.PROGRAM,) if policy is None else COMMANDS
    if not any(spec.kind in confined for spec in specs):
        return UNPROTECTED
    return Sandbox.of(policy or Policy.AUTO)
