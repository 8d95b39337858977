"""The guide for tournaments: its examples work."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from arena.tournament.openings import read_book
from tests.support.servers.arena_command import Run

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "run-a-tournament.md").read_text()


def block(kind: str) -> str:
    """Return the text of the page's first block of a kind."""
    return str(re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[0])


@pytest.mark.slow
def test_the_table_is_printed_as_shown(db: Path, arena: Run) -> None:
    command, _, table = block("console").partition("\n")
    words = shlex.split(command.removeprefix("$ arena "))
    assert arena(*words, "--db", db).out == table


def test_the_book_is_valid() -> None:
    assert len(read_book("take_stones", block("book").splitlines())) == 2


def test_the_configuration_file_is_valid(tmp_path: Path, arena: Run) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        block("toml").replace("./mybot", "true").replace("cup.db", f"{tmp_path}/cup.db")
    )
    out = arena("tournament", file, "--dry-run").out
    assert "bots: spec:4, mine, perfect\n" in out
    facts = tomllib.loads(block("toml"))
    assert f"time {facts['time']} (mine {facts['bot']['mine']['time']})," in out
