"""Words that start the process of a bot, and the sandbox of a user's program."""

import sys
from collections.abc import Iterable, Sequence

from arena.runner.named_bots import supported_games
from arena.sandbox.sandbox import UNPROTECTED, Policy, Sandbox
from bots.specification import COMMANDS, PROGRAMS, BotSpec, Kind
from core.game_families import SEPARATOR


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
    """Return the words that name the games of a bot; none if it announces them by itself.

    A bot announces all registered games that it can play, but no game of a family.

    Args:
        spec: The specification of the bot.
        games: The names of the games that the arena plays.
    """
    playable = supported_games(spec, games)
    return ["--games", *playable] if any(SEPARATOR in game for game in playable) else []


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
