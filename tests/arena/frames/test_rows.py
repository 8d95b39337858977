"""Rows as tables of Arrow: types and values."""

import pyarrow as pa

from arena.frames.rows import row_table

TYPES = {"bot": "string", "ply": "int32", "elo": "double"}


def test_a_column_has_its_type_and_the_values_at_its_place() -> None:
    table = row_table(TYPES, [("anna", 1, None), ("bert", 2, 7.5)])
    assert table.schema.types == [pa.string(), pa.int32(), pa.float64()]
    assert table.to_pydict() == {"bot": ["anna", "bert"], "ply": [1, 2], "elo": [None, 7.5]}


def test_a_table_without_rows_has_the_same_columns() -> None:
    assert row_table(TYPES, []).schema == row_table(TYPES, [("anna", 1, 2.0)]).schema
