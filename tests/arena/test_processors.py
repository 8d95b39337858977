"""Processors of this machine."""

import pytest

from arena.processors import usable_processors


def test_processors_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable_processors() >= 1
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert usable_processors() == 2
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert usable_processors() == 1
