"""Grader: submissions in parallel, each stored when it is finished."""

from pathlib import Path

import pytest

from arena.grading.collect import Submission
from arena.grading.grader import Grader, Grading
from arena.grading.journal import Header, Journal
from arena.grading.records import CaseOutcome, SubmissionRecord
from arena.grading.settings import Settings, parse_settings
from arena.grading.toolchain import OUT, Override
from arena.grading.workspace import Workspace
from arena.sandbox.sandbox import Protection, Sandbox
from tests.support.cases import loop_over
from tests.support.grading.grades import cases

UNPROTECTED = Sandbox(Protection.NONE, is_root=False)
COUNT = "open({!r}, 'a').write('x')"  # a program that counts its runs


def submission(folder: Path, name: str, text: str) -> Submission:
    path = folder / f"{name}.py"
    path.write_text(text)
    return Submission(name, {"": path})


def graded(
    submissions: list[Submission], journal: Journal | None = None, settings: Settings | None = None
) -> list[SubmissionRecord]:
    grading = Grading(cases()[:2], UNPROTECTED, 60.0, settings or Settings())
    with Grader(grading, journal).run(submissions, jobs=2) as futures:
        return [future.result() for future in futures]


def test_records_are_in_order(tmp_path: Path) -> None:
    found = graded([submission(tmp_path, name, "print(1)") for name in ("eva", "ada")])
    assert [(record.name, record.language) for record in found] == [
        ("eva", "Python"),
        ("ada", "Python"),
    ]
    assert [run.case for run in found[0].runs] == [1, 2]
    assert {run.outcome for run in found[0].runs} == {CaseOutcome.FORMAT}


@loop_over(
    "text, settings, language, failure",
    ("print(", "", "Python", "the build failed: SyntaxError: "),
    ("", "default.language = 'Java'", "", "no program found"),
)
def test_a_submission_that_cannot_be_run(
    tmp_path: Path, text: str, settings: str, language: str, failure: str
) -> None:
    [found] = graded([submission(tmp_path, "ada", text)], settings=parse_settings(settings))
    assert (found.language, found.runs) == (language, ())
    assert found.failure.startswith(failure)
    assert found.digest


def test_nothing_that_one_submission_is_stops_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(self: Workspace, override: Override) -> str:
        if (self._folder / "odd.py").exists():
            raise LookupError("of our own")
        return right_digest(self, override)

    right_digest = Workspace.digest
    monkeypatch.setattr(Workspace, "digest", digest)
    (tmp_path / "eva").mkdir()
    (tmp_path / "eva" / OUT).write_text("a file with the name of the folder of builds")
    submission(tmp_path / "eva", "main", "print(1)")
    endless = "print('x' * 9000); print('Move: 5')"
    found = graded(
        [
            submission(tmp_path, "odd", "print(1)"),
            Submission("eva", {"": tmp_path / "eva"}),
            submission(tmp_path, "ada", endless),
        ]
    )
    assert found[0].failure == "cannot be graded: LookupError: of our own"
    assert [run.outcome for run in found[1].runs] == [CaseOutcome.FORMAT] * 2
    assert found[2].runs[0].output.endswith("xMove: 5\n".replace("x", "x\n"))


def test_what_a_missing_tool_prevents_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "journal.jsonl", Header(1, (), 60.0, "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    grader = Grader(Grading(cases()[:1], UNPROTECTED, 60.0, Settings()), journal)
    with grader.run([submission(tmp_path, "ada", "print(1)")], jobs=1) as [future]:
        record = future.result()
    journal.close()
    reason = "python3 is not installed (apt-get install python3)"
    assert (record.language, record.failure) == ("Python", reason)
    assert grader.missing_tools == {reason}
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 1


@loop_over("name", ["\udcff", "\x1b[31m"])
def test_reasons_are_harmless(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "ada"
    folder.mkdir()
    for number in range(2):
        (folder / f"{name}{number}.py").write_text("import sys; sys.argv")
    journal = Journal(tmp_path / "journal.jsonl", Header(1, (), 60.0, "none"))
    [record] = graded([Submission("ada", {"": folder})], journal)
    journal.close()
    assert record.failure.startswith("several Python files with a main program: ?")
    assert record.failure.isprintable()


def test_finished_submissions_are_not_run_again(tmp_path: Path) -> None:
    header = Header(1, (), 60.0, "none")
    runs = tmp_path / "runs"
    ada = submission(tmp_path, "ada", COUNT.format(str(runs)))
    for _ in range(2):
        journal = Journal(tmp_path / "journal.jsonl", header)
        assert [record.name for record in graded([ada], journal)] == ["ada"]
        journal.close()
    assert runs.read_text() == "xx"


def test_what_is_left_at_an_error_is_not_run(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    submissions = [submission(tmp_path, f"s{i}", COUNT.format(str(runs))) for i in range(5)]
    grader = Grader(Grading(cases()[:1], UNPROTECTED, 60.0, Settings()))
    with pytest.raises(KeyboardInterrupt), grader.run(submissions, jobs=1):
        raise KeyboardInterrupt
    assert not runs.exists() or len(runs.read_text()) <= 1
