"""Processes with a time limit."""

import sys
from pathlib import Path

import psutil
import pytest

from tests.support.polling import wait_until
from tools.mutants.process import run

PARENT = """
import subprocess, sys
child = [sys.executable, "-c", "import time; time.sleep(600)"]
print(subprocess.Popen(child, start_new_session=True).pid, flush=True)
"""


def test_status_and_output_are_returned(tmp_path: Path) -> None:
    script = "import os, sys; print(os.environ['A'], os.getcwd()); sys.exit(3)"
    ended = run([sys.executable, "-c", script], tmp_path, {"A": "b"}, 60)
    assert ended == (3, f"b {tmp_path}\n")


def test_a_process_ends_at_the_limit(tmp_path: Path) -> None:
    script = "import time; print('begun', flush=True); time.sleep(600)"
    assert run([sys.executable, "-c", script], tmp_path, {}, 0.5).status is None


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="shows the environment of processes")
def test_no_process_is_left_behind(tmp_path: Path) -> None:
    ended = run([sys.executable, "-c", PARENT], tmp_path, {}, 60)
    assert ended.status == 0
    wait_until(lambda: not _is_running(int(ended.output)), "the end of the child")


def _is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
