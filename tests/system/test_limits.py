"""Tests that hang: they fail after a time, and say what they have waited for."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import polling
from tests.support.polling import TEST_TIMEOUT, awaited, until, wait_until

ROOT = Path(__file__).parents[2]

HANGS = """
import signal, time
import pytest

@pytest.mark.timeout(8)  # its process exits after 10 s
def test_sleeps():
    time.sleep(3600)

@pytest.mark.timeout(1)
def test_blocks_the_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(3600)

def test_ends():
    pass
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "TEST_TIMEOUT", 0.0)


@pytest.mark.usefixtures("impatient")
def test_a_wait_names_what_has_not_come() -> None:
    with pytest.raises(AssertionError, match="waited 0 s in vain for the moon"):
        wait_until(lambda: False, "the moon")
    with pytest.raises(AssertionError, match="waited 0 s in vain for the moon"):
        asyncio.run(until(lambda: False, "the moon"))


def test_the_timeout_of_something_else_is_left_as_it_is() -> None:
    async def wait() -> None:
        async with awaited("the moon"):
            raise TimeoutError("the sun")

    with pytest.raises(TimeoutError, match="the sun"):
        asyncio.run(wait())


def test_tests_that_hang_fail_and_the_others_run(tmp_path: Path) -> None:
    file = tmp_path / "test_hanging.py"
    file.write_text(HANGS)
    inherited = {name: x for name, x in os.environ.items() if not name.startswith("PYTEST_")}
    plugins = ["-p", "tests.conftest", "-p", "no:randomly", "-p", "no:cacheprovider"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-n", "1", "--rootdir", tmp_path, file],
        cwd=ROOT,
        env={**inherited, "PYTEST_DEBUG_TEMPROOT": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=TEST_TIMEOUT,
    )
    assert "2 failed, 1 passed" in ended.stdout
    assert "Failed: Timeout (>8.0s) from pytest-timeout" in ended.stdout
    assert re.search("^FAILED .*::test_sleeps", ended.stdout, re.M)
    assert re.search(r"crashed while running '.*::test_blocks_the_signal'", ended.stdout)
    assert "in test_blocks_the_signal" in ended.stderr  # the stack
