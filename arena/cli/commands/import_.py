"""arena import: a new database of the records in a text."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from arena.cli.arguments import UsageError
from arena.storage import jsonl
from arena.storage import pgn as notation
from arena.storage.writer import create_database

READERS = {"pgn": notation.read, "jsonl": jsonl.read}


def run(arguments: argparse.Namespace) -> int:
    """Make `db` of what is in `file`, in `format` or, if that is None, by its ending.

    Returns the exit status. Raises UsageError, also for what is wrong in the file, and DatabaseError
    and OSError; then there is no database.
    """
    path: Path = arguments.file
    chosen = arguments.format or path.suffix[1:].lower()
    if chosen not in READERS:
        known = " nor ".join(f".{name}" for name in READERS)
        raise UsageError(f"{path} ends neither in {known}: give its --format")
    if arguments.db.exists():
        raise UsageError(f"refused: {arguments.db} exists")
    try:
        count = _fill(arguments.db, chosen, path)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    print(f"{count} match{'' if count == 1 else 'es'} in {arguments.db}", flush=True)
    return 0


def _fill(db: Path, chosen: str, path: Path) -> int:
    """Make the database. Returns the number of matches. Raises ValueError, and as `run` does."""
    plan, numbered = READERS[chosen](_lines(path))
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
    """The lines of a file. Raises UsageError."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield line.decode()
                except UnicodeDecodeError:
                    raise UsageError(f"{path}: line {number}: it is not in UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
