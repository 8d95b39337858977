"""What a run of pytest says about its first failure."""

import shlex
import sys
from pathlib import Path

import pytest

from tools.mutants.mirrored import Stage
from tools.mutants.pytest_run import Pytest
from tools.mutants.trial import Failure

TESTS = """
import pytest
import pathlib

@pytest.mark.parametrize("words", ["a - b [c]", "other"])
def test_words(words):
    assert words != pathlib.Path("wrong.txt").read_text()

@pytest.mark.slow
def test_slowly():
    assert pathlib.Path("wrong.txt").read_text() != "slow"
"""
STAGE = Stage(("tests/test_a.py",))


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that says which test fails, in the folder of a project."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow: slow\n    release: x\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take most of the time
    path = tmp_path / "wrong.txt"
    path.write_text("")
    return path


def test_the_first_failure_of_marked_tests_is_named_and_passes_when_mended(wrong: Path) -> None:
    tests = Pytest(wrong.parent, 60)
    wrong.write_text("slow")
    assert tests.first_failure(STAGE)
    assert tests.first_failure(STAGE._replace(marks="not slow")) is None
    wrong.write_text("a - b [c]")
    failure = tests.first_failure(STAGE)
    assert failure == Failure(*["tests/test_a.py::test_words[a - b [c]]"] * 2)
    wrong.write_text("")
    assert tests.passes(STAGE, failure)


@pytest.mark.slow
def test_a_test_that_goes_on_to_fail_is_left_out(wrong: Path) -> None:
    tests = Pytest(wrong.parent, 60)
    wrong.write_text("other")
    failure = tests.first_failure(STAGE)
    assert failure
    assert not tests.passes(STAGE, failure)
    assert tests.first_failure(STAGE) is None


def test_a_run_that_cannot_begin_is_an_error(wrong: Path) -> None:
    (wrong.parent / "tests" / "conftest.py").write_text("1 / 0")
    tests = Pytest(wrong.parent, 60)
    failure = tests.first_failure(STAGE)
    assert failure == Failure(None, "pytest ended with status 4")
    with pytest.raises(RuntimeError, match="without a mutant, too"):
        tests.passes(STAGE, failure)
