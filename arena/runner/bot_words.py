"""Words that start the process of a bot, and the sandbox of a user's program."""

import sys
from collections.abc import Iterable, Sequence

from arena.runner.bot_spec import COMMAND, PROGRAM, STDIO, missing_part
from arena.sandbox.sandbox import UNPROTECTED, Policy, Sandbox
from core.game_families import SEPARATOR


def bot_words(spec: str, policy: Policy | None) -> list[str]:
    """Return the words that start a bot of the package `bots`, without its connection.

    Args:
        spec: The specification of the bot.
        policy: The sandbox of users' programs; None leaves the choice to the bot.
    """
    # -P: ignore a folder called bots in the working directory.
    words = [sys.executable, "-P", "-m", "bots", spec, "--until-eof"]
    return [*words, "--sandbox", policy] if policy and spec.startswith((STDIO, PROGRAM)) else words


def game_words(spec: str, games: Sequence[str]) -> list[str]:
    """Return the words that name the games of a bot; none if it announces them by itself.

    A bot announces all registered games that it can play, but no game of a family.

    Args:
        spec: The specification of the bot.
        games: The names of the games that the arena plays.
    """
    playable = [game for game in games if not missing_part(spec, game)]
    return ["--games", *playable] if any(SEPARATOR in game for game in playable) else []


def command_sandbox(spec: str, policy: Policy | None) -> Sandbox:
    """Return the sandbox of a bot's process.

    A program of cmd: is that process. The other programs are started by it.
    """
    if policy is None or not spec.startswith(COMMAND):
        return UNPROTECTED
    return Sandbox.of(policy)


def programs_sandbox(specs: Iterable[str], policy: Policy | None) -> Sandbox:
    """Return the sandbox of the programs among bots.

    Args:
        specs: The specifications of the bots.
        policy: The sandbox of users' programs; None isolates those of program: alone.

    Raises:
        SandboxUnavailable: The policy requires bubblewrap, which does not work here.
    """
    confined = (PROGRAM,) if policy is None else (PROGRAM, STDIO, COMMAND)
    if not any(spec.startswith(confined) for spec in specs):
        return UNPROTECTED
    return Sandbox.of(policy or Policy.AUTO)
