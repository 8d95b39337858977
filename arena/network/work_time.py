"""Processor time of a thread, without that of collections of garbage.

A collection visits the objects of all clients, and begins in the work for any of them. Beside a
thousand connections it takes 0.1 s, for which that client cannot be made to pay.
"""

import gc
import threading
import time
from collections.abc import Mapping


class _Collections(threading.local):
    begun = 0.0
    total = 0.0  # seconds of the thread's processor time


_collections = _Collections()


def _count(phase: str, _: Mapping[str, int]) -> None:
    if phase == "start":
        _collections.begun = time.thread_time()
    else:
        _collections.total += time.thread_time() - _collections.begun


gc.callbacks.append(_count)


def work_time() -> float:
    """Return the seconds that the calling thread has worked, collections of garbage left out."""
    return time.thread_time() - _collections.total
