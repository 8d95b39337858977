"""Command `arena merge`: a database from several databases."""

import json
from collections.abc import Sequence
from pathlib import Path

from arena.cli.arguments import UsageError
from arena.cli.configuration import MergeConfig
from arena.reports.text import counted
from arena.storage.merge import Source, merge_databases
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import Plan, describe_differences
from arena.tournament.sweep import is_sweep


def run(config: MergeConfig) -> int:
    """Create a database from others, or after an error nothing, and return the exit status.

    Raises:
        UsageError: The databases cannot be merged, or the output exists.
        DatabaseError: A database cannot be read or written.
        OSError: The output cannot be created.
    """
    if config.output.exists():
        raise UsageError(f"{config.output} exists already")
    _check_different(config.db)
    plans = [_plan(path) for path in config.db]
    plan = None if config.independent else plans[0]
    if not config.independent:
        _check_equal(config.db, plans)
    sources = [
        Source(path, keeps_numbers=plan is not None, event=None if plan else path.stem)
        for path in config.db
    ]
    try:
        copied = merge_databases(config.output, plan, sources)
    except ValueError as error:
        raise UsageError(str(error)) from None
    repeated = f", {copied.stored} of them more than once" if copied.stored else ""
    print(f"{counted(copied.added, 'match', 'matches')} in {config.output}{repeated}", flush=True)
    return 0


def _check_different(paths: Sequence[Path]) -> None:
    for index, path in enumerate(paths):
        if path.exists() and any(other.samefile(path) for other in paths[:index]):
            raise UsageError(f"{path} is given more than once")
    if len(paths) < 2:
        raise UsageError(f"expected at least 2 databases, got {len(paths)}")


def _plan(path: Path) -> str | None:
    """Return the plan in a database, with the fields of this version. Raises DatabaseError."""
    with DatabaseReader(path) as records:
        text, plan = records.plan(), records.decoded_plan()
    return plan.to_json() if isinstance(plan, Plan) else text


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
    if is_sweep(one) != is_sweep(two):
        return f"{paths[0] if is_sweep(one) else paths[1]} holds a sweep"
    return "; ".join(describe_differences(json.loads(one), json.loads(two), paths))
