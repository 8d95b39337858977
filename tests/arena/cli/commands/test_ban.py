"""Command `arena ban`, run as in a shell."""

import re
from pathlib import Path

import pytest

from arena.storage.access import read_bans
from tests.support.servers.arena_command import CompletedCommand, Run


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of bans in the working directory of the commands."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "bans.json"


def test_bans_are_added_listed_and_removed(path: Path, arena: Run, tmp_path: Path) -> None:
    arena("ban", "add", "Ann", "--bans", tmp_path / "other.json")
    assert ([*read_bans(tmp_path / "other.json")], path.exists()) == (["Ann"], False)
    for entry in ("two words", "192.0.2.7/24"):
        assert arena("ban", "add", entry) == CompletedCommand(0, "", "")
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    end = arena("ban", "list")
    assert (end.status, end.err) == (0, "")
    assert re.fullmatch(rf"{time}  two words\n{time}  192.0.2.0/24\n", end.out)
    assert arena("ban", "remove", "192.0.2.0/24") == CompletedCommand(0, "", "")
    assert [*read_bans(path)] == ["two words"]


@pytest.mark.usefixtures("path")
def test_refusals(arena: Run) -> None:
    for words, error in (
        (["list"], "cannot read bans.json: No such file or directory"),
        (["remove", "Ann"], "Ann is not banned in bans.json"),
        (["add", " x"], "name ' x': expected printable characters without surrounding spaces"),
    ):
        assert arena("ban", *words) == CompletedCommand(2, "", f"arena: {error}\n")
