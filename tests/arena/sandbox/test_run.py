"""Runs of programs to their ends, without isolation."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.limits import Limits, View
from arena.sandbox.process import COPYING
from arena.sandbox.run import Run, run
from arena.sandbox.sandbox import UNPROTECTED
from tests.support.polling import TEST_TIMEOUT


def run_shell(text: str, seconds: float = TEST_TIMEOUT) -> Run:
    return run(UNPROTECTED, ["sh", "-c", text], View(Path("/tmp")), Limits(), seconds)


def test_outputs_status_input_and_children() -> None:
    ended = run_shell("pwd; echo problem >&2; exit 3")
    assert (ended.status, ended.output, ended.errors) == (3, b"/tmp\n", b"problem\n")
    assert (ended.excess, ended.is_late) == (None, False)
    assert ended.seconds > 0
    assert run_shell("cat").output == b""
    ended = run_shell("sleep 3600 & echo started")
    assert (ended.status, ended.output, ended.excess) == (0, b"started\n", None)


def test_a_child_that_cannot_be_found_does_not_delay_the_end(tmp_path: Path) -> None:
    # Its parent has ended and it has left the group, so that it keeps the output open.
    ready, release = tmp_path / "ready", tmp_path / "release"
    for pipe in (ready, release):
        os.mkfifo(pipe)
    child = f"echo >{ready}; read line <{release}"
    ended = run_shell(f"(setsid sh -c '{child}' &); read line <{ready}; echo started")
    assert (ended.status, ended.output, ended.is_late) == (0, b"started\n", False)
    release.write_text("")  # which the child waits for


def test_a_program_without_outputs_is_late() -> None:
    ended = run_shell("exec >&- 2>&-; sleep 3600", seconds=0.2)
    assert ended.is_late
    assert ended.excess == "took more than 0.2 s"


def test_no_program_is_started_while_another_one_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the new process could hold the copy open for writing, which prevents its start."""
    excluded = []

    def noted(call: Callable[..., Any]) -> Callable[..., Any]:
        def note(*arguments: Any, **options: Any) -> Any:
            excluded.append((call, COPYING.locked()))
            return call(*arguments, **options)

        return note

    (tmp_path / "main").write_text("#!/bin/sh\necho 1\n")
    (tmp_path / "main").chmod(0o755)
    copy, start = shutil.copy2, subprocess.Popen
    monkeypatch.setattr(shutil, "copy2", noted(copy))
    monkeypatch.setattr(subprocess, "Popen", noted(start))
    ended = run(UNPROTECTED, ["./main"], View(tmp_path, copied=tmp_path), Limits(), TEST_TIMEOUT)
    assert (ended.output, excluded) == (b"1\n", [(copy, True), (start, True)])
    assert not COPYING.locked()
