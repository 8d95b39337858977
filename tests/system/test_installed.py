"""The installed package: what it has, and its commands in a folder without anything of it."""

import subprocess
import sysconfig
from pathlib import Path

SCRIPTS = Path(sysconfig.get_path("scripts"))


def run(folder: Path, *command: str) -> str:
    """Return what an installed command prints in a folder."""
    command = (str(SCRIPTS / command[0]), *command[1:])
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_the_spec_command_line_works(tmp_path: Path) -> None:
    output = run(tmp_path, "python", "-m", "core.take_stones", "7", "3", "1", "4", "2", "3")
    assert output.startswith("Move: 6\n")


def test_the_arena_plays_a_tournament(tmp_path: Path) -> None:
    output = run(tmp_path, "arena", "tournament", "--bots", "random", "spec:2", "--stones", "20")
    assert "2 of 2 matches" in output


def test_stubs_sources_and_boards_are_installed(tmp_path: Path) -> None:
    script = "import core, pathlib; print(*pathlib.Path(core.__file__).parent.rglob('*'))"
    installed = run(tmp_path, "python", "-c", script)
    assert {"py.typed", "search.pyi", "board.pyi", "board.pxd", "board.js", "board.css"} <= {
        Path(name).name for name in installed.split()
    }
