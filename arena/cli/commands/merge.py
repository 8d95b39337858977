"""Command `arena merge`: a database from several databases."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.cli.arguments import UsageError, check_output, database_to_write
from arena.cli.output import notify
from arena.cli.shared_options import Command
from arena.model.time_control import VERSUS
from arena.model.visible import visible
from arena.options import argument, option, switch
from arena.reports.text import counted, listed_bots
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import Source, merge_databases
from arena.tournament.plan import describe_differences


@dataclass(frozen=True)
class MergeConfig(Command):
    """Options of `arena merge`."""

    command: ClassVar[str] = "merge"
    db: tuple[Path, ...] = argument("databases to merge", metavar="DB")
    output: Path = option(
        "database to create", required=True, metavar="FILE", convert=database_to_write
    )
    independent: bool = switch("merge the matches of different tournaments, without their plans")

    def check(self) -> None:
        """Check the number of databases. Raises UsageError."""
        if len(self.db) < 2:
            raise UsageError(f"expected at least 2 databases, got {len(self.db)}")

    def run(self) -> int:
        """Create a database from others, or after an error nothing, and return the exit status.

        Raises:
            UsageError: The databases cannot be merged, or the output exists.
            DatabaseError: A database cannot be read or written.
            OSError: The output cannot be created.
        """
        if self.output.exists():
            raise UsageError(f"{self.output} exists already")
        for path in self.db:
            check_output(self.output, path)
        _check_different(self.db)
        plans = [_plan(path) for path in self.db]
        plan = None if self.independent else plans[0]
        if not self.independent:
            _check_equal(self.db, plans)
        warnings = [] if plan else [*_ambiguous_names(self.db)]
        sources = [
            Source(path, keeps_numbers=plan is not None, event=None if plan else path.stem)
            for path in self.db
        ]
        try:
            copied = merge_databases(self.output, plan, sources)
        except ValueError as error:
            raise UsageError(str(error)) from None
        for warning in warnings:
            notify(f"warning: {warning}")
        repeated = f", {copied.stored} of them more than once" if copied.stored else ""
        added = counted(copied.added, "match", "matches")
        print(visible(f"{added} in {self.output}{repeated}"))
        return 0


def _check_different(paths: Sequence[Path]) -> None:
    for index, path in enumerate(paths):
        if path.exists() and any(other.samefile(path) for other in paths[:index]):
            raise UsageError(f"{path} is given more than once")


def _ambiguous_names(paths: Sequence[Path]) -> Iterator[str]:
    """Yield a warning for the names with several programs, or with several time controls.

    Raises:
        DatabaseError: A database cannot be read.
    """
    programs: dict[str, dict[str, Path]] = defaultdict(dict)  # with the first database of each
    controls: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in paths:
        with DatabaseReader(path) as records:
            plan = records.decoded_plan()
            for name, text in plan.bots.items() if plan else ():
                programs[name].setdefault(text, path)
            for *players, text in records.time_controls():
                one, _, two = text.partition(VERSUS)
                for name, control in zip(players, (one, two or one), strict=True):
                    controls[name].setdefault(control, path)
    for noun, found in (("program", programs), ("time control", controls)):
        names_of: dict[tuple[tuple[str, Path], ...], list[str]] = defaultdict(list)
        for name, meanings in found.items():
            names_of[tuple(meanings.items())].append(name)
        for places_of, names in names_of.items():
            if len(places_of) > 1:
                places = ", ".join(f"{text} in {path}" for text, path in places_of)
                yield (
                    f"one rating of {listed_bots(names)} for more than one {noun}: {places}"
                    " (arena rename tells them apart)"
                )


def _plan(path: Path) -> str | None:
    """Return the plan in a database, with the fields of this version. Raises DatabaseError."""
    with DatabaseReader(path) as records:
        plan = records.decoded_plan()
    return plan.to_json() if plan else None


def _check_equal(paths: Sequence[Path], plans: Sequence[str | None]) -> None:
    """Check that all databases have the same plan, or none has one. Raises UsageError."""
    for path, plan in zip(paths[1:], plans[1:], strict=True):
        if plan != plans[0]:
            difference = _difference(plans[0], plan, (f"{paths[0]}", f"{path}"))
            raise UsageError(
                f"different tournaments; {difference} (--independent merges their matches alone)"
            )


def _difference(one: str | None, two: str | None, paths: tuple[str, str]) -> str:
    if one is None or two is None:
        return f"{paths[0] if one is None else paths[1]} has no plan"
    return "; ".join(describe_differences(json.loads(one), json.loads(two), paths))
