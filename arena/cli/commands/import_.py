"""Command `arena import`: new database from records as text."""

import json
from collections.abc import Iterator
from pathlib import Path

from arena.cli.arguments import UsageError
from arena.cli.configuration import ImportConfig
from arena.storage import jsonl, pgn
from arena.storage.writer import create_database

PARSERS = {"pgn": pgn.parse, "jsonl": jsonl.parse}


def run(config: ImportConfig) -> int:
    """Create a database and return the exit status; after an error there is no database.

    Raises:
        UsageError: The format is unknown, the database exists, or the file is invalid.
        DatabaseError: The database cannot be written.
        OSError: The database cannot be created.
    """
    path = config.file
    chosen = config.format or path.suffix[1:].lower()
    if chosen not in PARSERS:
        known = " or ".join(f".{name}" for name in PARSERS)
        raise UsageError(f"{path} does not end in {known}: pass --format")
    if config.db.exists():
        raise UsageError(f"{config.db} exists already")
    try:
        count = _fill(config.db, chosen, path)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    print(f"{count} match{'' if count == 1 else 'es'} in {config.db}", flush=True)
    return 0


def _fill(db: Path, chosen: str, path: Path) -> int:
    """Create the database and return the number of matches. Raises ValueError, and as `run`."""
    plan, numbered = PARSERS[chosen](_lines(path))
    count = 0
    with create_database(db) as database:
        if plan is not None:
            _check_plan(plan)
            database.save_plan(plan)
        for line, record in numbered:
            try:
                database.add(record)
            except ValueError as error:
                raise ValueError(f"line {line}: {error}") from None
            count += 1
    return count


def _check_plan(plan: str) -> None:
    try:
        is_plan = isinstance(json.loads(plan), dict)
    except (ValueError, RecursionError):
        is_plan = False
    if not is_plan:
        raise ValueError("line 1: the plan is not a JSON object")


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield line.decode()
                except UnicodeDecodeError:
                    raise UsageError(f"{path}: line {number}: invalid UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
