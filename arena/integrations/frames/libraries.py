"""Rows as tables of Arrow, and these as frames of libraries, which are imported lazily."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from operator import itemgetter
from typing import Any

from arena.storage.parquet import arrow_table

Row = tuple[object, ...]
ARROW = "pyarrow"
LIBRARIES = ("pandas", "polars", ARROW)


def row_table(types: Mapping[str, str], rows: Sequence[Row]) -> Any:
    """Return rows as a `pyarrow.Table`.

    Args:
        types: The name of Arrow's type of each column, by its name.
        rows: The rows, each with a value for each column.
    """
    columns = {name: (kind, itemgetter(index)) for index, (name, kind) in enumerate(types.items())}
    return arrow_table(columns, rows)


def check_library(name: str) -> None:
    """Check that there are frames of a library, and that it is installed.

    Raises:
        ValueError: None is installed.
        ModuleNotFoundError: It is not installed, or pyarrow is not, through which all are made.
    """
    if name not in LIBRARIES:
        raise ValueError(f"unknown library {name!r} (choose from {', '.join(LIBRARIES)})")
    for needed in dict.fromkeys((name, ARROW)):
        if not find_spec(needed):
            raise ModuleNotFoundError(
                f"frames of {name} require {needed}: pip install {needed}", name=needed
            )


def to_library(table: Any, name: str) -> Any:
    """Return a `pyarrow.Table` as a frame of a library that `check_library` accepts.

    Integers are nullable in all of them, so that their type depends on no value.
    """
    match name:
        case "pandas":
            return _to_pandas(table)
        case "polars":
            import polars

            return polars.from_arrow(table)
    return table


def _to_pandas(table: Any) -> Any:
    import pandas as pd
    import pyarrow as pa

    types = {
        pa.int8(): pd.Int8Dtype(),
        pa.int32(): pd.Int32Dtype(),
        pa.int64(): pd.Int64Dtype(),
    }
    return table.to_pandas(types_mapper=types.get)
