"""Affinity: the processes of a match run on its processor."""

import os
import shlex
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.model.results import Pairing
from arena.runner.entrants import Affinity, pin
from arena.runner.processes import Process, Processes
from bots.specification import BotSpec
from tests.support.polling import wait_until
from tests.support.tournaments.records import make_record

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs two processors, on Linux",
)

URL = "ws://127.0.0.1:1/play"
# A process with two threads and a child.
PROGRAM = """
import subprocess, sys, threading
threading.Thread(target=sys.stdin.read).start()
subprocess.Popen(["sleep", "1000"])
print("ready", file=sys.stderr, flush=True)
"""


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """Run the bots ann and bob."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    with Processes() as running:
        for name in ("ann", "bob"):
            running.launch(
                name, BotSpec.parse(f"cmd:{shlex.quote(sys.executable)} {program}"), URL, 1, 1
            )
            process = running.find(name)
            assert process
            wait_until(partial(has_started, process), "the start of the bot's child")
        yield running
        for name in ("ann", "bob"):
            process = running.find(name)
            assert process
            process.end()


def has_started(process: Process) -> bool:
    return len(threads(process.pid)) == 3


def threads(pid: int | None) -> list[int]:
    """Return the threads of a process and of its children."""
    found = [int(path.name) for path in Path(f"/proc/{pid}/task").iterdir()]
    for thread in [*found]:
        children = Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        found += [each for child in children for each in threads(int(child))]
    return found


def affinities(processes: Processes, name: str) -> set[frozenset[int]]:
    process = processes.find(name)
    assert process
    return {frozenset(os.sched_getaffinity(thread)) for thread in threads(process.pid)}


def pairing(one: str, two: str) -> Pairing:
    return Pairing(1, (one, two), "take_stones", {"stones": 7})


def test_the_processes_of_a_match_run_on_its_processor(processes: Processes) -> None:
    first, second = sorted(os.sched_getaffinity(0))[:2]
    affinity = Affinity(processes, [first, second])
    affinity.started(5, pairing("ann", "guest"))
    affinity.started(6, pairing("bob", "guest"))
    assert affinities(processes, "ann") == {frozenset({first})}
    assert affinities(processes, "bob") == {frozenset({second})}
    affinity.finished(make_record(pairing("ann", "guest"), attempt=5))
    affinity.started(7, pairing("bob", "ann"))
    assert affinities(processes, "ann") == {frozenset({first})}
    assert affinities(processes, "bob") == {frozenset({first, second})}
    affinity.finished(make_record(pairing("bob", "guest"), attempt=6))
    assert affinities(processes, "bob") == {frozenset({first})}


def test_a_process_that_has_ended_is_left_alone() -> None:
    pin(2**22 + 1, [0])  # above the highest process id
