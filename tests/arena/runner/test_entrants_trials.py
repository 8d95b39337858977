"""Trials of bots before a tournament in process."""

from pathlib import Path

import pytest

from arena.runner import entrants
from arena.runner.entrants import find_invalid_bot
from bots.specification import read_bots

GOOD = "class Bot:\n  def choose(self, position, clock): return 1\n"


def invalid(folder: Path | None, *specs: str, game: str = "take_stones") -> str | None:
    return find_invalid_bot(read_bots({f"bot {spec}": spec for spec in specs}), game, folder)


def test_bots_that_can_be_created(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    assert invalid(tmp_path, "random", "python:good:Bot", "python:good:Bot") is None
    monkeypatch.setattr(entrants, "Process", None)
    assert invalid(None, "random", "greedy", "spec:0", "perfect") is None


def test_bots_that_fail_are_named(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text("import sys\nprint(2000 * 'x\\n', file=sys.stderr)\n1/0")
    found = invalid(tmp_path, "python:good:Bot", "python:bad:Bot", "python:none:Bot")
    problem = "cannot import bad: ZeroDivisionError: division by zero (bad.py, line 3)"
    assert found == f"bot 'python:bad:Bot': {problem}"
    (tmp_path / "silent.py").write_text("import os\nos._exit(7)")
    assert invalid(tmp_path, "python:silent:Bot") == "bot 'python:silent:Bot': exited with status 7"


def test_a_bot_that_hangs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrants, "TRIAL_SECONDS", 0.01)
    (tmp_path / "hanging.py").write_text("while True: pass")
    expected = "bot 'python:hanging:Bot' was not created within 0.01 s"
    assert invalid(tmp_path, "python:hanging:Bot") == expected


def test_a_bot_without_library_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = invalid(None, "openspiel:mcts:5")
    assert found == "bot 'openspiel:mcts:5': OpenSpiel is not installed: pip install open_spiel"
