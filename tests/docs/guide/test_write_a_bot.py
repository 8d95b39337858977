"""The guide for authors of bots: its bots work."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.servers.arena_command import (
    COMMAND,
    running_process,
    scripted_bots,
    wait_for_exit,
    wait_for_line,
    wait_for_url,
)

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "guide" / "write-a-bot.md").read_text()


def block(kind: str) -> str:
    """Return the only code block of a kind."""
    [found] = re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.M | re.S)
    return str(found)


def test_the_shell_bot_is_that_of_the_line_protocol() -> None:
    lines = (ROOT / "docs" / "reference" / "lines.md").read_text()
    assert f"```sh\n{block('bot')}```" in lines


def test_the_python_bot_plays(db: Path, tmp_path: Path) -> None:
    program = tmp_path / "mybot.py"
    arena = [*COMMAND, "serve", "--port", "0", "--db", db, "--stones", "7"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with running_process(*arena) as process:
        url = wait_for_url(process)
        program.write_text(block("python").replace("ws://127.0.0.1:8765/play", url))
        mybot = running_process(sys.executable, program, err=subprocess.DEVNULL, env=environment)
        with scripted_bots(url, "opponent"), mybot:
            assert wait_for_line(process, r"\[\d+\] match .*(mybot)") == "mybot"
            process.terminate()
            wait_for_exit(process)
