"""Files of --logs: what they hold, and what refuses them."""

from pathlib import Path

import pytest

from arena.cli.tournament_output import MESSAGES
from arena.storage.reader import DatabaseReader
from tests.support.cases import loop_over
from tests.support.servers.arena_command import (
    SMALL,
    CompletedCommand,
    Run,
)

NONSENSE = """#!/bin/sh
echo "started" >&2
while read -r line; do echo "move: 8"; echo "again"; echo "Move 8" >&2; done
"""
CRASH = """#!/bin/sh
read -r line
echo "no such stone" >&2
exit 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with programs."""
    for name, text in {"nonsense": NONSENSE, "crash": CRASH}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o700)
    return tmp_path


def play(arena: Run, folder: Path, bot: str, *words: object) -> CompletedCommand:
    """Play a bot of the folder that loses by forfeit."""
    flags = ["--bots", "greedy", bot, "--bot-files", folder, "--db", folder / "x.db"]
    size = ["--stones", 7, "--time", 2, "--concurrency", 2]
    return arena("tournament", *flags, *size, *words)


@pytest.mark.usefixtures("measured")
def test_nonsense(folder: Path, arena: Run) -> None:
    end = play(arena, folder, "nonsense=stdio:./nonsense", "--logs", folder / "logs")
    notice = "arena: bot nonsense: ignored output 'move: 8' (expected a number or resign)\n"
    assert end.err.count(notice) == end.err.count("ignored output") == 1
    assert 'last output: "' in end.out
    lines = (folder / "logs" / "nonsense.log").read_text().splitlines()
    assert lines.count("started") == lines.count("Move 8") == 2  # a copy for each match
    for text in ("move: 8", "again"):
        ignored = f"bots: ignored output '{text}' (expected a number or resign)"
        assert lines.count(ignored) == 2
    assert (folder / "logs" / "greedy.log").read_text() == ""
    with DatabaseReader(folder / "x.db") as records:
        assert ["ignored output 'again'" in record.log for record in records.forfeits()] == [
            True,
            True,
        ]


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["crash=stdio:./crash", "python:mybot:Bot"])
def test_the_words_of_a_crash_are_in_the_standings(folder: Path, arena: Run, bot: str) -> None:
    (folder / "mybot.py").write_text(
        "class Bot:\n  def choose(self, position, clock): raise ValueError('no such stone')"
    )
    end = play(arena, folder, bot)
    forfeits = end.out.partition("Forfeits\n")[2].splitlines()
    assert len(forfeits) == 2
    assert all("; last output: " in line and "no such stone" in line for line in forfeits)
    page = folder / "page.html"
    assert arena("report", folder / "x.db", "--output", page).status == 0
    assert page.read_text().count("<dt>Last output</dt>") == 2
    assert not (folder / "logs").exists()


@pytest.mark.slow
def test_messages_on_a_full_disk(db: Path, tmp_path: Path, arena: Run) -> None:
    path = tmp_path / "messages.jsonl"
    path.symlink_to("/dev/full")
    end = arena(*SMALL, "--db", db, "--logs", tmp_path)
    assert end.status == 0
    line = f"cannot write {path}: No space left on device; the matches go on without it"
    assert end.err.count(line) == 1
    assert "6 of 6 matches" in end.out


@loop_over(
    "words, problem",
    (["--logs", "/dev/null"], "--logs: /dev/null is not a folder"),
    (["--logs", "x", "--workers"], "--logs has no meaning in process, where no bot connects"),
)
def test_files_that_cannot_be_used(db: Path, arena: Run, words: list[str], problem: str) -> None:
    assert arena(*SMALL, "--db", db, *words) == CompletedCommand(2, "", f"arena: {problem}\n")
    assert not db.exists()


def test_a_folder_in_the_place_of_the_messages(db: Path, arena: Run, tmp_path: Path) -> None:
    (tmp_path / MESSAGES).mkdir()
    line = f"arena: cannot write --logs {tmp_path / MESSAGES}: Is a directory\n"
    assert arena(*SMALL, "--db", db, "--logs", tmp_path) == CompletedCommand(2, "", line)
    assert not db.exists()
