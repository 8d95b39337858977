"""Fixtures of the tests of commands: a database, and checks of bots on any machine."""

from pathlib import Path

import pytest

from tests.support.tournaments.databases import PLAN, make_database
from tests.support.tournaments.matches import ENDINGS, play_match


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a match for each of ENDINGS, with ids from 1; the last one is casual."""
    records = [
        play_match(ending, number, match=number, casual=number == len(ENDINGS))
        for number, ending in enumerate(ENDINGS, 1)
    ]
    return make_database(tmp_path / "database.db", records, PLAN)


@pytest.fixture
def patient_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `arena check` wait briefly for what must not come, and long for what must."""
    monkeypatch.setattr("arena.conformance.checks.SILENCE_SECONDS", 0.1)
    for limit in ("PONG_TIMEOUT", "CLOCK_TOLERANCE", "EXIT_TIMEOUT"):
        monkeypatch.setattr(f"arena.conformance.checks.{limit}", 60.0)
    for limit in ("CONNECT_TIMEOUT", "HELLO_TIMEOUT", "RECONNECT_TIMEOUT"):
        monkeypatch.setattr(f"arena.conformance.scripted_referee.{limit}", 60.0)
    monkeypatch.setattr("arena.runner.conformance.LAST_OUTPUT_TIMEOUT", 0.1)
    monkeypatch.setattr("arena.runner.conformance.CLOSE_TIMEOUT", 0.2)
