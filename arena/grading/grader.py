"""Grader: runs submissions in parallel, and stores each when it is finished; or previews them."""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from arena.grading.cases import Case
from arena.grading.collect import Submission
from arena.grading.journal import Journal
from arena.grading.records import CaseRun, SubmissionRecord, one_line
from arena.grading.settings import Settings
from arena.grading.workspace import BuildFailed, Built, ToolMissing, Workspace, failure_of
from arena.reports.text import aligned_text
from arena.sandbox.run import ProgramThreads
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.written_files import remove_folder


@dataclass(frozen=True)
class Grading:
    """Work on each submission.

    Attributes:
        cases: The cases.
        sandbox: The sandbox of all programs.
        seconds: The time limit of a case.
        settings: The teacher's settings.
    """

    cases: Sequence[Case]
    sandbox: Sandbox
    seconds: float
    settings: Settings


class Grader:
    """Runner of submissions, each with its own copy of the files.

    Attributes:
        missing_tools: Why submissions could not be built on this machine. They are not stored, and
            run again when the tools are installed.
    """

    def __init__(self, grading: Grading, journal: Journal | None = None) -> None:
        """Create a grader.

        Args:
            grading: The work on each submission.
            journal: The journal, if results are stored.
        """
        self._grading = grading
        self._journal = journal
        self._threads = ProgramThreads()
        self.missing_tools: set[str] = set()

    def run(
        self, submissions: Sequence[Submission], jobs: int
    ) -> AbstractContextManager[list[Future[SubmissionRecord]]]:
        """Run all submissions, `jobs` at a time; programs that run at the end are stopped.

        A future raises OSError if the result cannot be stored, and Stopped if it was stopped.
        """
        return self._threads.run(self._noted_record, submissions, jobs)

    def _noted_record(self, submission: Submission) -> SubmissionRecord:
        # Not stored: the note depends on other files, and the stored record on its own alone.
        return replace(self._record(submission), note=one_line(submission.note))

    def _record(self, submission: Submission) -> SubmissionRecord:
        """Return the record of a submission: the stored one, or a new run's."""
        with _private_folder(self._grading.sandbox) as folder:
            workspace = Workspace(folder, self._grading.sandbox, self._grading.seconds)
            override = self._grading.settings.of(submission.name)
            digest = ""
            try:
                workspace.fill(submission.files)
                digest = workspace.digest(override)
                if self._journal and (stored := self._journal.find(submission.name, digest)):
                    return stored
                built = workspace.build(override)
                record = self._run(submission, digest, workspace, built)
            except ToolMissing as error:
                self.missing_tools.add(str(error))
                return SubmissionRecord(submission.name, digest, error.language, str(error))
            except BuildFailed as error:
                record = SubmissionRecord(
                    submission.name, digest, error.language, one_line(str(error)), error.log
                )
            except Exception as error:  # whatever one submission is, the others are graded
                record = SubmissionRecord(submission.name, digest, failure=failure_of(error))
        self._threads.check()
        if self._journal:
            self._journal.add(record)
        return record

    def _run(
        self, submission: Submission, digest: str, workspace: Workspace, built: Built
    ) -> SubmissionRecord:
        return SubmissionRecord(
            submission.name,
            digest,
            built.language,
            log=built.log,
            build_seconds=round(built.seconds, 3),
            runs=tuple(self._run_case(workspace, built, case) for case in self._grading.cases),
        )

    def _run_case(self, workspace: Workspace, built: Built, case: Case) -> CaseRun:
        self._threads.check()
        return workspace.run(built, case)


@contextmanager
def _private_folder(sandbox: Sandbox) -> Iterator[Path]:
    """Yield an empty folder in a private one, and remove it with all that is in it then."""
    private = Path(tempfile.mkdtemp(prefix="arena-"))
    sandbox.admit(private)
    folder = private / "submission"
    folder.mkdir(0o755)
    try:
        yield folder
    finally:
        remove_folder(folder)
        with suppress(OSError):  # files that cannot be removed must not stop the grading
            private.rmdir()


class Preview(NamedTuple):
    """What would be done with a submission.

    Attributes:
        name: The name of the submission.
        language: The language of its program; empty without one.
        main: The path of its main file in the submission.
        failure: Why nothing would be built; empty if something would.
        note: Which of several versions counts, or which student it belongs to.
    """

    name: str
    language: str
    main: str
    failure: str = ""
    note: str = ""


def preview(submission: Submission, sandbox: Sandbox, settings: Settings) -> Preview:
    """Return what would be done with a submission; nothing of it is run.

    Raises:
        OSError: This machine cannot store its files.
    """
    with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as folder:
        workspace = Workspace(Path(folder), sandbox, 0.0)
        try:
            workspace.fill(submission.files)
            program = workspace.recognise(settings.of(submission.name))
        except Exception as error:  # whatever one submission is, the others are shown
            return Preview(submission.name, "", "", failure_of(error), submission.note)
    return Preview(submission.name, program.language, str(program.main), note=submission.note)


def previews_text(previews: list[Preview]) -> str:
    """Format previews as a table."""
    table = [["language", "submission"]]
    table += [[found.language or "-", found.name] for found in previews]
    remarks = ["main program"]
    remarks += [
        (found.failure or found.main) + (f"; {one_line(found.note)}" if found.note else "")
        for found in previews
    ]
    lines = aligned_text(table).splitlines()
    return "".join(f"{line}  {remark}\n" for line, remark in zip(lines, remarks, strict=True))
