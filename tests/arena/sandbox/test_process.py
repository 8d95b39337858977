"""Processes in sandboxes."""

import signal
import subprocess
import threading
from pathlib import Path

import pytest

from arena.sandbox.limits import Limits, View
from arena.sandbox.process import (
    SandboxedProcess,
    describe_status,
    exit_status,
    kill_running,
    start,
)
from arena.sandbox.sandbox import UNPROTECTED, Protection, Sandbox
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, join

LIMITED = Sandbox(Protection.LIMITED, is_root=False)


def start_sleep(sandbox: Sandbox, limits: Limits) -> SandboxedProcess:
    command = ["sleep", "3600"]
    return start(sandbox, command, View(Path("/")), limits, stdout=subprocess.DEVNULL)


def test_a_process_over_its_limits_is_killed() -> None:
    process = start_sleep(LIMITED, Limits(processes=-10))
    process.watch()
    assert process.wait(TEST_TIMEOUT) == -signal.SIGKILL
    assert process.excess == "started more than -10 processes"
    process.check()
    assert process.excess == "started more than -10 processes"


def test_a_process_within_its_limits_is_watched_to_its_end() -> None:
    command = ["sh", "-c", "read line"]
    process = start(LIMITED, command, View(Path("/")), Limits(), stdin=subprocess.PIPE)
    with process.process:
        process.watch()
        [watch] = [thread for thread in threading.enumerate() if thread.name == "sandbox watch"]
        assert process.process.stdin
        process.process.stdin.close()
        assert process.wait(TEST_TIMEOUT) == 1
    join(watch)
    assert not watch.is_alive()
    assert process.excess is None


def test_without_protection_there_are_no_limits() -> None:
    process = start_sleep(UNPROTECTED, Limits(processes=-10, memory=-1))
    process.watch()
    process.check()
    assert not process.has_ended()
    assert process.excess is None
    process.kill("was bad")
    process.kill("was worse")
    assert process.end() == -signal.SIGKILL
    assert process.excess == "was bad"


def test_children_that_left_the_group_are_killed() -> None:
    command = ["sh", "-c", "setsid sleep 3600 & echo $!; wait"]
    process = start(UNPROTECTED, command, View(Path("/")), Limits())
    with process.process:
        assert process.process.stdout
        assert int(process.process.stdout.readline())
        process.end()
        assert process.process.stdout.read() == b""  # it was open as long as the child ran


def test_all_running_processes_can_be_killed() -> None:
    process = start_sleep(UNPROTECTED, Limits())
    kill_running()
    assert process.wait(TEST_TIMEOUT) == -signal.SIGKILL


def test_a_program_that_does_not_exist() -> None:
    with pytest.raises(FileNotFoundError):
        start(UNPROTECTED, ["/nonexistent"], View(Path("/")), Limits(), stdout=subprocess.DEVNULL)


@loop_over(("status", "expected"), [(0, 0), (3, 3), (128, 128), (137, -9), (255, 255)])
def test_exit_statuses_of_bubblewrap(status: int, expected: int) -> None:
    assert exit_status(status) == expected
    assert describe_status(3) == "ended with status 3"
    assert describe_status(-11) == "ended with SIGSEGV"
    assert describe_status(-50) == "ended with signal 50"
