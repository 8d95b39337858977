"""Results of one or more databases as data frames."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

from arena.integrations.frames.libraries import check_library, to_library
from arena.integrations.frames.tables import (
    head_to_head_rows,
    head_to_head_table,
    match_table,
    move_table,
    standings_rows,
    standings_table,
)
from arena.storage.parquet import ROWS_PER_GROUP
from arena.storage.reader import DatabaseReader

DATABASE = "database"  # the column that tells several databases apart


class Results:
    """Results of one or more databases, read again by each method, also during a tournament.

    docs/guide/notebooks.md describes the columns.

    Attributes:
        databases: The paths of the databases.
        library: The library of the frames.
    """

    def __init__(
        self,
        databases: str | PathLike[str] | Iterable[str | PathLike[str]],
        library: str = "pandas",
    ) -> None:
        """Check that the databases can be read.

        Args:
            databases: The path of a database; or the paths of any number of them: their frames
                begin with the column `database`, the path.
            library: `pandas` or `polars`, or `pyarrow` for a `pyarrow.Table`.

        Raises:
            ValueError: The library is unknown, or there is no path.
            ModuleNotFoundError: The library is not installed.
            DatabaseError: A file is missing, or is no supported database of the arena.
        """
        check_library(library)
        self.library = library
        self._is_list = not isinstance(databases, str | PathLike)
        paths = [databases] if isinstance(databases, str | PathLike) else databases
        self.databases = tuple(map(Path, paths))
        if not self.databases:
            raise ValueError("expected the path of a database, got none")
        for path in self.databases:
            DatabaseReader(path).close()

    def __repr__(self) -> str:
        paths = [*map(str, self.databases)]
        return f"Results({(paths if self._is_list else paths[0])!r}, library={self.library!r})"

    def standings(self, anchor: tuple[str, float] | None = None) -> Any:
        """Return the standings: a row for each bot and game, the best bot first.

        Args:
            anchor: A bot and its rating in Elo, to which the others are relative. Without it the
                mean rating of the bots of a game is 0.

        Returns:
            A frame of the chosen library.

        Raises:
            ValueError: A database lacks the anchor.
            DatabaseError: A database cannot be read.
        """
        return self._frame(lambda records: standings_rows(records, anchor), standings_table)

    def head_to_head(self) -> Any:
        """Return the results of each bot against each opponent, a row for every two and game.

        Returns:
            A frame of the chosen library.

        Raises:
            DatabaseError: A database cannot be read.
        """
        return self._frame(head_to_head_rows, head_to_head_table)

    def matches(self) -> Any:
        """Return the finished matches, a row for each, also for aborted and casual ones.

        Returns:
            A frame of the chosen library.

        Raises:
            DatabaseError: A database cannot be read.
        """
        return self._frame(lambda records: records.matches(moves=True), match_table)

    def moves(self) -> Any:
        """Return the moves of the players in the finished matches, a row for each.

        Returns:
            A frame of the chosen library.

        Raises:
            DatabaseError: A database cannot be read.
        """
        return self._frame(lambda records: records.matches(moves=True), move_table)

    def _frame(
        self,
        read: Callable[[DatabaseReader], Iterable[Any]],
        table: Callable[[Sequence[Any]], Any],
    ) -> Any:
        """Return a frame of rows that are read from each database; a part of them at once."""
        tables = [self._located(table([]), self.databases[0])]
        for path in self.databases:
            with DatabaseReader(path) as records:
                rest = iter(read(records))
                while rows := [*islice(rest, ROWS_PER_GROUP)]:
                    tables.append(self._located(table(rows), path))
        import pyarrow as pa

        return to_library(pa.concat_tables(tables, promote_options="default"), self.library)

    def _located(self, table: Any, path: Path) -> Any:
        import pyarrow as pa

        if not self._is_list:
            return table
        return table.add_column(0, DATABASE, pa.repeat(str(path), table.num_rows))
