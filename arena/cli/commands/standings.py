"""Command `arena standings`: standings and ratings of a database."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError
from arena.cli.results import print_standings
from arena.cli.shared_options import Command
from arena.options import option, switch
from arena.ratings import Anchor


@dataclass(frozen=True)
class StandingsConfig(Command):
    """Options of `arena standings`."""

    command: ClassVar[str] = "standings"
    db: Path = shared.database()
    json: bool = switch("print the standings as JSON")
    anchor: Anchor | None = shared.anchor()
    los: bool = switch("print the likelihood of superiority of each pair of bots")
    bot: str | None = option(
        "bot whose results against each other bot are listed, instead of the crosstable",
        metavar="NAME",
    )
    names: bool = switch("list the names of the submissions of an anonymous tournament")

    def check(self) -> None:
        """Check what the options mean together. Raises UsageError."""
        if self.bot is not None and self.json:
            raise UsageError(
                "--bot cannot be combined with --json, which has the results of all bots"
            )

    def run(self) -> int:
        """Print the standings and return the exit status."""
        print_standings(
            self.db,
            self.anchor,
            as_json=self.json,
            bot=self.bot,
            has_los=self.los,
            has_names=self.names,
        )
        return 0
