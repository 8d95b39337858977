"""Processor time without collections of garbage."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor

from arena.network.work_time import work_time

SECONDS = 0.05  # of a collection


class _Slow:
    """Garbage that takes long to collect."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        end = time.thread_time() + SECONDS
        while time.thread_time() < end:
            pass


def collected_time() -> float:
    """Return the seconds of this thread's processor time that are not its work."""
    return time.thread_time() - work_time()


def test_collections_are_no_work() -> None:
    before, started = collected_time(), work_time()
    for number in (1, 2):
        _Slow()
        gc.collect()
        assert collected_time() - before >= number * SECONDS
    assert work_time() >= started


def test_a_collection_is_counted_in_its_own_thread() -> None:
    def collect() -> float:
        before = collected_time()
        _Slow()
        gc.collect()
        return collected_time() - before

    gc.collect()
    before = collected_time()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(collect).result() >= SECONDS
    assert collected_time() - before < SECONDS
