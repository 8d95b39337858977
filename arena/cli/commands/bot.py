"""Command `arena bot`: a bot that connects to an arena and plays there."""

from dataclasses import replace

from arena.cli.arguments import UsageError
from arena.cli.configuration import BotConfig
from arena.cli.output import notify
from arena.runner.named_bots import parse_bots
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
        is_named = "=" in config.bot.partition(":")[0]
        given = config.bot if is_named or not config.name else f"{config.name}={config.bot}"
        (name, spec), *others = parse_bots([given], config.bot_files).items()
        if others:
            raise ValueError(f"one bot is needed, not those of {config.bot!r}")
        if name != spec.default_name:
            if config.name not in {None, name}:
                raise ValueError(f"--name {config.name} cannot be combined with bot {config.bot!r}")
            config = replace(config, name=name)
        config = replace(config, bot=spec.text)
        client, program = create_client(config, ignore if config.quiet else notify)
    except (ValueError, ProgramFailed) as error:
        raise UsageError(str(error)) from None
    return run_until_done(client, program, notify)
