"""The manual page: complete, and without a warning of the formatter."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.parser import parser

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the page with the command of the Makefile."""
    lines = (ROOT / "Makefile").read_text().split("argparse-manpage")[1].split("\n\n")[0]
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {lines}"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    words[words.index("--output") + 1] = str(path := tmp_path_factory.mktemp("man") / "arena.1")
    program = Path(sys.executable).with_name("argparse-manpage")
    subprocess.run([program, *words], check=True)
    return path


def test_each_command_and_each_flag_is_there(page: Path) -> None:
    text = page.read_text().replace("\\-", "-")
    [commands] = (action.choices for action in parser()._actions if action.dest == "command")
    assert isinstance(commands, dict)
    for name, command in commands.items():
        assert f"arena {name}" in text
        flags = {each.option_strings[-1] for each in command._actions if each.option_strings}
        assert not {flag for flag in flags - {"--help"} if flag not in text}, name


@pytest.mark.needs("groff")
def test_the_formatter_has_no_warning(page: Path) -> None:
    ended = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, check=True)
    assert ended.stderr == b""
