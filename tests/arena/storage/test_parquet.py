"""Match records as Parquet: the file has every field of every match."""

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from arena.model.results import TIMES, Fault, MatchRecord
from arena.model.version import installed_version
from arena.storage import parquet
from arena.storage.parquet import write_parquet
from tests.support.cases import loop_over
from tests.support.tournaments.databases import MOVES, PLAN
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

files = pytest.importorskip("pyarrow.parquet")


def written(records: Sequence[MatchRecord], plan: str | None = PLAN) -> Any:
    """Return the Parquet file of records, opened."""
    out = io.BytesIO()
    write_parquet(out, plan, records)
    return files.ParquetFile(io.BytesIO(out.getvalue()))


def row(record: MatchRecord) -> dict[str, Any]:
    [found] = written([record]).read().to_pylist()
    return dict(found)


def test_a_row_has_the_fields_of_a_match() -> None:
    record = make_record(make_pairing(7), moves=MOVES)
    found, pairing, result = row(record), record.pairing, record.result
    assert found["number"] == 7
    assert (found["id"], found["game"]) == (record.id, pairing.game)
    assert dict(found["setup"]) == pairing.setup
    assert (found["player1"], found["player2"]) == pairing.players
    assert found["opening"] == [*pairing.opening]
    ending = (found["winner"], found["termination"], found["reason"])
    assert ending == (result.winner, result.termination, result.reason)
    assert (found["time_control"], found["log"]) == (record.time_control, record.log)
    assert (found["fault"], found["casual"]) == (None, False)


def test_moves_are_lists_and_times_timestamps() -> None:
    found = row(make_record(moves=MOVES))
    assert found["moves"] == [move.move for move in MOVES]
    for name in TIMES:
        assert found[name] == [getattr(move, name) for move in MOVES]
    found = row(replace(make_record(), started_at=1.000001, finished_at=2.5))
    assert found["started_at"] == datetime(1970, 1, 1, 0, 0, 1, 1, tzinfo=UTC)
    assert found["finished_at"] == datetime(1970, 1, 1, 0, 0, 2, 500_000, tzinfo=UTC)


@loop_over("time", [-1.0, 1e20])
def test_a_time_outside_the_calendar_is_null(time: float) -> None:
    assert row(replace(make_record(), started_at=time))["started_at"] is None


@loop_over(("move", "text"), [(None, None), (2**80, str(2**80))])
def test_a_fault_is_a_struct(move: int | None, text: str | None) -> None:
    times = {"elapsed": 1.5, "credit": 0.0, "charged": 1.5, "lag": 0.25}
    found = row(make_record(fault=Fault(2, move, **times)))
    assert found["fault"] == {"ply": 2, "move": text, **times}


def test_aborted_and_casual_matches() -> None:
    found = row(make_aborted_record(make_pairing(None)))
    assert (found["winner"], found["number"], found["termination"]) == (None, None, "aborted")
    assert row(make_record(make_casual_pairing(make_pairing())))["casual"] is True


def test_rows_are_written_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS_PER_GROUP", 2)
    file = written([make_record(make_pairing(number)) for number in range(1, 6)])
    assert file.num_row_groups == 3
    assert file.read().column("number").to_pylist() == [1, 2, 3, 4, 5]


def test_the_metadata_has_version_and_plan_if_any() -> None:
    metadata = written([]).schema_arrow.metadata
    assert metadata[b"arena.plan"].decode() == PLAN
    assert metadata[b"arena.version"].decode() == installed_version()
    assert metadata[b"arena.format"] == b"1"
    assert b"arena.plan" not in written([], None).schema_arrow.metadata
