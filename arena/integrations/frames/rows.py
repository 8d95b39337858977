"""Rows of plain values as Arrow tables."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from arena.storage.parquet import arrow_table

Row = tuple[object, ...]


def row_table(types: Mapping[str, str], rows: Sequence[Row]) -> Any:
    """Return rows as a `pyarrow.Table`.

    Args:
        types: The name of Arrow's type of each column, by its name.
        rows: The rows, each with a value for each column.
    """
    columns = {name: (kind, itemgetter(index)) for index, (name, kind) in enumerate(types.items())}
    return arrow_table(columns, rows)
