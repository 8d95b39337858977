"""The guide for notebooks: its examples work, and its tables have every column."""

import ast
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from arena.integrations.frames import Results
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.matches import ENDINGS, play_match

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "notebooks.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
RECORDS = [play_match(ending, number, match=number) for number, ending in enumerate(ENDINGS, 1)]


def run_cell(code: str, names: dict[str, Any]) -> Any:
    """Run the code of a cell; return the value of its last expression."""
    *statements, last = ast.parse(code).body
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_examples_show_frames_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [record for record in RECORDS if record.pairing.game == "take_stones"]
    make_database(tmp_path / "cup.db", games)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    kinds = [type(run_cell(block, names)) for block in BLOCKS]
    frames = [pl.DataFrame, pd.Series, pd.DataFrame, pl.DataFrame, pd.DataFrame]
    assert kinds == [*frames, Board, Board]
    assert names["match"].plies == len(names["match"].opening) + len(names["played"])


@loop_over("method", ["standings", "head_to_head", "matches", "moves"])
def test_every_column_is_explained(tmp_path: Path, method: str) -> None:
    table = PAGE.split(f"\n### {method}\n")[1].split("|---|---|\n")[1].split("\n\n")[0]
    named = [
        name for row in table.splitlines() for name in re.findall(r"`(\S+)`", row.split("|")[1])
    ]
    games = make_database(tmp_path / "games.db", RECORDS)
    columns = getattr(Results(games, library="pyarrow"), method)().column_names
    assert named == columns
