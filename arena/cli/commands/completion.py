"""Command `arena completion`: the script by which a shell completes the commands of the arena."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.cli.arguments import DEFAULT_OFFERS, game_name
from arena.cli.parser import parser
from arena.cli.shared_options import Command
from arena.options import argument
from core import GAMES

SHELLS = ("bash", "zsh", "fish", "tcsh")


@dataclass(frozen=True)
class CompletionConfig(Command):
    """Options of `arena completion`."""

    command: ClassVar[str] = "completion"
    shell: str = argument(", ".join(SHELLS), choices=SHELLS, metavar="SHELL")

    def run(self) -> int:
        """Print the script for a shell and return the exit status.

        Raises:
            OSError: Standard output cannot be written.
        """
        import shtab

        command = parser()
        for action in _actions(command):
            if action.metavar == "DIR":
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
            elif action.type is Path or action.metavar == "FILE":
                action.complete = shtab.FILE  # type: ignore[attr-defined]
            elif action.type is game_name:
                action.choices = [*GAMES]
            elif action.metavar == "BOT":
                action.choices = DEFAULT_OFFERS
        print(shtab.complete(command, self.shell))
        return 0


def _actions(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a command and of its subcommands."""
    for action in command._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from _actions(part)
