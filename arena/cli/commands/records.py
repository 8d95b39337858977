"""Commands `arena export` and `arena import`: records of a database as text or Parquet."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, ClassVar, NamedTuple

from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, alternatives, writable
from arena.cli.output import atomic_file
from arena.cli.shared_options import Command
from arena.line_file import read_lines
from arena.model.results import MatchRecord
from arena.model.timestamps import format_timestamp
from arena.model.visible import visible, visible_lines
from arena.options import argument, option
from arena.reports.csv import csv_line
from arena.reports.text import counted
from arena.storage import jsonl, pgn
from arena.storage.parquet import write_parquet
from arena.storage.reader import DatabaseReader
from arena.storage.record import ROSTER
from arena.storage.rewriting import MergeConflict, Source, add_matches
from arena.storage.writer import create_database
from arena.tournament.plan import Plan

COLUMNS = (
    "id",
    "number",
    "game",
    "setup",
    "opening",
    "player1",
    "player2",
    "winner",
    "termination",
    "reason",
    "time_control",
    "started",
    "finished",
    "charged1",  # seconds charged to player 1 in total
    "charged2",
    *("credit1", "credit2"),  # seconds credited in total
    "moves",
    "casual",  # yes, or empty
    *("event", "site", "round"),  # the tags, or empty
)


PARQUET = "parquet"
PARSERS = {"pgn": pgn.parse, "jsonl": jsonl.parse}


@dataclass(frozen=True)
class ExportConfig(Command):
    """Options of `arena export`."""

    command: ClassVar[str] = "export"
    db: Path = shared.database()
    format: str | None = option(
        "output format (default: by the suffix of FILE, else pgn)",
        choices=["pgn", "jsonl", "csv", "parquet"],
    )
    output: Path | None = option(
        "file to write (default: standard output)", metavar="FILE", convert=writable
    )

    @property
    def chosen_format(self) -> str:
        """The output format."""
        suffix = self.output.suffix[1:].lower() if self.output else ""
        by_suffix = suffix if suffix in (*FORMATS, PARQUET) else next(iter(FORMATS))
        return self.format or by_suffix

    def check(self) -> None:
        """Check what Parquet needs. Raises UsageError."""
        if self.chosen_format == PARQUET:
            if not self.output:
                raise UsageError(f"--format {PARQUET} requires --output FILE")
            if not find_spec("pyarrow"):
                raise UsageError(f"--format {PARQUET} requires pyarrow: pip install pyarrow")

    def run(self) -> int:
        """Write the matches of a database and return the exit status.

        Raises:
            UsageError: The output file cannot be replaced.
            DatabaseError: The database cannot be read.
            OSError: The output cannot be written.
        """
        output = self.output
        with DatabaseReader(self.db) as records:
            if output and self.chosen_format == PARQUET:
                with atomic_file(output, self.db) as file:
                    write_parquet(file, records.plan(), records.matches(moves=True))
                return 0
            chosen = FORMATS[self.chosen_format]
            if output:
                with atomic_file(output, self.db) as file:
                    _write(_pieces(records, chosen), file)
            else:
                for _ in _pieces(records, chosen):
                    pass  # damage is found before anything is written
                shown = visible_lines if sys.stdout.isatty() else str
                _write(map(shown, _pieces(records, chosen)), sys.stdout.buffer)
        return 0


class Format(NamedTuple):
    """Text format: header, and writers of a plan and of a match."""

    head: str
    plan: Callable[[str], str]
    match: Callable[[MatchRecord], str]


def _write(pieces: Iterable[str], out: BinaryIO) -> None:
    for piece in pieces:
        out.write(piece.encode())
    out.flush()


def _pieces(records: DatabaseReader, chosen: Format) -> Iterator[str]:
    yield chosen.head
    if (plan := records.plan()) is not None:
        yield chosen.plan(plan)
    for record in records.matches(moves=True):
        yield chosen.match(record)


def _csv_match(record: MatchRecord) -> str:
    pairing, result = record.pairing, record.result
    cells = [
        record.id,
        pairing.number,
        pairing.game,
        " ".join(f"{name}={value}" for name, value in pairing.setup.items()),
        " ".join(map(str, pairing.opening)),
        *pairing.players,
        result.winner,
        result.termination,
        result.reason,
        record.time_control,
        format_timestamp(record.started_at),
        format_timestamp(record.finished_at),
        *record.total_seconds("charged"),
        *record.total_seconds("credit"),
        " ".join(str(played.move) for played in record.moves),
        pgn.YES if pairing.casual else None,
        *map(record.tags.get, ROSTER),
    ]
    return csv_line(cells)


FORMATS = {
    "pgn": Format("", pgn.format_plan, pgn.format_record),
    "jsonl": Format("", jsonl.format_plan, jsonl.format_record),
    "csv": Format(csv_line(COLUMNS), lambda _: "", _csv_match),
}


@dataclass(frozen=True)
class ImportConfig(Command):
    """Options of `arena import`."""

    command: ClassVar[str] = "import"
    file: Path = argument("file of records in pgn or jsonl format", metavar="FILE")
    db: Path = argument("database to create or to fill", metavar="DB")
    format: str | None = option(
        "input format (default: by the suffix of FILE)", choices=["pgn", "jsonl"]
    )

    @property
    def chosen_format(self) -> str:
        """The input format, which may be unknown."""
        return self.format or self.file.suffix[1:].lower()

    def check(self) -> None:
        """Check that the format is known. Raises UsageError."""
        chosen = self.chosen_format
        if chosen in PARSERS:
            return
        if chosen in (*FORMATS, PARQUET):
            known = " and ".join(PARSERS)
            raise UsageError(f"{self.file}: {chosen} cannot be imported, only {known}")
        known = alternatives([f".{name}" for name in PARSERS])
        raise UsageError(f"{self.file} does not end in {known}: pass --format")

    def run(self) -> int:
        """Create or fill a database and return the exit status; after an error nothing has changed.

        Raises:
            UsageError: The database belongs to a tournament, or the file is invalid.
            DatabaseError: The database cannot be read or written.
            OSError: The database cannot be created.
        """
        path, chosen = self.file, self.chosen_format
        try:
            if self.db.exists():
                message = _add(self.db, chosen, path)
            else:
                count = _fill(self.db, chosen, path)
                message = f"{counted(count, 'match', 'matches')} in {self.db}"
        except ValueError as error:
            raise UsageError(f"{path}: {error}") from None
        print(visible(message))
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
