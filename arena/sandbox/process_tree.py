"""Memory and number of the processes that a process has started, from /proc."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

KILOBYTE = 1024


class Usage(NamedTuple):
    """Use of a process and its descendants.

    Attributes:
        processes: Their number.
        memory: Their memory, without files that the system could read again. Bytes.
    """

    processes: int
    memory: int


def descendants(pid: int) -> list[int]:
    """Return a process and all that it has started, directly or not, the oldest first.

    A process whose parent has ended is found if it is in the same process namespace, which gives
    it a new parent in there.
    """
    found = [pid]
    for parent in found:
        found.extend(_children(parent))
    return found


def usage(pid: int) -> Usage:
    """Return the number and the memory of a process and its descendants."""
    found = descendants(pid)
    return Usage(len(found), sum(map(_memory, found)))


def _children(pid: int) -> Iterator[int]:
    with suppress(OSError):  # it has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                yield from map(int, (thread / "children").read_text().split())


def _memory(pid: int) -> int:
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        sizes = (
            line.split() for line in lines if line.startswith(("RssAnon:", "RssShmem:", "VmSwap:"))
        )
        return sum(int(size) for _, size, _ in sizes) * KILOBYTE
    return 0
