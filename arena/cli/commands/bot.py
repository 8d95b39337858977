"""Command `arena bot`: a bot that connects to an arena and plays there."""

from dataclasses import dataclass, replace
from typing import ClassVar

from arena.cli.arguments import UsageError
from arena.cli.output import notify
from arena.cli.shared_options import Command
from arena.options import switch
from arena.runner.named_bots import parse_bots
from bots.arguments import BotOptions
from bots.client import ProgramFailed, ignore
from bots.playing import create_client, run_until_done


@dataclass(frozen=True)
class BotConfig(BotOptions, Command):
    """Options of `arena bot`."""

    command: ClassVar[str] = "bot"
    quiet: bool = switch("print no line for connections and results")

    def run(self) -> int:
        """Play until the arena is done, and return the exit status.

        Returns:
            0, or 1 if the arena refuses the bot or the code of a user fails.

        Raises:
            UsageError: An option is invalid, or the bot cannot be created.
        """
        try:
            is_named = "=" in self.bot.partition(":")[0]
            given = self.bot if is_named or self.name is None else f"{self.name}={self.bot}"
            (name, spec), *others = parse_bots([given], self.bot_files).items()
            if others:
                raise ValueError(f"one bot is needed, not those of {self.bot!r}")
            if name != spec.default_name:
                if self.name not in {None, name}:
                    raise ValueError(f"--name {self.name} cannot be combined with bot {self.bot!r}")
                self = replace(self, name=name)
            self = replace(self, bot=spec.text)
            client, program = create_client(self, ignore if self.quiet else notify)
        except (ValueError, ProgramFailed) as error:
            raise UsageError(str(error)) from None
        return run_until_done(client, program, notify)
