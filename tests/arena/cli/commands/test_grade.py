"""`arena grade`: real programs in several languages, built and run."""

import csv
import fcntl
import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arena.__main__ import main
from arena.sandbox import sandbox
from tests.support.grading.classes import write_submission
from tests.support.servers.arena_command import Run, running_process, wait_for_exit
from tests.support.tools import need

FOLDER = Path(__file__).parents[3] / "data" / "submissions"
COMMAND = [sys.executable, "-m", "arena", "grade"]
FAST = ["--sandbox", "off", "--cases", "4"]
OPTIONS = ["--cases", "14", "--hardest", "0.02", "--seed", "2", "--sandbox", "auto"]
TOOLS = {"java": "JDK", "javascript": "Node.js"}
DIAGNOSES = {
    "c_prime": "prime-itself-not-counted",
    "c_right": "",
    "java_right": "",
    "java_strict": "cutoff-beyond-bound, negative-zero",
    "javascript_last": "last-of-equal-moves",
    "python_even": "branching-half-even, root-not-counted",
    "python_right": "",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Grade all submissions once, for all workers of pytest; return the folder of the reports."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    output, table = shared / "report", shared / "report" / "table.txt"
    words = ["grade", FOLDER, *OPTIONS, "--output", output, "--junit", shared / "junit.xml"]
    with (shared / "report.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not table.exists():
            with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()):
                assert main([str(word) for word in words]) == 0
            table.write_text(out.getvalue())
    return output


def rows(report: Path) -> dict[str, dict[str, str]]:
    with (report / "grades.csv").open(encoding="utf-8-sig") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


@pytest.mark.slow
@pytest.mark.unmeasured
@pytest.mark.parametrize("name", DIAGNOSES)
def test_a_program_is_built_graded_and_diagnosed(report: Path, name: str) -> None:
    if tool := TOOLS.get(name.partition("_")[0]):
        need(tool)
    row = rows(report)[name]
    assert (row["answered"], row["failure"]) == ("14", "")
    assert row["diagnosis"] == DIAGNOSES[name]
    assert (row["points"] == "100.0") is (not DIAGNOSES[name])


@pytest.mark.slow
def test_the_reports(report: Path) -> None:
    assert report.stat().st_mode & 0o077 == 0  # for the teacher alone
    assert len((report / "table.txt").read_text().splitlines()) == 1 + len(DIAGNOSES)
    assert {
        suite.attrib["name"] for suite in ET.parse(report.with_name("junit.xml")).getroot()
    } == {*DIAGNOSES}
    for name in DIAGNOSES:
        assert name in (report / "index.html").read_text()
        assert (report / "students" / f"{name}.html").exists()


@pytest.mark.slow
@pytest.mark.unmeasured
def test_the_same_command_runs_nothing_again(report: Path, arena: Run) -> None:
    journal = (report / "journal.jsonl").read_bytes()
    end = arena("grade", FOLDER, *OPTIONS, "--output", report)
    assert end.out == (report / "table.txt").read_text()
    assert (report / "journal.jsonl").read_bytes() == journal


# One submission, without a sandbox


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a student's own folder, with a program that starts fast and has no points."""
    return write_submission(tmp_path, "own", "#!/bin/sh\necho Move: 1\n") / "own"


@pytest.fixture
def solver(tmp_path: Path) -> Path:
    """Return a student's own folder, with a program that has points."""
    return Path(shutil.copytree(FOLDER / "python_even", tmp_path / "own"))


def test_a_student_grades_the_working_directory(
    solver: Path, tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(solver)
    junit = tmp_path / "junit.xml"
    end = arena("grade", ".", *FAST, "--junit", junit)
    assert (end.status, end.err) == (0, "")
    assert end.out.startswith("own: 83.33 of 100 points, 0 of 4 cases right\n")
    assert "The root is not counted as a visited node." in end.out
    assert [path.name for path in solver.iterdir()] == ["solver.py"]
    assert [suite.attrib["name"] for suite in ET.parse(junit).getroot()] == ["own"]


def test_gradescope_takes_the_folder_as_a_submission(
    solver: Path, tmp_path: Path, arena: Run
) -> None:
    (tmp_path / "notes").mkdir()
    results = tmp_path / "results.json"
    assert solver.exists()
    arena("grade", tmp_path, *FAST[:2], "--cases", 2, "--gradescope", results)
    assert json.loads(results.read_text())["score"] == 83.33


def test_reports_in_the_folder_of_submissions(own: Path, tmp_path: Path, arena: Run) -> None:
    for name in ("bob.py", "eve.c"):
        (tmp_path / name).write_text("print(")
    for _ in range(2):
        end = arena("grade", tmp_path, *FAST, "--output", tmp_path / "report")
        assert [line.split()[1] for line in end.out.splitlines()[1:]] == ["bob", "eve", own.name]


def test_what_is_left_out_is_named(own: Path, tmp_path: Path, arena: Run) -> None:
    (tmp_path / "eve.txt").touch()
    (tmp_path / "\x1b[31m.txt").symlink_to(own)
    end = arena("grade", tmp_path, *FAST)
    names = "?[31m.txt, eve.txt"
    line = f"arena: left out, as neither a program nor an archive: {names}\n"
    assert (end.status, end.err) == (0, line)
    for number in range(20):
        (tmp_path / f"{number}.txt").touch()
    assert arena("grade", tmp_path, *FAST).err.endswith(" and 12 more\n")


def test_a_dry_run(own: Path, tmp_path: Path, arena: Run) -> None:
    for name in ("bob_1_2_A.py", "bob_1_3_A-1.py", "eve_2_4_A.pdf", "notes.txt"):
        (tmp_path / name).touch()
    end = arena("grade", tmp_path, "--dry-run", *FAST, "--output", tmp_path / "report")
    assert end.err == "arena: left out, as neither a program nor an archive: notes.txt\n"
    none = "no program found: A.pdf (hand in sources with a main program, such as TakeStones.java)"
    assert [line.split(maxsplit=2) for line in end.out.splitlines()] == [
        ["language", "submission", "main program"],
        ["Python", "bob", "A.py; bob_1_3_A-1.py counts, the latest A.py"],
        ["-", "eve", none],
        ["executable", "own", "main"],
    ]
    assert own.exists()
    assert not (tmp_path / "report").exists()


def test_a_missing_tool_is_named(
    solver: Path, tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    end = arena("grade", solver, *FAST)
    reason = "python3 is not installed (apt-get install python3)"
    line = f"arena: warning: {reason}: submissions that need it have no points\n"
    assert (end.status, end.err) == (0, line)
    assert f"own: 0 of 100 points, 0 of 4 cases right\n  {reason}\n" in end.out


def test_settings(solver: Path, tmp_path: Path, arena: Run) -> None:
    (tmp_path / "grade.toml").write_text("[submissions.own]\nrun = 'echo Move: 1'\n")
    assert "without the six lines in 4 cases" in arena("grade", tmp_path, *FAST).out
    assert solver.exists()


def test_settings_of_an_unknown_submission(own: Path, tmp_path: Path, arena: Run) -> None:
    settings = tmp_path / "grade.toml"
    settings.write_text("[submissions.own]\nrun = './main'\n[submissions.ovn]\nrun = 'x'\n")
    end = arena("grade", tmp_path, *FAST)
    assert end.err == f"arena: warning: {settings}: no submission is named ovn\n"
    assert own.exists()


# Invalid arguments


def refusal(arena: Run, *words: object) -> str:
    end = arena("grade", *words)
    assert (end.status, end.out) == (2, "")
    return end.err.removeprefix("arena: ").rstrip("\n")


def test_folders_without_submissions(tmp_path: Path, arena: Run) -> None:
    path = tmp_path / "missing"
    assert refusal(arena, path) == f"{path}: no such file or folder"
    assert refusal(arena, tmp_path) == f"{tmp_path} contains no submission"


@pytest.mark.parametrize("content", [b"x = 1", b"\xff"])
def test_invalid_settings(own: Path, tmp_path: Path, arena: Run, content: bytes) -> None:
    (tmp_path / "grade.toml").write_bytes(content)
    assert own.exists()
    assert refusal(arena, tmp_path).startswith(f"{tmp_path / 'grade.toml'}: ")


def test_what_cannot_be_read(shared_folder: Path, arena: Run) -> None:
    folder, file = shared_folder / "folder", shared_folder / "grade.toml"
    folder.mkdir(mode=0)
    assert refusal(arena, folder) == f"cannot read {folder}: Permission denied"
    folder.rmdir()
    (shared_folder / "a.zip").touch()
    file.touch(0)
    assert refusal(arena, shared_folder) == f"cannot read {file}: Permission denied"


def test_a_report_of_another_grading(own: Path, tmp_path: Path, arena: Run) -> None:
    report = tmp_path / "report"
    arena("grade", own, *FAST, "--output", report)
    words = [own, "--sandbox", "off", "--cases", 3, "--output", report]
    assert refusal(arena, *words) == (
        f"--output: {report / 'journal.jsonl'} belongs to another grading; cases: others are stored"
        " (--cases, --hardest or the engine differ)"
    )


def test_reports_that_cannot_be_written(own: Path, tmp_path: Path, arena: Run) -> None:
    (tmp_path / "full" / "journal.jsonl").mkdir(parents=True)
    for flag, path, reason in (
        ("--output", tmp_path / "full", f"--output {tmp_path / 'full'}: Is a directory"),
        ("--junit", "/missing/results", "--junit: /missing/results: there is no folder /missing"),
        ("--junit", tmp_path, f"--junit: {tmp_path} is a folder"),
        ("--gradescope", tmp_path, f"--gradescope: {tmp_path} is a folder"),
    ):
        assert refusal(arena, own, *FAST, flag, path) == reason
    results = tmp_path / ("x" * 254)  # that of the temporary file is longer
    end = arena("grade", own, *FAST, "--junit", results)
    assert (end.status, end.out) == (1, "")
    assert end.err.startswith("arena: cannot write ")
    assert end.err.endswith(": File name too long\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_without_bubblewrap(own: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "bwrap is not installed (apt-get install bubblewrap)"
    monkeypatch.setattr(sandbox, "bubblewrap_problem", lambda: reason)
    assert refusal(arena, own) == (
        f"--sandbox require: {reason}; --sandbox off runs programs that you trust"
    )
    command = ("grade", own, "--sandbox", "auto", "--cases", "4")
    end = arena(*command)
    assert (end.status, end.err.count(f"not isolated: {reason}\n")) == (0, 1)
    assert "ARENA_SEED" not in end.err
    warning = "arena: warning: programs can read --seed; set ARENA_SEED instead\n"
    assert warning in arena(*command, "--seed", "2").err


# Interruptions


@contextmanager
def hanging(folder: Path) -> Iterator[Path]:
    """Yield a folder whose second submission hangs as long as a reader has the pipe open."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    submissions = folder / "submissions"
    submissions.mkdir()
    (submissions / "a.py").write_text("print(1)")
    (submissions / "b.c").write_text("")  # the folder is one of several students
    (submissions / "c.py").write_text(
        f"import os, signal\n"
        f"try:\n    pipe = os.open({str(pipe)!r}, os.O_WRONLY | os.O_NONBLOCK)\n"
        f"except OSError:\n    raise SystemExit\n"
        f"os.write(pipe, b'x')\nsignal.pause()\n"
    )
    yield submissions


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize(
    ("number", "has_report"),
    [(signal.SIGKILL, True), (signal.SIGINT, True), (signal.SIGINT, False)],
)
def test_a_stopped_grading_continues_with_its_report(
    tmp_path: Path, number: signal.Signals, has_report: bool
) -> None:
    report = tmp_path / "report"
    with hanging(tmp_path) as submissions:
        words = [*COMMAND, submissions, *FAST, "--jobs", "1", "--timeout", "5"]
        words += ["--output", report] * has_report
        reader = os.open(tmp_path / "pipe", os.O_RDWR)  # waits for a writer when it reads
        with running_process(*words) as process:
            os.read(reader, 1)
            os.close(reader)
            process.send_signal(number)
            end = wait_for_exit(process)
        if number is signal.SIGINT:
            advice = "; run the same command to continue" * has_report
            assert (end.status, end.err) == (130, f"arena: stopped{advice}\n")
        if not has_report:
            return
        journal = (report / "journal.jsonl").read_bytes()
        assert [json.loads(line).get("name") for line in journal.splitlines()] == [None, "a", "b"]
        with running_process(*words) as process:
            assert wait_for_exit(process).status == 0
        after = (report / "journal.jsonl").read_bytes()
        assert after.startswith(journal)
        assert len(after.splitlines()) == len(journal.splitlines()) + 1
