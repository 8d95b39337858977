"""The benchmark of attacks leaves nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox.process import IS_SUPPORTED
from tests.support.grading.sandboxes import processes_with, wait_for_end_of
from tests.support.polling import wait_until

ROOT = Path(__file__).parents[2]
STARTER = """
import os, time
from bench.arena.attacks.arena_command import running_arena, vanishing_folder
CORE = min(os.sched_getaffinity(0))
with vanishing_folder() as folder, running_arena(folder, CORE):
    print(folder, flush=True)
    time.sleep(3600)
"""


@pytest.mark.skipif(not IS_SUPPORTED, reason="the benchmark needs Linux")
def test_a_killed_benchmark_leaves_no_arena_and_no_files() -> None:
    command = [sys.executable, "-c", STARTER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout
        folder = Path(starter.stdout.readline().strip())
        database = str(folder / "arena.db")
        assert processes_with(database)
        starter.kill()
    wait_for_end_of(database)
    wait_until(lambda: not folder.exists(), f"the end of {folder}")
