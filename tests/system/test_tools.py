"""Tests whose tool the machine lacks are skipped by name, or fail where CI has installed it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDS_GROFF = "tests/docs/test_manual_page.py::test_the_formatter_has_no_warning"


@pytest.mark.parametrize(
    ("required", "status", "line"),
    [
        ("", 0, "missing on this machine, and the tests skipped for it: groff (1)"),
        ("JDK groff", 1, "Failed: REQUIRED_TOOLS names groff, which this machine lacks"),
    ],
)
def test_a_missing_tool(required: str, status: int, line: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", NEEDS_GROFF]
    environment = os.environ | {"PATH": "/nonexistent", "REQUIRED_TOOLS": required}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == status, ended.stdout
    assert line in ended.stdout
