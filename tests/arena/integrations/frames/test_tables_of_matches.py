"""Tables of matches and moves: names, types and values."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from arena.cli.commands.records import COLUMNS
from arena.integrations.frames.tables import MOVES, match_table, move_table
from arena.model.results import Info, MatchRecord, Pairing
from arena.storage.parquet import record_columns
from tests.arena.integrations.frames.conftest import FAULT, make_records
from tests.support.tournaments import databases
from tests.support.tournaments.records import make_pairing, make_record


def row(record: MatchRecord) -> dict[str, Any]:
    [found] = match_table([record]).to_pylist()
    return dict(found)


def test_columns_are_those_of_published_formats_with_the_types_of_parquet() -> None:
    names = {*match_table([]).column_names}
    assert names <= {*record_columns(), *COLUMNS, "plies"}
    assert {*MOVES} <= {*record_columns(), "ply", "player", "bot", "move", *Info.__struct_fields__}
    table, published = match_table([]), record_columns()
    shared = [name for name in table.column_names if name in published]
    assert len(shared) == 14
    assert [table.schema.field(name).type for name in shared] == [
        published[name][0] for name in shared
    ]


def test_a_row_has_the_fields_of_a_match() -> None:
    first, *_ = make_records()
    found = row(first)
    assert (found["id"], found["number"], found["game"]) == (1, 1, "take_stones")
    assert (found["player1"], found["player2"], found["winner"]) == ("anna", "bert", 1)
    assert (found["termination"], found["reason"]) == ("no_legal_move", "that is why")
    assert (found["time_control"], found["casual"], found["log"]) == ("5+0.05", False, "")
    assert found["started_at"] == datetime(1970, 1, 1, 0, 16, 40, 500_000, tzinfo=UTC)
    assert (found["event"], found["site"], found["round"]) == ("Cup", None, None)
    assert found["setup.stones"] == 7


def test_rows_have_openings_charges_defaults_and_parameters() -> None:
    pairing = replace(make_pairing(), opening=(3, 6, 2))
    found = row(make_record(pairing, moves=databases.MOVES))
    assert (found["plies"], found["opening"]) == (5, [3, 6, 2])
    found = row(make_record(moves=databases.MOVES, fault=FAULT))
    assert (found["charged1"], found["charged2"]) == (1.4375 + 0.5, 0.1)
    assert row(make_record(Pairing(1, ("anna", "bert"), "isolation", {})))["setup.size"] == 8
    nim = Pairing(None, ("anna", "bert"), "nim of others", {"heaps": 3, "size": 9})
    table = match_table([make_record(make_pairing(stones=20)), make_record(nim)])
    assert table.column_names[-3:] == ["setup.stones", "setup.heaps", "setup.size"]
    assert table.column("setup.stones").to_pylist() == [20, None]
    assert table.column("setup.size").to_pylist() == [None, 9]
    assert table.schema.field("setup.heaps").type == pa.int64()


def test_a_move_has_its_player_and_times() -> None:
    _, second, *_ = make_records()
    rows = move_table([second]).to_pylist()
    assert [(row["id"], row["ply"], row["player"], row["bot"], row["move"]) for row in rows] == [
        (2, 0, 1, "bert", 3),
        (2, 1, 2, "anna", 6),
    ]
    for name in ("elapsed", "credit", "charged", "lag"):
        assert [row[name] for row in rows] == [getattr(move, name) for move in databases.MOVES]


def test_moves_have_reports_and_are_one_table() -> None:
    first, *_ = make_records()
    rows = move_table([first]).to_pylist()
    assert [(row["evaluation"], row["depth"], row["nodes"]) for row in rows] == [
        (None, None, None),
        (0.5, 4, 90),
    ]
    assert move_table(make_records()).column("id").to_pylist() == [1, 1, 2, 2]
