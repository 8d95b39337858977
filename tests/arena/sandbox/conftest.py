"""Sandboxes for tests, and programs that run in them."""

import os
import sys
from pathlib import Path

import pytest

from arena.sandbox.limits import MEGABYTE, Limits, Policy, View
from arena.sandbox.run import Run, run
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.visible_files import view_from
from tests.support.grading.sandboxes import Runner
from tests.support.polling import TEST_TIMEOUT
from tests.support.tools import need

SMALL = Limits(memory=128 * MEGABYTE, processes=40, scratch=MEGABYTE)


@pytest.fixture
def isolated() -> Sandbox:
    """Return the sandbox of bubblewrap."""
    need("bubblewrap")
    return Sandbox.of(Policy.REQUIRE)


@pytest.fixture
def run_python(isolated: Sandbox, tmp_path: Path) -> Runner:
    """Return a function that runs a program in Python, which sees its own folder."""
    folder = tmp_path / "own"
    folder.mkdir()

    def run_text(
        text: str,
        *arguments: object,
        limits: Limits = SMALL,
        writable: tuple[Path, ...] = (),
        network: bool = False,
        seconds: float = TEST_TIMEOUT,
        sandbox: Sandbox = isolated,
    ) -> Run:
        script = folder / "program.py"
        script.write_text(text)
        command = [sys.executable, str(script), *map(str, arguments)]
        seen = view_from(command[:2], folder, Path("/nonexistent"))
        view = View(folder, seen.read_only, writable, network)
        for path in writable:
            sandbox.hand_over(path)
        return run(sandbox, command, view, limits, seconds)

    tmp_path.chmod(0o755)
    assert os.access(folder, os.R_OK)
    return run_text
