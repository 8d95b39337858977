"""Lock files: held by one process at a time, and removed at the end."""

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.storage.lock import is_locked, locked_file
from tests.support.polling import TEST_TIMEOUT, join

HOLD = """
import sys
from pathlib import Path
from arena.storage.lock import locked_file
with locked_file(Path(sys.argv[1]), wait=False):
    print("locked", flush=True)
    sys.stdin.read()
"""
ROUNDS = 200


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a lock file that does not exist."""
    return tmp_path / "arena.db.lock"


def holder(path: Path) -> "subprocess.Popen[bytes]":
    """Start a process that holds the lock until its input ends."""
    words = [sys.executable, "-c", HOLD, str(path)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"locked\n"
    return process


def test_the_file_exists_while_it_is_locked(path: Path) -> None:
    with locked_file(path, wait=False):
        assert path.stat().st_mode & 0o777 == 0o600
        with pytest.raises(BlockingIOError), locked_file(path, wait=False):
            pass
        assert path.exists()  # a process that does not get it leaves it
    assert not path.exists()


def test_the_lock_of_another_process(path: Path) -> None:
    with holder(path) as process:
        with pytest.raises(BlockingIOError), locked_file(path, wait=False):
            pass
        process.communicate(timeout=TEST_TIMEOUT)
    with locked_file(path, wait=False):
        assert path.exists()


def test_the_file_of_a_killed_process_is_used_and_removed(path: Path) -> None:
    with holder(path) as process:
        process.send_signal(signal.SIGKILL)
    assert path.exists()
    with locked_file(path, wait=True):
        pass
    assert not path.exists()


def test_a_file_that_disappears_while_it_is_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    def open_and_lose(*arguments: object) -> int:
        opened.append(os_open(*arguments))  # type: ignore[arg-type]
        if len(opened) == 1:
            path.unlink()  # its holder ended between both calls
        if len(opened) == 2:
            path.unlink()
            path.write_text("")  # and another process has created the next one
        return opened[-1]

    os_open = os.open
    monkeypatch.setattr(os, "open", open_and_lose)
    with locked_file(path, wait=False):
        assert path.exists()
        assert len(opened) == 3


def test_a_removed_file_is_no_error(path: Path) -> None:
    with locked_file(path, wait=False):
        path.unlink()


def test_a_symbolic_link_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic links"), locked_file(path, wait=False):
        pass
    assert not (tmp_path / "other").exists()


def _count(path: Path, counter: Path) -> None:
    for _ in range(ROUNDS):
        with locked_file(path, wait=True):
            counter.write_text(str(int(counter.read_text()) + 1))


def test_many_processes_that_lock_and_remove(path: Path, tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_count, args=(path, counter)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        join(process)
    assert counter.read_text() == str(4 * ROUNDS)
    assert not path.exists()


def test_a_lock_is_seen_without_a_change(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_locked(path)
    assert not path.exists()
    with locked_file(path, wait=False):
        assert is_locked(path)
    path.touch()  # a killed process has left it
    assert not is_locked(path)
