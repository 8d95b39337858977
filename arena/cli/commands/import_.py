"""Command `arena import`: records as text, into a new or an existing database."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.cli.arguments import UsageError
from arena.cli.configuration import ImportConfig
from arena.line_file import read_lines
from arena.reports.text import counted
from arena.storage import jsonl, pgn
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import MergeConflict, Source, add_matches
from arena.storage.writer import create_database
from arena.tournament.plan import Plan

PARSERS = {"pgn": pgn.parse, "jsonl": jsonl.parse}


def run(config: ImportConfig) -> int:
    """Create or fill a database and return the exit status; after an error nothing has changed.

    Raises:
        UsageError: The format is unknown, the database belongs to a tournament, or the file is
            invalid.
        DatabaseError: The database cannot be read or written.
        OSError: The database cannot be created.
    """
    path = config.file
    chosen = config.format or path.suffix[1:].lower()
    if chosen not in PARSERS:
        known = " or ".join(f".{name}" for name in PARSERS)
        raise UsageError(f"{path} does not end in {known}: pass --format")
    try:
        if config.db.exists():
            message = _add(config.db, chosen, path)
        else:
            count = _fill(config.db, chosen, path)
            message = f"{counted(count, 'match', 'matches')} in {config.db}"
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    print(message, flush=True)
    return 0


def _add(db: Path, chosen: str, path: Path) -> str:
    """Add the matches to an existing database and describe them. Raises ValueError, and as `run`.

    Their numbers belong to a plan, which this database does not have.
    """
    with DatabaseReader(db) as records:
        if records.plan() is not None:
            raise UsageError(f"{db} holds a tournament: import the records into another database")
    with TemporaryDirectory(dir=db.parent) as folder:
        imported = Path(folder) / "imported.db"
        _fill(imported, chosen, path)
        try:
            added, stored = add_matches(db, Source(imported, keeps_numbers=False))
        except MergeConflict as conflict:
            raise ValueError(
                f"match {conflict.theirs} is match {conflict.ours} of {db} with another result"
            ) from None
    known = f", {counted(stored, 'other was', 'others were')} stored before" if stored else ""
    return f"{counted(added, 'match', 'matches')} added to {db}{known}"


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
        if plan is None and not count:
            raise ValueError("no matches found")
    return count


def _check_plan(plan: str) -> None:
    try:
        Plan.from_json(plan)
    except ValueError as error:
        raise ValueError(f"line 1: {error}") from None


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file. Raises UsageError."""
    try:
        yield from read_lines(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # a parser would put another number in front
        raise UsageError(f"{path}: {error}") from None
