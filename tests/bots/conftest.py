"""Fixtures for the tests of the bots."""

import os
from pathlib import Path

import pytest

from bots import client


@pytest.fixture(autouse=True)
def _short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients reconnect almost at once."""
    monkeypatch.setattr(client, "FIRST_DELAY", 0.001)


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """Return the path of a named pipe."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path
