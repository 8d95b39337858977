"""Parquet: the page names every column with its type, and its queries run."""

import re
from pathlib import Path
from typing import Any

import pytest

from arena.storage.jsonl import MatchLine
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.matches import ENDINGS, play_match
from tests.support.tournaments.record_commands import run_export

TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "parquet.md").read_text()
QUERIES = re.findall(r"^```sql\n(.*?)^```$", TEXT, re.M | re.S)
duckdb = pytest.importorskip("duckdb")
files = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parquet")
    records = [play_match(ending, number, match=number) for number, ending in enumerate(ENDINGS, 1)]
    run_export(make_database(folder / "cup.db", records), folder / "cup.parquet")
    return folder / "cup.parquet"


def query(file: Path, text: str) -> list[Any]:
    found = duckdb.sql(text.replace("cup.parquet", str(file)))
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def test_columns_are_explained_and_those_of_jsonl(exported: Path) -> None:
    table = TEXT.split("| column | type | meaning |\n")[1].split("\n\n")[0].splitlines()[1:]
    named = [name for row in table for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert named == files.read_schema(exported).names
    times = {"elapsed", "credit", "charged", "lag"}
    assert {*files.read_schema(exported).names} == {*MatchLine.__struct_fields__} | times


def test_queries_have_the_numbers_of_the_matches(exported: Path) -> None:
    rows = query(exported, QUERIES[0])
    points = [row[f"as_player_{side}"] for row in rows for side in (1, 2)]
    assert sum(row["matches"] for row in rows) % 2 == 0
    assert all(value is None or 0 <= value <= 1 for value in points)
    assert sorted(query(exported, QUERIES[1])[0]) == ["player_1", "plies", "stones"]
    rows = query(exported, QUERIES[2])
    [[moves]] = duckdb.sql(f"SELECT sum(len(moves)) FROM '{exported}'").fetchall()
    assert sum(row["moves"] for row in rows) == moves
