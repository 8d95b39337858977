"""Builds that are kept: built once, stored with their failures, and started for their times."""

import os
from pathlib import Path
from typing import Any

import pytest

from arena.grading import builds as module
from arena.grading.builds import RECORD, Build, Builds, start_seconds
from arena.grading.collect import Submission
from arena.grading.settings import parse_settings
from arena.sandbox.run import Run, run
from arena.sandbox.sandbox import UNPROTECTED
from arena.sandbox.thread_pool import Stopped
from tests.support.cases import loop_over
from tests.support.grading.classes import program

MAIN = "import sys\nprint(sys.argv)\n"


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


def test_a_start_is_measured_twice(tmp_path: Path) -> None:
    assert (
        0
        < start_seconds(program(tmp_path, f"echo x >> {tmp_path}/runs; exit 1"), UNPROTECTED)
        < module.START_SECONDS
    )
    assert (tmp_path / "runs").read_text() == "x\nx\n"


def test_a_program_that_hangs_is_started_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = []

    def count(*arguments: Any) -> Run:
        starts.append(arguments)
        return run(*arguments)

    monkeypatch.setattr(module, "START_SECONDS", 0.2)
    monkeypatch.setattr(module, "run", count)
    assert start_seconds(program(tmp_path, "exec sleep 600"), UNPROTECTED) == 0.2
    assert len(starts) == 1


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    absent = Build("ada", tmp_path, ("./absent",), "")
    assert start_seconds(absent, UNPROTECTED) == module.START_SECONDS


def test_settings_are_those_of_the_submission(tmp_path: Path) -> None:
    bob = submission(tmp_path, "bob", main=MAIN)
    [build] = built(tmp_path, bob, settings="[submissions.bob]\nrun = 'python3 main.py -v'\n")
    assert build.command == ("python3", "main.py", "-v")
