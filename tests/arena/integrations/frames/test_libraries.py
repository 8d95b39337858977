"""Tables of Arrow: their types and values, and as frames of each library."""

import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from arena.integrations.frames.libraries import LIBRARIES, check_library, row_table, to_library
from tests.support.cases import loop_over

TYPES = {"bot": "string", "ply": "int32", "elo": "double"}
TABLE = pa.table(
    {
        "id": pa.array([1, 2], pa.int64()),
        "ply": pa.array([None, 3], pa.int32()),
        "winner": pa.array([1, None], pa.int8()),
        "bot": ["anna", None],
        "charged": [0.5, None],
        "opening": pa.array([[3, 6], []], pa.list_(pa.int64())),
    }
)


def test_columns_have_types_and_places() -> None:
    table = row_table(TYPES, [("anna", 1, None), ("bert", 2, 7.5)])
    assert table.schema.types == [pa.string(), pa.int32(), pa.float64()]
    assert table.to_pydict() == {"bot": ["anna", "bert"], "ply": [1, 2], "elo": [None, 7.5]}
    assert row_table(TYPES, []).schema == row_table(TYPES, [("anna", 1, 2.0)]).schema


@loop_over("name", LIBRARIES)
def test_an_installed_library_is_accepted(name: str) -> None:
    check_library(name)


@loop_over(
    "name, missing",
    ("pandas", "pandas"),
    ("polars", "polars"),
    ("polars", "pyarrow"),
    ("pyarrow", "pyarrow"),
)
def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError) as found:
        check_library(name)
    assert str(found.value) == f"frames of {name} require {missing}: pip install {missing}"
    assert found.value.name == missing


def test_a_frame_of_pandas_has_nullable_integers() -> None:
    frame = to_library(TABLE, "pandas")
    assert isinstance(frame, pd.DataFrame)
    types = frame.dtypes.astype(str)
    assert [*types[["id", "ply", "winner", "charged"]]] == ["Int64", "Int32", "Int8", "float64"]
    assert frame.winner.isna().tolist() == [False, True]
    assert np.array_equal(frame.opening[0], [3, 6])


def test_tables_of_libraries() -> None:
    frame = to_library(TABLE, "polars")
    assert isinstance(frame, pl.DataFrame)
    assert frame.schema["winner"] == pl.Int8
    assert frame.to_dicts() == TABLE.to_pylist()
    table: Any = to_library(TABLE, "pyarrow")
    assert table is TABLE
    with pytest.raises(ValueError, match=r"^unknown library 'excel' \(choose from pandas, pol"):
        check_library("excel")
