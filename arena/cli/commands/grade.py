"""Command `arena grade`: marks and feedback for programs written for the assignment."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir
from typing import ClassVar

from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, folder_to_fill, writable
from arena.cli.output import notify
from arena.cli.shared_options import CONTINUATION, Command
from arena.grading.cases import Case, make_cases
from arena.grading.collect import (
    Collected,
    Submission,
    UnusableFolder,
    collect,
    describe,
    describe_notes,
    read_settings,
)
from arena.grading.diagnosis.search import Searches
from arena.grading.grader import Grader, Grading, preview, previews_text
from arena.grading.journal import NAME, Header, Journal, JournalMismatch
from arena.grading.marking import Grade, grade
from arena.grading.records import SubmissionRecord
from arena.grading.reports.folder import write_file, write_reports
from arena.grading.reports.results import gradescope_json, junit_xml
from arena.grading.reports.text import feedback_text, grades_text
from arena.grading.scheme import LINES, Matching, Scheme, parse_weights
from arena.grading.settings import Settings
from arena.model.visible import visible_lines
from arena.options import argument, option, switch
from arena.processors import usable_processors
from arena.reports.progress import with_progress_bar
from arena.sandbox.limits import Policy, parse_policy
from arena.sandbox.sandbox import Sandbox

SEED, DEFAULT_SEED = "ARENA_SEED", 1  # variable of the environment
MAX_HARDEST = 60  # seconds of the largest case
MAX_CASES = 1000
MAX_JOBS = 256
MAX_POINTS = 1_000_000


@dataclass(frozen=True)
class GradeConfig(Command):
    """Options of `arena grade`."""

    command: ClassVar[str] = "grade"
    submissions: Path = argument(
        "folder of submissions, or one submission: a folder, a zip file or a single file",
        metavar="SUBMISSIONS",
    )
    cases: int = option(
        "number of cases: the assignment's four, then drawn ones (default: %(default)s)",
        default=20,
        least=1,
        most=MAX_CASES,
    )
    seed: int = option(
        "seed of the drawn cases; programs that are not isolated can read a command line, but"
        f" not the environment of another user (default: ${SEED}, or {DEFAULT_SEED})",
        default=DEFAULT_SEED,
        environment=SEED,
    )
    hardest: float = option(
        "time that an ordinary solution in Java, 300,000 nodes per second, needs for the"
        " largest case (default: 1)",
        default=1.0,
        above=0,
        most=MAX_HARDEST,
        metavar="SECONDS",
    )
    timeout: float = shared.timeout()
    jobs: int = option(
        "submissions that are run at the same time (default: one for each processor)",
        default=usable_processors(),
        least=1,
        most=MAX_JOBS,
    )
    weights: tuple[float, ...] = option(
        f"weights of the lines {', '.join(LINES)} (default: 1 each)",
        default=Scheme.weights,
        convert=parse_weights,
        type=str,
        metavar="LINE=WEIGHT",
    )
    match: Matching = option(
        "compare lines exactly, or without regard to white space, case and other lines"
        " (default: tolerant)",
        default=Matching.TOLERANT,
        convert=Matching,
        choices=[each.value for each in Matching],
    )
    points: float = option(
        "points of a submission without errors (default: 100)",
        default=100.0,
        above=0,
        most=MAX_POINTS,
    )
    sandbox: Policy = option(
        "protection from the programs: require bubblewrap, use it where it works (auto), or"
        " none (default: %(default)s)",
        default=Policy.REQUIRE,
        type=parse_policy,
        choices=[*Policy],
    )
    output: Path | None = option(
        "folder to write: grades.csv, index.html for the teacher, and pages for each student;"
        " the same command continues a grading that was stopped",
        metavar="REPORT",
        convert=folder_to_fill,
    )
    gradescope: Path | None = option(
        "write the results for Gradescope's autograder (results.json); SUBMISSIONS is then one"
        " submission",
        metavar="FILE",
        convert=writable,
    )
    junit: Path | None = option("write the results as JUnit XML", metavar="FILE", convert=writable)
    page: str | None = option(
        "page of an arena that the positions in the reports link to (default: no links)",
        metavar="URL",
    )
    dry_run: bool = switch("print the submissions that are found, and what would be built of each")

    @property
    def scheme(self) -> Scheme:
        """The marking scheme."""
        return Scheme(self.weights, self.match, self.points)

    def check(self) -> None:
        """Check what argparse cannot. Raises UsageError."""
        if self.page and not self.page.startswith(("http://", "https://")):
            raise UsageError(
                f"--page must be an address with http:// or https://, not {self.page!r}"
            )

    @property
    def continuation(self) -> str:
        """How to go on after Ctrl-C: what is graded is in the folder of the reports."""
        return CONTINUATION if self.output else ""

    def run(self) -> int:
        """Grade the submissions, write the reports and return the exit status.

        Raises:
            UsageError: An argument, the settings or the stored results are invalid.
            OSError: A report cannot be written.
        """
        try:
            collection = _collection(self)
            settings = read_settings(self.submissions)
        except UnusableFolder as error:
            raise UsageError(str(error)) from None
        if self.dry_run:
            return _preview(self, collection, settings)
        sandbox = replace(shared.own_sandbox(self.sandbox), private=_private_folders(self))
        cases = make_cases(self.cases, self.seed, self.hardest)
        grading = Grading(cases, sandbox, self.timeout, settings)
        with _journal(self, cases, sandbox) as journal:
            if sandbox.notice:
                notify(sandbox.notice)
                if self.seed != DEFAULT_SEED and not os.environ.get(SEED):
                    notify(f"warning: programs can read --seed; set {SEED} instead")
            if not self.gradescope:
                notes = describe_notes(collection)
                for line in (*notes, *describe(self.submissions, collection, settings)):
                    notify(line)
            grader = Grader(grading, journal)
            records = _run(grader, collection.submissions, self.jobs)
        for reason in sorted(grader.missing_tools):
            notify(f"warning: {reason}: submissions that need it have no points")
        searches = Searches()
        found = with_progress_bar(sys.stderr, records)
        grades = [grade(record, cases, self.scheme, searches) for record in found]
        _write(self, grades)
        text = feedback_text(grades[0]) if len(grades) == 1 else grades_text(grades)
        print(visible_lines(text), end="")
        return 0


def _preview(config: GradeConfig, collection: Collected, settings: Settings) -> int:
    """Print what would be graded."""
    sandbox = shared.own_sandbox(config.sandbox)
    for line in describe(config.submissions, collection, settings):
        notify(line)
    found = [preview(submission, sandbox, settings) for submission in collection.submissions]
    print(visible_lines(previews_text(found)), end="")
    return 0


def _collection(config: GradeConfig) -> Collected:
    path = config.submissions
    if config.gradescope and path.exists():
        return Collected([Submission.of(path)], [])
    found = collect(path)
    if config.output:  # the reports may be written into the folder of submissions
        output = {"": config.output.resolve()}
        others = [one for one in found.submissions if _resolved(one) != output]
        found = found._replace(submissions=others)
    if not found.submissions:
        raise UsageError(f"{path} contains no submission")
    return found


def _resolved(submission: Submission) -> dict[str, Path]:
    return {name: path.resolve() for name, path in submission.files.items()}


def _private_folders(config: GradeConfig) -> tuple[Path, ...]:
    """Return the folders of the grading, for the case that they are in one of the system."""
    files = (path.parent for path in (config.gradescope, config.junit) if path)
    folders = (Path(), Path(gettempdir()), config.submissions, config.output, *files)
    return tuple(folder.resolve() for folder in folders if folder)


@contextmanager
def _journal(
    config: GradeConfig, cases: Sequence[Case], sandbox: Sandbox
) -> Iterator[Journal | None]:
    """Open the journal in the folder of the reports, if there is one."""
    if not config.output:
        yield None
        return
    header = Header(
        config.seed,
        tuple(tuple(case.arguments) for case in cases),
        config.timeout,
        sandbox.protection.value,
    )
    try:
        config.output.mkdir(mode=0o700, parents=True, exist_ok=True)
        journal = Journal(config.output / NAME, header)
    except JournalMismatch as error:
        raise UsageError(f"--output: {error}") from None
    except OSError as error:
        raise UsageError(f"--output {config.output}: {error.strerror}") from None
    with closing(journal):
        yield journal


def _run(grader: Grader, submissions: Sequence[Submission], jobs: int) -> list[SubmissionRecord]:
    with grader.run(submissions, jobs) as futures:
        return [future.result() for future in with_progress_bar(sys.stderr, futures)]


def _write(config: GradeConfig, grades: Sequence[Grade]) -> None:
    """Write the reports that are asked for. Raises OSError."""
    if config.output:
        facts = [
            ("submissions", f"{len(grades)}"),
            ("cases", f"{config.cases}, seed {config.seed}"),
            ("time limit", f"{config.timeout:g} s"),
        ]
        write_reports(config.output, grades, facts, config.page)
        notify(f"reports are in {config.output}")
    if config.gradescope:
        write_file(config.gradescope, gradescope_json(grades[0]).encode())
    if config.junit:
        write_file(config.junit, junit_xml(grades))
