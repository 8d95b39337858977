"""Rows as tables of Arrow: types and values."""

import pyarrow as pa

from arena.integrations.frames.rows import row_table

TYPES = {"bot": "string", "ply": "int32", "elo": "double"}


def test_columns_have_types_and_places() -> None:
    table = row_table(TYPES, [("anna", 1, None), ("bert", 2, 7.5)])
    assert table.schema.types == [pa.string(), pa.int32(), pa.float64()]
    assert table.to_pydict() == {"bot": ["anna", "bert"], "ply": [1, 2], "elo": [None, 7.5]}
    assert row_table(TYPES, []).schema == row_table(TYPES, [("anna", 1, 2.0)]).schema
