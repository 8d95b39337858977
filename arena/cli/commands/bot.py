"""Command `arena bot`: a bot that connects to an arena and plays there."""

from arena.cli.arguments import UsageError
from arena.cli.configuration import BotConfig
from arena.cli.output import notify
from bots.client import ignore
from bots.playing import create_client, run_until_done
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
    return run_until_done(client, program, notify)
