"""Processors of matches: each match has one, on which the processes of its bots run."""

import os
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.runner.processes import Processes
from arena.sandbox.process import descendants


class Affinity(Observer):
    """Lets the processes of the bots in a match run on the processor of the match alone.

    A bot in several matches has the processors of all of them. Bots that connect by themselves are
    left as they are.
    """

    def __init__(self, processes: Processes, processors: Iterable[int]) -> None:
        """Pin nothing yet.

        Args:
            processes: The processes of the bots.
            processors: The numbers of the processors, at least as many as simultaneous matches.
        """
        self._processes = processes
        self._free = deque(processors)
        self._matches: dict[int, tuple[int, Pairing]] = {}  # the processor, by match

    def started(self, match: int, pairing: Pairing) -> None:
        """Give a match a processor of its own."""
        self._matches[match] = self._free.popleft(), pairing
        self._pin(pairing)

    def finished(self, record: MatchRecord) -> None:
        """Take the processor of a match back."""
        processor, pairing = self._matches.pop(record.id)
        self._free.append(processor)
        self._pin(pairing)

    def _pin(self, pairing: Pairing) -> None:
        """Move the players of a match to the processors of their matches."""
        for name in pairing.players:
            own = {number for number, other in self._matches.values() if name in other.players}
            process = self._processes.find(name)
            if own and process and process.pid:
                pin(process.pid, own)


def pin(pid: int, processors: Iterable[int]) -> None:
    """Let a process and its descendants run on some processors alone, on Linux."""
    for each in descendants(pid):
        with suppress(OSError):  # it has ended
            for thread in Path(f"/proc/{each}/task").iterdir():
                with suppress(OSError):
                    os.sched_setaffinity(int(thread.name), processors)
