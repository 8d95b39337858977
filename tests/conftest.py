"""Settings of hypothesis, and fixtures shared by all tests."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "arena",
    max_examples=50,
    # A busy machine is slow at times, which is no fault of the code under test.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("traced", settings.get_profile("arena"), max_examples=10)
settings.load_profile("arena")

# A shell lets background processes ignore Ctrl-C, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.support.arena_command", "tests.support.browser", "tests.support.sites"]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Return the path for a new database."""
    return tmp_path / "arena.db"


@pytest.fixture
def ignores_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a flag fall however late a busy machine's event loop is; else the match is aborted."""
    monkeypatch.setattr("arena.match.referee.MAX_LAG", float("inf"))
