"""Programs of the assignment as bots, in the sandbox and outside of it."""

import shlex
from pathlib import Path

import pytest

from arena.model.results import Termination
from arena.storage.reader import DatabaseReader
from arena.storage.verify import find_differences
from tests.support.grading.classes import PROGRAM
from tests.support.servers.arena_command import Run

CRASHING = "#!/bin/sh\necho thinking\nexit 3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two programs."""
    tmp_path.chmod(0o755)
    for name, text in ("mybot", PROGRAM), ("crash", CRASHING):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def program(path: Path, kind: str = "program:") -> str:
    return f"{path.name}={kind}{shlex.quote(str(path))}"


@pytest.mark.usefixtures("measured")
def test_a_crash_is_stored_with_its_output(arena: Run, db: Path, folder: Path) -> None:
    bots = [program(folder / "mybot"), program(folder / "crash", "program:depth=4 ")]
    options = ["--stones", "7", "--time", "60+1", "--seed", "1", "--db", db, "--sandbox", "off"]
    assert arena("tournament", "--quiet", "--bots", *bots, *options).status == 0
    with DatabaseReader(db) as reader:
        records = [*reader.matches(moves=True)]
    assert len(records) == 2
    for record in records:
        assert (record.winner, record.loser) == ("mybot", "crash")
        assert record.result.termination is Termination.DISCONNECT
        assert record.result.reason.endswith(" at depth 4 ended with status 3")
        assert record.log == "standard output:\nthinking"
        assert find_differences(record) == []


@pytest.mark.needs("bubblewrap")
def test_the_sandbox(arena: Run, db: Path, folder: Path) -> None:
    options = ["--stones", "7", "--time", "60+1", "--seed", "1", "--db", db, "--sandbox", "require"]
    bots = [program(folder / "mybot"), "greedy"]
    assert arena("tournament", "--quiet", "--bots", *bots, *options).status == 0
    with DatabaseReader(db) as reader:
        assert {record.result.termination for record in reader.matches()} == {
            Termination.NO_LEGAL_MOVE
        }


@pytest.mark.parametrize("command", ["tournament", "serve", "check"])
def test_a_required_sandbox_that_does_not_work(
    arena: Run, db: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is broken")
    bot = program(folder / "mybot")
    words: dict[str, list[str | Path]] = {
        "tournament": ["--bots", bot, "greedy", "--db", db],
        "serve": ["--offer", bot, "--db", db],
        "check": ["--bot", bot.partition("=")[2]],
    }
    end = arena(command, *words[command], "--sandbox", "require")
    assert (end.status, end.out) == (2, "")
    assert end.err == "arena: --sandbox require: it is broken\n"
    assert not db.exists()


def test_no_sandbox_is_said_once(arena: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is broken")
    bots = [program(folder / "mybot"), f"other={program(folder / 'mybot').partition('=')[2]}"]
    end = arena("tournament", "--bots", *bots, "--sandbox", "auto", "--dry-run")
    assert (end.status, end.err.count("not isolated: it is broken\n")) == (0, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("patient_check")
def test_a_program_is_checked(arena: Run, folder: Path) -> None:
    bot = program(folder / "mybot", "program:depth=2 ").partition("=")[2]
    end = arena("check", "--bot", bot, "--sandbox", "off", "--timeout", "60")
    assert end.status == 0, end.out
    assert " 0 FAILED" in end.out
