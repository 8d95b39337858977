"""Commands of an operator: `arena token`, `arena ban`, `arena rename` and `arena prune`."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, check_encoding, unix_time
from arena.cli.output import notify
from arena.cli.pseudonyms import names_file, read_names
from arena.cli.shared_options import Command
from arena.model.visible import visible
from arena.options import argument, option
from arena.protocol.player import name_problem
from arena.reports.text import counted
from arena.storage.access import (
    AccessFileError,
    add_ban,
    add_token,
    read_bans,
    read_tokens,
    remove_ban,
    revoke_token,
)
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import remove_matches, rename_player


@dataclass(frozen=True)
class TokenConfig(Command):
    """Options of `arena token`."""

    command: ClassVar[str] = "token"
    action: str = argument(
        "what to do with the tokens",
        actions={
            "add": "create the token of a bot and print it; it cannot be printed again",
            "list": "print the bots that have a token, with the date of its creation",
            "revoke": "revoke the token of a bot",
        },
    )
    tokens: Path = shared.access_file("tokens", "tokens.json")
    name: str | None = argument("name of the bot", required=False, metavar="NAME", not_for="list")

    def run(self) -> int:
        """Apply an action to a token file and return the exit status.

        Raises:
            UsageError: The file or the name is not valid.
            OSError: Standard output cannot be written.
        """
        path, name = self.tokens, self.name or ""
        try:
            match self.action:
                case "add":
                    _add(path, name)
                case "revoke":
                    revoke_token(path, name)
                case _:
                    for name, entry in read_tokens(path).items():
                        print(f"{entry.added}  {name}")
        except AccessFileError as error:
            raise UsageError(str(error)) from None
        return 0


@dataclass(frozen=True)
class BanConfig(Command):
    """Options of `arena ban`."""

    command: ClassVar[str] = "ban"
    action: str = argument(
        "what to do with the bans",
        actions={
            "add": "ban a name or a network; a running arena ends its connections",
            "list": "print the names and networks that are banned, with the date of the ban",
            "remove": "remove the ban of a name or a network",
        },
    )
    bans: Path = shared.access_file("bans", "bans.json")
    entry: str | None = argument(
        "name, address, or network such as 192.0.2.0/24",
        required=False,
        metavar="NAME",
        not_for="list",
    )

    def run(self) -> int:
        """Apply an action to a file of bans and return the exit status.

        Raises:
            UsageError: The file or the entry is not valid.
            OSError: Standard output cannot be written.
        """
        entry = self.entry or ""
        try:
            match self.action:
                case "add":
                    add_ban(self.bans, entry, time.time())
                case "remove":
                    remove_ban(self.bans, entry)
                case _:
                    for entry, ban in read_bans(self.bans).items():
                        print(f"{ban.added}  {entry}")
        except AccessFileError as error:
            raise UsageError(str(error)) from None
        return 0


@dataclass(frozen=True)
class RenameConfig(Command):
    """Options of `arena rename`."""

    command: ClassVar[str] = "rename"
    db: Path = argument("database, also of a running arena", metavar="DB")
    old: str = argument("name to replace", metavar="OLD")
    new: str = argument("name that nobody has", metavar="NEW")

    def check(self) -> None:
        """Check the names. Raises UsageError."""
        check_encoding("name", self.old)
        if problem := name_problem(self.new):
            raise UsageError(f"name {self.new!r:.80}: {problem}")

    def run(self) -> int:
        """Replace a name and return the exit status; after an error nothing has changed.

        Raises:
            UsageError: The old name is a pseudonym already.
            DatabaseError: The database cannot be changed.
            OSError: Standard output cannot be written.
        """
        if self.old in read_names(self.db).values():
            raise UsageError(f"{self.old} is a pseudonym already, in {names_file(self.db)}")
        count = rename_player(self.db, self.old, self.new)
        print(visible(f"{counted(count, 'match', 'matches')} of {self.new} in {self.db}"))
        return 0


@dataclass(frozen=True)
class PruneConfig(Command):
    """Options of `arena prune`; `before` is a Unix time."""

    command: ClassVar[str] = "prune"
    db: Path = argument("database, also of a running arena", metavar="DB")
    before: float = option(
        "remove the matches that ended before: 2030-12-31 or 2030-12-31T20:00, in local time",
        required=True,
        metavar="TIME",
        type=unix_time,
    )

    def run(self) -> int:
        """Remove the matches that ended before a time, and return the exit status.

        Raises:
            DatabaseError: The database cannot be changed.
            OSError: Standard output cannot be written.
        """
        count = remove_matches(self.db, self.before)
        with DatabaseReader(self.db) as records:
            if records.plan() is not None:
                text = "stay: the tournament would play them again"
                notify(f"the results in {self.db} {text}")
        print(visible(f"{counted(count, 'match', 'matches')} removed from {self.db}"))
        return 0


def _add(path: Path, name: str) -> None:
    """Create a token and print it; revoke it if it cannot be printed."""
    token = add_token(path, name, time.time())
    try:
        print(token, flush=True)
    except OSError as error:
        revoke_token(path, name)
        raise OSError(error.errno, error.strerror, "the token, which is revoked") from None
