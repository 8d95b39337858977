"""Command `arena bot`: a bot that connects to an arena and plays there."""

import asyncio
from contextlib import closing, nullcontext

from arena.cli.arguments import UsageError
from arena.cli.configuration import BotConfig
from arena.cli.output import notify
from bots.client import ConnectionRejected, ignore
from bots.playing import create_client, play
from bots.python_bot import BotFailed
from bots.stdio import ProgramFailed


def run(config: BotConfig) -> int:
    """Play until the arena is done, and return the exit status.

    Returns:
        0, or 1 if the arena refuses the bot or the code of a user fails.

    Raises:
        UsageError: An option is invalid, or the bot cannot be created.
    """
    try:
        client, program = create_client(config, ignore if config.quiet else notify)
    except (ValueError, ProgramFailed) as error:
        raise UsageError(str(error)) from None
    try:
        with closing(program) if program else nullcontext():
            asyncio.run(play(client, False, program))
    except (BotFailed, ConnectionRejected, ProgramFailed) as error:
        notify(str(error))
        return 1
    return 0
