"""Builds that are kept: built once, stored with their failures, and started for their times."""

import os
from pathlib import Path

import pytest

from arena.grading import builds as module
from arena.grading.builds import RECORD, Build, Builds
from arena.grading.collect import Submission
from arena.grading.settings import parse_settings
from arena.sandbox.run import Stopped
from arena.sandbox.sandbox import UNPROTECTED
from tests.support.cases import loop_over
from tests.support.grading.classes import program

MAIN = "import sys\nprint(sys.argv, '\\nMove: 1')\n"


def submission(folder: Path, name: str, **files: str) -> Submission:
    """Write a submission with files, of which `main` is the program."""
    path = folder / "submissions" / name
    path.mkdir(parents=True, exist_ok=True)
    for stem, text in files.items():
        (path / f"{stem}.py").write_text(text)
    return Submission(name, {"": path})


def built(folder: Path, *submissions: Submission, settings: str = "") -> list[Build]:
    """Build submissions in the folder that all builds of a test have."""
    found = Builds(folder / "builds", UNPROTECTED, parse_settings(settings))
    with found.build(submissions, jobs=2) as futures:
        return [future.result() for future in futures]


def test_a_program_runs_in_its_own_folder(tmp_path: Path) -> None:
    [build] = built(tmp_path, submission(tmp_path, "ada", main=MAIN))
    assert (build.name, build.command, build.failure) == ("ada", ("python3", "./main.py"), "")
    assert (build.folder / "main.py").read_text() == MAIN
    assert "ada" not in str(build.folder.relative_to(tmp_path))
    assert (tmp_path / "builds").stat().st_mode & 0o077 == 0


def test_equal_submissions_have_different_folders(tmp_path: Path) -> None:
    same = [submission(tmp_path, name, main=MAIN) for name in ("ada", "bob")]
    ada, bob = built(tmp_path, *same)
    assert ada.folder != bob.folder


def test_failures_have_a_reason_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"PK")
    failed = built(
        tmp_path,
        submission(tmp_path, "eva", main="print(\x1b[31m"),
        submission(tmp_path, "none"),
        Submission("zip", {"": tmp_path / "no.zip"}),
    )
    assert [build.command for build in failed] == [()] * 3
    syntax, none, invalid = (build.failure for build in failed)
    assert syntax.startswith("the build failed: SyntaxError: ")
    assert syntax.isprintable()
    assert none.startswith("no program found (hand in ")
    assert invalid.startswith("invalid zip file: ")


def test_a_program_that_no_plan_could_name(tmp_path: Path) -> None:
    [build] = built(tmp_path, submission(tmp_path, "ada", **{"m\udcff": MAIN}))
    assert build.failure == "the name of a file is not in UTF-8: python3 ./m?.py ."


def test_a_missing_tool_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = submission(tmp_path, "ada", main=MAIN)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        [build] = built(tmp_path, ada)
        assert build.failure == "python3 is not installed (apt-get install python3)"
    assert not built(tmp_path, ada)[0].failure


COUNTING = "[default]\nbuild = 'sh -c \"echo x >> {}; exit {}\"'\n"


@loop_over("status", [0, 1])
def test_only_what_is_missing_is_built(tmp_path: Path, status: int) -> None:
    ada, runs = submission(tmp_path, "ada", main=MAIN), tmp_path / "runs"
    settings = COUNTING.format(runs, status)
    [first] = built(tmp_path, ada, settings=settings)
    assert built(tmp_path, ada, settings=settings) == [first]
    assert bool(first.failure) == bool(status)
    assert runs.read_text() == "x\n"


@loop_over("content", [None, b"{"])
def test_an_unfinished_build_is_built_again(tmp_path: Path, content: bytes | None) -> None:
    ada, runs = submission(tmp_path, "ada", main=MAIN), tmp_path / "runs"
    settings = COUNTING.format(runs, 0)
    [first] = built(tmp_path, ada, settings=settings)
    record = first.folder.parent / RECORD
    record.unlink()
    if content:
        record.write_bytes(content)
    (first.folder / "main.py").write_text("unfinished")
    assert built(tmp_path, ada, settings=settings) == [first]
    assert (first.folder / "main.py").read_text() == MAIN
    assert runs.read_text() == "x\nx\n"


def test_a_changed_submission_has_another_folder(tmp_path: Path) -> None:
    [before] = built(tmp_path, submission(tmp_path, "ada", main=MAIN))
    [after] = built(tmp_path, submission(tmp_path, "ada", main=MAIN, more="x = 1"))
    assert before.folder != after.folder


def test_a_build_that_is_stopped_is_not_stored(tmp_path: Path) -> None:
    ada, begun = submission(tmp_path, "ada", main=MAIN), tmp_path / "begun"
    os.mkfifo(begun)
    settings = f"[default]\nbuild = 'sh -c \"echo > {begun}; exec sleep 600\"'\n"
    found = Builds(tmp_path / "builds", UNPROTECTED, parse_settings(settings))
    with found.build([ada], jobs=1) as futures:
        assert begun.read_text() == "\n"  # the build is running
    assert isinstance(futures[0].exception(), Stopped)
    assert not [*(tmp_path / "builds").glob(f"*/{RECORD}")]


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("exit 3", "ended with status 3"),
        ("exec sleep 600", "took more than 0.5 s"),
        ("echo", "printed no line 'Move:'"),
        ("echo Move: none", "printed 'none' as Move, not a number"),
        ("echo Move: 1", ""),
    ],
)
def test_a_program_that_prints_no_move_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, failure: str
) -> None:
    monkeypatch.setattr(module, "START_SECONDS", 0.5 if failure.startswith("took") else 60.0)
    ada, log = submission(tmp_path, "ada", main=""), tmp_path / "log"
    settings = f"[default]\nrun = 'sh -c \"echo x >> {log}; {text}\"'\n"
    for _ in range(2):
        [build] = built(tmp_path, ada, settings=settings)
        assert build.failure == (f"at a trial start, the program {failure}" if failure else "")
    assert log.read_text() == "x\n"  # the outcome is stored


def test_a_start_is_measured_once(tmp_path: Path) -> None:
    ada, log = submission(tmp_path, "ada", main=""), tmp_path / "log"
    settings = f"[default]\nrun = 'sh -c \"echo x >> {log}; echo Move: 1\"'\n"
    [build] = built(tmp_path, ada, settings=settings)
    found = Builds(tmp_path / "builds", UNPROTECTED, parse_settings(settings))
    seconds = found.start_seconds(build)
    assert 0 < seconds < module.START_SECONDS
    assert found.start_seconds(build) == seconds
    assert log.read_text() == "x\n" * 3  # the trial, and two of which the faster one counts


def test_a_program_that_hangs_is_started_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_SECONDS", 0.2)
    build = program(tmp_path, f"echo x >> {tmp_path}/log; exec sleep 600")
    found = Builds(tmp_path / "builds", UNPROTECTED, parse_settings(""))
    assert found.start_seconds(build) == 0.2
    assert (tmp_path / "log").read_text() == "x\n"
