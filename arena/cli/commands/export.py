"""Command `arena export`: records of a database as text, or as a Parquet file."""

import errno
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, NamedTuple

from arena.cli.arguments import UsageError
from arena.cli.configuration import ExportConfig
from arena.cli.output import atomic_file
from arena.model.results import MatchRecord
from arena.model.timestamps import format_timestamp
from arena.model.visible import visible_lines
from arena.reports.csv import csv_line
from arena.storage import jsonl, pgn
from arena.storage.parquet import write_parquet
from arena.storage.reader import DatabaseReader
from arena.storage.record import ROSTER

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


class Format(NamedTuple):
    """Text format: header, and writers of a plan and of a match."""

    head: str
    plan: Callable[[str], str]
    match: Callable[[MatchRecord], str]


def run(config: ExportConfig) -> int:
    """Write the matches of a database and return the exit status.

    Raises:
        UsageError: The output file cannot be replaced; or it is missing for Parquet, or pyarrow is.
        DatabaseError: The database cannot be read.
        OSError: The output cannot be written.
    """
    output: Path | None = config.output
    suffix = output.suffix[1:].lower() if output else ""
    by_ending = suffix if suffix in (*FORMATS, PARQUET) else next(iter(FORMATS))
    name = config.format or by_ending
    if name == PARQUET:
        _export_parquet(config.db, output)
        return 0
    chosen = FORMATS[name]
    with DatabaseReader(config.db) as records:
        if output:
            with atomic_file(output, config.db) as out:
                _write(_pieces(records, chosen), out)
        else:
            if not sys.stdout:
                raise OSError(errno.EBADF, "standard output is closed")
            for _ in _pieces(records, chosen):
                pass  # damage is found before anything is written
            shown = visible_lines if sys.stdout.isatty() else str
            _write(map(shown, _pieces(records, chosen)), sys.stdout.buffer)
    return 0


def _export_parquet(db: Path, output: Path | None) -> None:
    if not output:
        raise UsageError(f"--format {PARQUET} requires --output FILE")
    if not find_spec("pyarrow"):
        raise UsageError(f"--format {PARQUET} requires pyarrow: pip install pyarrow")
    with DatabaseReader(db) as records, atomic_file(output, db) as out:
        write_parquet(out, records.plan(), records.matches(moves=True))


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
