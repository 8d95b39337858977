"""Match records as a Parquet file: a row for each match, with lists for its moves and their times.

docs/reference/parquet.md describes the schema. pyarrow is not installed with the arena, but with
its extra `parquet`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, BinaryIO

from msgspec import structs

from arena.model.results import TIMES, Fault, MatchRecord
from arena.model.timestamps import YEAR_10000
from arena.model.version import installed_version

FORMAT_VERSION = 1  # of the schema
ROWS_PER_GROUP = 10_000  # which are in memory together

Columns = Mapping[str, tuple[Any, Callable[[Any], object]]]
"""Columns by name: the type of each, and a function that returns its value for a row."""


def write_parquet(out: BinaryIO, plan: str | None, records: Iterable[MatchRecord]) -> None:
    """Write records with their moves, one group of rows after the other.

    Args:
        out: The file.
        plan: The plan of the tournament as JSON, or None.
        records: The records.

    Raises:
        ModuleNotFoundError: pyarrow is not installed.
        OSError: The file cannot be written.
    """
    from pyarrow import parquet

    columns = record_columns()
    metadata = {
        "arena.format": str(FORMAT_VERSION),
        "arena.version": installed_version(),
        **({} if plan is None else {"arena.plan": plan}),
    }
    schema = arrow_table(columns, [], metadata).schema
    rest = iter(records)
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while rows := [*islice(rest, ROWS_PER_GROUP)]:
            writer.write_table(arrow_table(columns, rows, metadata))


def arrow_table(
    columns: Columns, rows: Sequence[Any], metadata: Mapping[str, str] | None = None
) -> Any:
    """Return rows as a `pyarrow.Table`, with metadata of its schema."""
    import pyarrow as pa

    fields = [(name, kind) for name, (kind, _) in columns.items()]
    values = {name: [*map(value, rows)] for name, (_, value) in columns.items()}
    return pa.table(values, schema=pa.schema(fields, metadata=metadata))


def record_columns() -> Columns:
    """Return the columns of match records."""
    import pyarrow as pa

    integer, text, seconds = pa.int64(), pa.string(), pa.float64()
    time = pa.timestamp("us", tz="UTC")
    times = [(name, seconds) for name in TIMES]
    fault = pa.struct([("ply", pa.int32()), ("move", text), *times])
    return {
        "id": (integer, attrgetter("id")),
        "number": (integer, attrgetter("pairing.number")),
        "game": (text, attrgetter("pairing.game")),
        "setup": (pa.map_(text, integer), lambda record: [*record.pairing.setup.items()]),
        "player1": (text, lambda record: record.pairing.players[0]),
        "player2": (text, lambda record: record.pairing.players[1]),
        "winner": (pa.int8(), attrgetter("result.winner")),
        "termination": (text, lambda record: str(record.result.termination)),
        "reason": (text, attrgetter("result.reason")),
        "time_control": (text, attrgetter("time_control")),
        "started_at": (time, lambda record: _microseconds(record.started_at)),
        "finished_at": (time, lambda record: _microseconds(record.finished_at)),
        "opening": (pa.list_(integer), attrgetter("pairing.opening")),
        "moves": (pa.list_(integer), _of_moves("move")),
        **{name: (pa.list_(seconds), _of_moves(name)) for name in TIMES},
        "fault": (fault, lambda record: _fault_fields(record.fault)),
        "casual": (pa.bool_(), attrgetter("pairing.casual")),
        "log": (text, attrgetter("log")),
        "tags": (pa.map_(text, text), lambda record: [*record.tags.items()]),
        "infos": (pa.map_(pa.int32(), _info_type(pa)), _info_fields),
    }


def _info_type(pa: Any) -> Any:
    counts = [(name, pa.int64()) for name in ("depth", "nodes")]
    return pa.struct([("evaluation", pa.float64()), *counts, ("pv", pa.list_(pa.int64()))])


def _info_fields(record: MatchRecord) -> list[tuple[int, dict[str, object]]]:
    return [(ply, structs.asdict(info)) for ply, info in record.infos.items()]


def _of_moves(name: str) -> Callable[[MatchRecord], object]:
    """Return a function for the list of an attribute of all moves."""
    value = attrgetter(name)
    return lambda record: [*map(value, record.moves)]


def _microseconds(time: float) -> int | None:
    """Return a Unix time in microseconds; None before 1970 and after 9999."""
    return round(time * 1_000_000) if 0 <= time < YEAR_10000 else None


def _fault_fields(fault: Fault | None) -> dict[str, object] | None:
    if fault is None:
        return None
    move = None if fault.move is None else str(fault.move)  # of any length
    return {"ply": fault.ply, "move": move} | {name: getattr(fault, name) for name in TIMES}
