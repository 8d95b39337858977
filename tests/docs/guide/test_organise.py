"""The guide from an idea to published results: every command works, in the order of the page."""

import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers.arena_command import COMMAND, Run, running_process, wait_for_exit
from tests.support.servers.arena_server import read_matches

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "organise.md").read_text()
BOT = "#!/bin/sh\nwhile read -r line; do legal=${line##*legal=}; echo ${legal%%,*}; done\n"
TOURNAMENT = ["tournament", "cup.toml", "--port", "8765"]


def commands() -> Iterator[list[str]]:
    """Yield the words of the commands of the page, in order."""
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S):
        yield from map(shlex.split, block.splitlines())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change into a folder with the files that the page begins with."""
    place = tmp_path / "one"
    place.mkdir()
    [toml] = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    (place / "cup.toml").write_text(toml)
    (place / "mybot").write_text(BOT)
    (place / "mybot").chmod(0o700)
    monkeypatch.chdir(place)
    return place


def interrupt(folder: Path) -> None:
    """Begin the tournament, and stop it by Ctrl-C after its first match."""
    with running_process(*COMMAND, *TOURNAMENT[:-1], "0", "--events", "-") as process:
        assert process.stdout
        next(line for line in process.stdout if '"event":"finished"' in line)
        process.send_signal(signal.SIGINT)
        assert wait_for_exit(process).status == 130
    assert 0 < len(read_matches(folder / "cup.db")) < 48


@pytest.mark.slow
def test_every_command_works(folder: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    has_begun = False
    for program, *words in commands():
        if program != "arena":
            assert subprocess.run([program, *words], check=True, capture_output=True)
        elif words != TOURNAMENT:
            assert arena(*words).status == 0
        elif not has_begun:
            has_begun = True
            interrupt(folder)
            other = Path(shutil.copytree(folder, folder.parent / "other"))
            monkeypatch.chdir(other)
        else:
            end = arena(*words[:-1], "0", "--quiet")
            assert (end.status, "48 of 48 matches" in end.out) == (0, True)
    assert {path.suffix for path in other.glob("cup.*")} >= {".html", ".svg", ".pgn", ".gz"}
    assert len(read_matches(other / "again.db")) >= 48


def test_the_tournament_is_planned(folder: Path, arena: Run) -> None:
    end = arena("tournament", "cup.toml", "--dry-run")
    assert (end.status, "matches: 48, 0 finished, 2 at once\n" in end.out) == (0, True)
    assert [*commands()].count(["arena", *TOURNAMENT]) == 2
    assert not (folder / "cup.db").exists()
