"""Fixture of the tests of export, import and verify: a database with all kinds of matches."""

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
