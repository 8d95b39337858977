"""Results of databases as frames: of each library, of several databases, and in a tournament."""

import sys
from pathlib import Path
from subprocess import run
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from arena.integrations.frames import Results
from arena.integrations.frames.libraries import LIBRARIES
from arena.storage import schema
from arena.storage.schema import UnusableDatabase
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.computing.grids import PLAN as GRID
from tests.support.tournaments.databases import begin_match, make_database, run_script, store_record
from tests.support.tournaments.records import make_pairing, make_record

METHODS = ("standings", "head_to_head", "matches", "moves")


def arrow(frame: Any) -> Any:
    """Return a frame of any library as a table of Arrow."""
    if isinstance(frame, pd.DataFrame):
        return pa.Table.from_pandas(frame, preserve_index=False)
    return frame.to_arrow() if isinstance(frame, pl.DataFrame) else frame


@loop_over("method", METHODS)
@loop_over("library", LIBRARIES)
def test_frames_have_the_same_content_in_each_library(cup: Path, library: str, method: str) -> None:
    found = arrow(getattr(Results(cup, library=library), method)())
    expected = getattr(Results(cup, library="pyarrow"), method)()
    assert found.to_pylist() == expected.to_pylist()
    assert found.column_names == expected.column_names


def test_frames_have_the_rows_of_the_schedule(cup: Path) -> None:
    assert isinstance(Results(str(cup)).standings(), pd.DataFrame)
    results = Results(cup)
    assert [len(getattr(results, method)()) for method in METHODS] == [2, 2, 4, 4]
    matches = Results(cup, library="polars").matches()
    assert matches["number"].to_list() == [None, 1, 2, 3]
    assert matches["winner"].to_list() == [2, 1, 2, None]


def test_many_matches_are_read_in_parts(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Results(cup, library="pyarrow").matches()
    monkeypatch.setattr("arena.integrations.frames.results.ROWS_PER_GROUP", 2)
    parts = Results(cup, library="pyarrow").matches()
    assert parts.column("id").num_chunks == 3  # the first one is empty
    assert parts.to_pylist() == whole.to_pylist()


@loop_over("method", METHODS)
def test_a_frame_without_rows_has_its_columns(cup: Path, tmp_path: Path, method: str) -> None:
    empty = make_database(tmp_path / "empty.db", [], None)
    found = getattr(Results(empty, library="pyarrow"), method)()
    full = getattr(Results(cup, library="pyarrow"), method)().schema
    assert found.num_rows == 0
    assert [*found.schema] == [*full][: len(found.schema)]  # no parameter of a setup is known


def test_several_databases_have_their_paths_in_front(cup: Path, tmp_path: Path) -> None:
    other = make_database(tmp_path / "other.db", [make_record(make_pairing(stones=9))], None)
    for method in METHODS:
        found = getattr(Results([cup, other], library="pyarrow"), method)()
        assert found.column_names[0] == "database"
        assert {*found.column("database").to_pylist()} <= {str(cup), str(other)}
    assert Results([cup, other]).matches().groupby("database").size().to_dict() == {
        str(cup): 4,
        str(other): 1,
    }


def test_lists_of_databases(cup: Path) -> None:
    found = Results(cup.parent.glob("*.db"), library="polars").standings()
    assert found["database"].to_list() == [str(cup)] * 2
    with pytest.raises(ValueError, match=r"^expected the path of a database, got none$"):
        Results([])


def test_several_games_have_the_parameters_of_each(cup: Path, tmp_path: Path) -> None:
    pairing = make_pairing()
    isolation = make_record(type(pairing)(1, pairing.players, "isolation", {"size": 6}))
    other = make_database(tmp_path / "other.db", [isolation], None)
    matches = Results([cup, other], library="polars").matches()
    assert matches["setup.stones"].to_list() == [7, 7, 7, 7, None]
    assert matches["setup.size"].to_list() == [None, None, None, None, 6]


def test_a_tournament_in_progress_is_read_again_each_time(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        begin_match(writer)
        results = Results(db, library="polars")
        assert results.matches().height == 0
        store_record(writer, make_record(make_pairing(2)))
        assert results.matches()["number"].to_list() == [2]
        assert results.standings()["bot"].to_list() == ["anna", "bert"]


def test_a_grid_has_standings_of_all_its_matches(tmp_path: Path) -> None:
    grid = make_database(tmp_path / "grid.db", [make_record()], GRID.to_json())
    assert {"anna", "bert"} < {*Results(grid, library="polars").standings()["bot"]}


def test_invalid_databases_and_libraries(cup: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableDatabase, match=r"^database .*none\.db does not exist$"):
        Results([cup, tmp_path / "none.db"])
    with pytest.raises(ValueError, match="unknown library 'excel'"):
        Results(tmp_path / "none.db", library="excel")
    run_script(cup, f"PRAGMA user_version = {schema.VERSION + 1}")
    with pytest.raises(UnusableDatabase, match=r"unsupported database version \d+ .supported: 2, "):
        Results(cup)


def test_the_text_names_databases_and_library(cup: Path) -> None:
    assert repr(Results(cup)) == f"Results({str(cup)!r}, library='pandas')"
    assert repr(Results([cup], "polars")) == f"Results([{str(cup)!r}], library='polars')"


def test_no_library_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, arena.integrations.frames;"
        " print({'pandas', 'polars', 'pyarrow', 'numpy'} & {*sys.modules})"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
