"""Flags of tournaments that are extended or played in parts, of their tags, and of merging."""

import argparse
import re
from pathlib import Path

from arena.cli.arguments import UsageError
from arena.cli.flags import Flags
from arena.storage.record import check_tag
from arena.tournament.schedule import WHOLE, Part

PART = re.compile(r"(\d{1,4})/(\d{1,4})", re.ASCII)


def add_runs(command: Flags) -> None:
    """Add the flags of a tournament that is extended or played in parts."""
    command.add_argument(
        "--extend",
        action="store_true",
        help="extend the tournament of --db: more --rounds, and bots after the stored ones",
    )
    command.add_argument(
        "--part",
        type=parse_part,
        default=WHOLE,
        metavar="K/N",
        help="play only part K of N of a round robin or a gauntlet, for arena merge",
    )


def add_tags(command: Flags) -> None:
    """Add the flags of the tags of a tournament."""
    command.add_argument("--event", metavar="NAME", help="tag Event of the records")
    command.add_argument("--site", metavar="NAME", help="tag Site of the records")


def add_merge(command: Flags) -> None:
    """Add the arguments of `arena merge`."""
    command.add_argument("db", type=Path, nargs="+", metavar="DB", help="databases to merge")
    command.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="database to create"
    )
    command.add_argument(
        "--independent",
        action="store_true",
        help="merge the matches of different tournaments, without their plans",
    )


def parse_part(text: str) -> Part:
    """Return the part that "1/3" means.

    Raises:
        ArgumentTypeError: The text has another form, or there is no such part.
    """
    found = PART.fullmatch(text)
    part = Part(*map(int, found.groups())) if found else None
    if not part or not 1 <= part.number <= part.total:
        raise argparse.ArgumentTypeError(f"{text!r} is not a part such as 1/3, up to 3/3")
    return part


def tags_of(event: str | None, site: str | None) -> dict[str, str]:
    """Return the tags of a tournament. Raises UsageError."""
    tags = {"Event": event, "Site": site}
    given = {name: value for name, value in tags.items() if value is not None}
    for name, value in given.items():
        try:
            check_tag(name, value)
        except ValueError as error:
            raise UsageError(f"--{name.lower()}: {error}") from None
    return given
