"""Memory and number of processes."""

import os
import subprocess
import sys

from arena.sandbox.process import Usage, descendants, usage

TREE = """
import subprocess, sys
data = b"x" * 2**25
child = subprocess.Popen(["sleep", "3600"])
print(child.pid, flush=True)
sys.stdin.read()
child.kill()
"""


def test_a_process_with_its_child() -> None:
    command = [sys.executable, "-c", TREE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        assert descendants(process.pid) == [process.pid, child]
        found = usage(process.pid)
        assert found.processes == 2
        assert found.memory > 2**25
    assert child not in descendants(os.getpid())


def test_a_process_that_has_ended() -> None:
    with subprocess.Popen(["true"]) as process:
        pass
    assert usage(process.pid) == Usage(1, 0)
