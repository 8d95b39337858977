"""arena export: the records of a database as text."""

import argparse
import csv
import errno
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from arena.cli.output import complete_file
from arena.model.results import MatchRecord
from arena.storage import jsonl
from arena.storage import pgn as notation
from arena.storage.lexer import time_text
from arena.storage.reader import Records

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
    "charged1",  # seconds, of all moves of player 1
    "charged2",
    "moves",
    "casual",  # yes, or empty
)


class Format(NamedTuple):
    """How a text begins, how it tells a plan and how a match."""

    head: str
    plan: Callable[[str], str]
    match: Callable[[MatchRecord], str]


def run(arguments: argparse.Namespace) -> int:
    """Write the matches of `db` to `output` in `format`; either may be None.

    Returns the exit status. Raises Refused, StoreError and OSError.
    """
    output: Path | None = arguments.output
    suffix = output.suffix[1:].lower() if output else ""
    by_ending = suffix if suffix in FORMATS else next(iter(FORMATS))
    chosen = FORMATS[arguments.format or by_ending]
    with Records(arguments.db) as records:
        if output:
            with complete_file(output, arguments.db) as out:
                _write(records, chosen, out)
        else:
            if not sys.stdout:
                raise OSError(errno.EBADF, "standard output is closed")
            _write(records, chosen, sys.stdout.buffer)
    return 0


def _write(records: Records, chosen: Format, out: BinaryIO) -> None:
    for piece in _pieces(records, chosen):
        out.write(piece.encode())
    out.flush()


def _pieces(records: Records, chosen: Format) -> Iterator[str]:
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
    turns = [*notation.turns(record)]
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
        time_text(record.started_at),
        time_text(record.finished_at),
        *(sum(turn.charged for turn in turns if turn.ply % 2 == player) for player in (0, 1)),
        " ".join(str(played.move) for played in record.moves),
        notation.YES if pairing.casual else None,
    ]
    return _csv_line(cells)


FORMATS = {
    "pgn": Format("", notation.write_plan, notation.write),
    "jsonl": Format("", jsonl.write_plan, jsonl.write),
    "csv": Format(_csv_line(COLUMNS), lambda _: "", _csv_match),
}
