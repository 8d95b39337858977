"""Threads that run programs: all work in order, and its end at any time."""

import os
import threading
from pathlib import Path

from arena.sandbox.limits import Limits, View
from arena.sandbox.run import ProgramThreads, Stopped, run
from arena.sandbox.sandbox import UNPROTECTED
from tests.support.polling import TEST_TIMEOUT


def test_results_are_in_order() -> None:
    with ProgramThreads().run(str, [3, 1, 2], threads=2) as futures:
        assert [future.result() for future in futures] == ["3", "1", "2"]


def test_all_work_is_done_at_the_same_time() -> None:
    barrier = threading.Barrier(3, timeout=TEST_TIMEOUT)
    with ProgramThreads().run(lambda _: barrier.wait(), range(3), threads=3) as futures:
        assert sorted(future.result() for future in futures) == [0, 1, 2]


def test_programs_are_killed_at_the_end_and_the_rest_is_not_begun(tmp_path: Path) -> None:
    threads, begun = ProgramThreads(), tmp_path / "begun"
    os.mkfifo(begun)
    started: list[int] = []

    def work(item: int) -> None:
        started.append(item)
        for _ in range(2):  # the second one is started although the first one was killed
            words = ["sh", "-c", f"echo > {begun}; exec sleep 600"]
            run(UNPROTECTED, words, View(tmp_path), Limits(), 60.0)
            begun.unlink(missing_ok=True)
        threads.check()

    with threads.run(work, range(3), threads=1) as futures:
        assert begun.read_text() == "\n"
    assert started == [0]
    assert isinstance(futures[0].exception(), Stopped)
    assert futures[1].cancelled()
    assert futures[2].cancelled()
