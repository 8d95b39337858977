"""Fixtures of the storage tests: the path of a database, and its writer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.storage.writer import DatabaseWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def writer(path: Path) -> Iterator[DatabaseWriter]:
    with DatabaseWriter(path) as writer:
        yield writer
