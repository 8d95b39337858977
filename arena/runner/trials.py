"""Trials: bots that are not built in are created once before a tournament in process starts."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from arena.runner.bot_words import bot_words
from arena.runner.named_bots import NO_FOLDERS, Bots
from arena.runner.processes import Process
from arena.sandbox.sandbox import Policy
from bots.specification import BUILT_IN, USERS_CODE, BotSpec

TRIAL_SECONDS = 60.0  # timeout for all bots together


def find_invalid_bot(
    bots: Bots,
    game: str,
    bot_files: Path | None,
    sandbox: Policy | None = None,
    folders: Mapping[str, Path] = NO_FOLDERS,
) -> str | None:
    """Create each bot in a child process, as it has the code of a user.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game that the bots are to play.
        bot_files: The folder of users' modules and programs; None is the working directory.
        sandbox: The sandbox of users' programs; None isolates only program: bots.
        folders: The folders of bots that have another one, by name.

    Returns:
        The failure of the first bot that cannot be created; None if all can.
    """
    deadline = time.monotonic() + TRIAL_SECONDS
    with ExitStack() as stack:
        trials = []
        placed = [(spec, folders.get(name, bot_files)) for name, spec in bots.items()]
        for spec, folder in dict.fromkeys(placed):
            if spec.kind not in BUILT_IN:
                trial = Process(spec.text, _command(spec, game, folder, sandbox), {})
                trial.request_stop()  # bots must not wait for input
                stack.callback(trial.end)
                trials.append(trial)
        for trial in trials:
            trial.wait(deadline - time.monotonic())
            if trial.status is None:
                return f"bot {trial.name!r} was not created within {TRIAL_SECONDS:g} s"
            if trial.status:
                trial.end()  # now all of its output has been read
                failure = str(trial.failure)
                named = repr(trial.name) in failure
                return failure if named else f"bot {trial.name!r}: {failure}"
    return None


def _command(spec: BotSpec, game: str, bot_files: Path | None, sandbox: Policy | None) -> list[str]:
    words = [*bot_words(spec, sandbox), "--games", game, "--dry-run"]
    if bot_files and spec.kind in USERS_CODE:
        return [*words, "--bot-files", str(bot_files)]
    return words
