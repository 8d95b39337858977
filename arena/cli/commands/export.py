"""Command `arena export`: records of a database as text."""

import csv
import errno
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from arena.cli.configuration import ExportConfig
from arena.cli.output import atomic_file
from arena.model.results import MatchRecord
from arena.model.timestamps import format_timestamp
from arena.storage import jsonl, pgn
from arena.storage.reader import DatabaseReader
from arena.storage.record import turns

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
    "moves",
    "casual",  # yes, or empty
)


class Format(NamedTuple):
    """Text format: header, and writers of a plan and of a match."""

    head: str
    plan: Callable[[str], str]
    match: Callable[[MatchRecord], str]


def run(config: ExportConfig) -> int:
    """Write the matches of a database and return the exit status.

    Raises:
        UsageError: The output file cannot be replaced.
        DatabaseError: The database cannot be read.
        OSError: The output cannot be written.
    """
    output: Path | None = config.output
    suffix = output.suffix[1:].lower() if output else ""
    by_ending = suffix if suffix in FORMATS else next(iter(FORMATS))
    chosen = FORMATS[config.format or by_ending]
    with DatabaseReader(config.db) as records:
        if output:
            with atomic_file(output, config.db) as out:
                _write(records, chosen, out)
        else:
            if not sys.stdout:
                raise OSError(errno.EBADF, "standard output is closed")
            _write(records, chosen, sys.stdout.buffer)
    return 0


def _write(records: DatabaseReader, chosen: Format, out: BinaryIO) -> None:
    for piece in _pieces(records, chosen):
        out.write(piece.encode())
    out.flush()


def _pieces(records: DatabaseReader, chosen: Format) -> Iterator[str]:
    yield chosen.head
    if (plan := records.plan()) is not None:
        yield chosen.plan(plan)
    for record in records.matches(moves=True):
        yield chosen.match(record)


def _csv_line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _csv_match(record: MatchRecord) -> str:
    pairing, result = record.pairing, record.result
    played = [*turns(record)]
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
        *(sum(turn.charged for turn in played if turn.ply % 2 == player) for player in (0, 1)),
        " ".join(str(played.move) for played in record.moves),
        pgn.YES if pairing.casual else None,
    ]
    return _csv_line(cells)


FORMATS = {
    "pgn": Format("", pgn.format_plan, pgn.format_record),
    "jsonl": Format("", jsonl.format_plan, jsonl.format_record),
    "csv": Format(_csv_line(COLUMNS), lambda _: "", _csv_match),
}
