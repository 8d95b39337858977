"""Databases of commands that run an arena."""

import time
from pathlib import Path

import pytest

from arena.cli.execution import report
from arena.cli.serving import database_path


def test_two_commands_of_one_second_have_databases_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time, "strftime", lambda _: "2026-11-26-120000")
    with database_path(None) as one, database_path(None) as other:
        assert [one.name, other.name] == ["2026-11-26-120000.db", "2026-11-26-120000-2.db"]
        other.write_text("matches")
    assert [*Path("results").iterdir()] == [other]  # without the empty one


def test_what_is_stored_can_be_continued_after_ctrl_c(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = tmp_path / "cup.db"
    for content, advice in (
        ("", ""),
        ("matches", f"; run the same command with --db {db} to continue"),
    ):
        db.write_text(content)
        with (
            pytest.raises(KeyboardInterrupt) as raised,
            database_path(db),  # of a class
            database_path(db),  # of its tournament
        ):
            raise KeyboardInterrupt
        assert report(raised.value, None) == 130
        assert capsys.readouterr().err == f"arena: stopped{advice * bool(content)}\n"
