"""`arena class`: real submissions are built and play."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from arena.grading.builds import Builds
from arena.model.results import Termination
from tests.support.grading.classes import FAILING, write_class, write_submission
from tests.support.servers.arena_command import Run
from tests.support.servers.arena_server import read_matches

SUBMISSIONS = Path(__file__).parents[3] / "data" / "submissions"
FAST = ["--sandbox", "auto", "--bots", "random", "--stones", 5, "--seed", 1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two real submissions and one that fails."""
    path = tmp_path / "hw2"
    for name in ("python_right", "python_even"):
        shutil.copytree(SUBMISSIONS / name, path / name)
    return write_submission(path, "eva", FAILING)


def messages(errors: str) -> list[str]:
    """Return the messages, without those about a slow machine or one without bubblewrap."""
    lines = (line.removeprefix("arena: ") for line in errors.splitlines())
    return [line for line in lines if not line.startswith(("not connected after", "programs run "))]


@pytest.mark.slow
def test_an_anonymous_tournament_of_a_given_duration(
    folder: Path, db: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine programs may start so slowly that 10 s are too short.
    monkeypatch.setattr(Builds, "start_seconds", lambda *_: 0.1)
    words = ["class", folder, *FAST, "--db", db, "--anonymous"]
    words += ["--duration", "10s"]
    end = arena(*words)
    assert end.status == 0
    lines = messages(end.err)
    assert lines[0].startswith("submission eva does not take part: at a trial start, the program ")
    assert re.match(r"programs start in \S+ s \(median\); chosen: --rounds 1 --time", lines[1])
    screen = re.fullmatch(r"show on a projector: (http://127\.0\.0\.1:\d+/)\?present", lines[4])
    assert screen
    assert lines[3] == f"people can watch at {screen[1]}"
    assert lines[-2:] == [
        f"show the result on a projector: arena view {db}, with ?present after its URL",
        f"names are in {db}.names.json: arena standings --names {db}",
    ]
    names = json.loads(Path(f"{db}.names.json").read_text())
    assert names.keys() == {"python_even", "python_right"}
    records = read_matches(db)
    players = Counter(name for record in records for name in record.pairing.players)
    assert players == dict.fromkeys(["random", *names.values()], 4)
    assert {record.result.termination for record in records} == {Termination.NO_LEGAL_MOVE}
    assert "python" not in end.out

    again = arena(*words)
    assert (again.status, again.out) == (0, end.out)
    assert len(read_matches(db)) == len(records)

    shown = arena("standings", db, "--names").out
    assert shown.startswith(end.out)
    assert f"\nNames\n  {names['python_even']}: python_even\n" in shown
    facts = json.loads(arena("standings", db, "--names", "--json").out)
    assert facts["names"] == {pseudonym: name for name, pseudonym in names.items()}

    page = db.with_suffix(".html")
    for flags, count in ([], 0), (["--names"], 1):
        assert arena("report", db, "--output", page, *flags).err == ""
        assert page.read_text().count(f"{names['python_even']}: python_even") == count


@pytest.mark.slow
def test_a_tournament_that_was_stopped_continues(tmp_path: Path, db: Path, arena: Run) -> None:
    folder = write_class(tmp_path / "hw2", "ada", "bob")
    words = ["class", folder, *FAST, "--db", db]
    assert not messages(arena(*words, "--quiet").err)
    played = read_matches(db)
    assert len(played) == 6
    builds = {path: path.stat().st_mtime_ns for path in Path(f"{db}.builds").glob("*/build.json")}
    assert arena(*words).status == 0
    assert {path: path.stat().st_mtime_ns for path in builds} == builds


def test_names_of_a_tournament_that_is_not_anonymous(complete: Path, arena: Run) -> None:
    page = complete.with_name("page.html")
    for words in (["standings"], ["report", "--output", page]):
        end = arena(*words, complete, "--names")
        assert (end.status, end.out) == (2, "")
        assert end.err == f"arena: --names: {complete} belongs to no anonymous tournament\n"
    assert not page.exists()


def test_a_folder_that_does_not_exist(db: Path, arena: Run) -> None:
    end = arena("class", "/nonexistent", "--db", db)
    assert (end.status, end.out) == (2, "")
    assert end.err == "arena: /nonexistent: no such file or folder\n"
    assert not db.exists()
