"""Programs and the operator's terminal: they neither type into it nor survive its end."""

import os
import pty
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.sandbox.sandbox import Protection
from tests.support.grading.sandboxes import processes_with, wait_for_end_of
from tests.support.polling import TEST_TIMEOUT, wait_until
from tests.support.tools import need

ROOT = Path(__file__).parents[3]
IS_ROOT = os.geteuid() == 0
CTRL_C = b"\x03"

# Commands of an operator, which make the pseudo-terminal their own, like a shell.
BEGIN = """
import array, fcntl, os, signal, sys, termios
from pathlib import Path
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup lets the tests ignore it
terminal = os.open(sys.argv[1], os.O_RDWR)
assert os.tcgetpgrp(terminal) == os.getpgrp()
from arena.sandbox.limits import Limits, View
from arena.sandbox.process import start
from arena.sandbox.run import run
from arena.sandbox.sandbox import Protection, Sandbox
sandbox = Sandbox(Protection(sys.argv[2]), is_root=os.geteuid() == 0)
view = View(Path("/"), tuple(map(Path, sys.argv[3].split())))
"""
RUN = f"""{BEGIN}
ended = run(sandbox, sys.argv[4:], view, Limits(), 3600)
typed = array.array("i", [0])
fcntl.ioctl(terminal, termios.FIONREAD, typed)
print(typed[0], ended.output + ended.errors, flush=True)
"""
START = f"""{BEGIN}
process = start(sandbox, sys.argv[4:], view, Limits())
print(flush=True)
process.wait()
"""

TYPE = """
import fcntl, os, sys, termios
def type_into(number):
    for letter in b"id\\n":
        fcntl.ioctl(number, termios.TIOCSTI, bytes([letter]))
for path in ("/dev/tty", sys.argv[1], *range(64)):
    try:
        type_into(path if isinstance(path, int) else os.open(path, os.O_RDWR))
        print("typed into", path)
    except OSError:
        pass
"""


@dataclass
class Terminal:
    """Pseudo-terminal.

    Attributes:
        keyboard: The descriptor that types.
        path: The path of the terminal.
    """

    keyboard: int
    path: str

    def start(
        self, script: str, protection: Protection, *command: str, visible: str = ""
    ) -> "subprocess.Popen[bytes]":
        """Start an operator's command in the terminal, which starts a program."""
        words = [sys.executable, "-c", script, self.path, protection.value, visible, *command]
        return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True)

    def hang_up(self, _number: int = 0) -> None:
        """Close the terminal, as its window does."""
        os.close(self.keyboard)
        self.keyboard = -1


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    keyboard, screen = pty.openpty()
    found = Terminal(keyboard, os.ttyname(screen))
    os.close(screen)
    yield found
    if found.keyboard >= 0:
        found.hang_up()


@pytest.mark.parametrize("protection", Protection)
def test_a_program_has_no_terminal(terminal: Terminal, protection: Protection) -> None:
    if protection is Protection.ISOLATED:
        need("bubblewrap")
    with terminal.start(RUN, protection, "sh", "-c", "exec 3<>/dev/tty; echo opened") as operator:
        output = operator.communicate(timeout=TEST_TIMEOUT)[0].decode()
    assert "/dev/tty" in output  # which the shell cannot open
    assert "opened" not in output


@pytest.mark.parametrize("protection", [Protection.ISOLATED, Protection.LIMITED])
@pytest.mark.parametrize("has_other_user", [True, False])
def test_a_program_cannot_type(
    terminal: Terminal, protection: Protection, has_other_user: bool, tmp_path: Path
) -> None:
    """Without isolation root's program has another user unless that one cannot enter a folder."""
    if protection is Protection.ISOLATED:
        need("bubblewrap")
    python = Path(sys.executable).resolve()
    if protection is Protection.LIMITED and has_other_user and IS_ROOT:
        python = Path(shutil.which("python3", path="/usr/bin:/usr/local/bin") or python)
    tmp_path.chmod(0o700)
    visible = f"{python.parents[1]} {'' if has_other_user else tmp_path}"
    with terminal.start(
        RUN, protection, str(python), "-c", TYPE, terminal.path, visible=visible
    ) as operator:
        assert operator.communicate(timeout=TEST_TIMEOUT)[0] == b"0 b''\n"


Ending = Callable[[Terminal, "subprocess.Popen[bytes]"], object]
ENDINGS: dict[str, Ending] = {
    "Ctrl-C": lambda terminal, _: os.write(terminal.keyboard, CTRL_C),
    "hang-up": lambda terminal, _: terminal.hang_up(),
    "SIGTERM": lambda _, operator: operator.terminate(),
    "SIGKILL": lambda _, operator: operator.kill(),
}


@pytest.mark.parametrize(
    ("protection", "ending"),
    [
        pytest.param(protection, ending, marks=() if is_fast else pytest.mark.slow)
        for protection in Protection
        for ending in ENDINGS
        for is_fast in [protection is Protection.LIMITED or ending == "SIGKILL"]
    ],
)
def test_no_program_survives_the_command(
    terminal: Terminal, protection: Protection, ending: str
) -> None:
    if protection is Protection.ISOLATED:
        need("bubblewrap")
    marker = f"marker-{uuid.uuid4()}"
    script = "trap '' INT HUP TERM; while :; do sleep 3600; done"
    command = ("sh", "-c", f'sh -c "{script}" {marker} & {script}')
    with terminal.start(START, protection, *command) as operator:
        assert operator.stdout
        assert operator.stdout.readline() == b"\n"
        wait_until(lambda: processes_with(marker), "the program")
        ENDINGS[ending](terminal, operator)
        operator.wait(TEST_TIMEOUT)
    wait_for_end_of(marker)
