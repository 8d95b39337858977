"""Lifelines: programs end with the process that has started them, however it ends."""

import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from arena.sandbox.limits import Limits, View
from arena.sandbox.process import IS_SUPPORTED, Lifeline, start
from arena.sandbox.sandbox import UNPROTECTED, Protection, Sandbox
from tests.support.cases import loop_over
from tests.support.grading.sandboxes import processes_with, wait_for_end_of
from tests.support.polling import TEST_TIMEOUT

pytestmark = pytest.mark.skipif(not IS_SUPPORTED, reason="only Linux signals the end of a pipe")

ROOT = Path(__file__).parents[3]
STARTER = """
import sys, time
from pathlib import Path
from arena.sandbox.limits import Limits, View
from arena.sandbox.process import start
from arena.sandbox.sandbox import Protection, Sandbox
sandbox = Sandbox(Protection(sys.argv[1]), is_root=False)
script = "sh -c 'trap \\"\\" TERM; echo; while :; do sleep 3600; done' " + sys.argv[2] + " & wait"
process = start(sandbox, ["sh", "-c", script], View(Path("/")), Limits())
process.process.stdout.readline()
print(flush=True)
time.sleep(3600)
"""


@loop_over("protection", [Protection.NONE, Protection.LIMITED])
def test_programs_and_their_children_end_with_a_killed_process(protection: Protection) -> None:
    marker = f"marker-{uuid.uuid4()}"
    command = [sys.executable, "-c", STARTER, protection.value, marker]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as starter:
        assert starter.stdout
        assert starter.stdout.readline()
        assert len(processes_with(marker)) > 1  # besides the starter
        starter.kill()
    wait_for_end_of(marker)


@loop_over("sandbox", [UNPROTECTED, Sandbox(Protection.LIMITED, is_root=False)])
def test_what_a_program_leaves_behind_ends_with_it(sandbox: Sandbox) -> None:
    marker = f"marker-{uuid.uuid4()}"
    script = f"sh -c 'echo; while :; do sleep 3600; done' {marker} &"
    process = start(sandbox, ["sh", "-c", script], View(Path("/")), Limits())
    with process.process:
        assert process.process.stdout
        assert process.process.stdout.readline() == b"\n"
        assert process.wait(TEST_TIMEOUT) == 0
    wait_for_end_of(marker)


def test_a_lifeline_can_be_closed_at_any_time() -> None:
    lifeline = Lifeline()
    lifeline.close()
    lifeline.close()
