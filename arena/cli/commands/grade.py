"""Command `arena grade`: marks and feedback for programs written for the assignment."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

from arena.cli.arguments import UsageError
from arena.cli.configuration import DEFAULT_SEED, SEED, GradeConfig
from arena.cli.output import notify
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
from arena.grading.settings import Settings
from arena.model.visible import visible_lines
from arena.reports.progress import with_progress_bar
from arena.sandbox.sandbox import Policy, Sandbox, SandboxUnavailable


def run(config: GradeConfig) -> int:
    """Grade the submissions and write the reports.

    Returns:
        The exit status: 0, or 130 if interrupted.

    Raises:
        UsageError: An argument, the settings or the stored results are invalid.
        OSError: A report cannot be written.
    """
    try:
        collection = _collection(config)
        settings = read_settings(config.submissions)
    except UnusableFolder as error:
        raise UsageError(str(error)) from None
    if config.dry_run:
        return _preview(config, collection, settings)
    sandbox = replace(_sandbox(config.sandbox), private=_private_folders(config))
    cases = make_cases(config.cases, config.seed, config.hardest)
    grading = Grading(cases, sandbox, config.timeout, settings)
    try:
        with _journal(config, cases, sandbox) as journal:
            if sandbox.notice:
                notify(sandbox.notice)
                if config.seed != DEFAULT_SEED and not os.environ.get(SEED):
                    notify(f"warning: programs can read --seed; set {SEED} instead")
            if not config.gradescope:
                notes = describe_notes(collection)
                for line in (*notes, *describe(config.submissions, collection, settings)):
                    notify(line)
            grader = Grader(grading, journal)
            records = _run(grader, collection.submissions, config.jobs)
    except KeyboardInterrupt:
        notify("stopped" + ("; run the same command to continue" if config.output else ""))
        return 130
    for reason in sorted(grader.missing_tools):
        notify(f"warning: {reason}: submissions that need it have no points")
    searches = Searches()
    found = with_progress_bar(sys.stderr, records)
    grades = [grade(record, cases, config.scheme, searches) for record in found]
    _write(config, grades)
    text = feedback_text(grades[0]) if len(grades) == 1 else grades_text(grades)
    print(visible_lines(text), end="", flush=True)
    return 0


def _preview(config: GradeConfig, collection: Collected, settings: Settings) -> int:
    """Print what would be graded."""
    sandbox = _sandbox(config.sandbox)
    for line in describe(config.submissions, collection, settings):
        notify(line)
    found = [preview(submission, sandbox, settings) for submission in collection.submissions]
    print(visible_lines(previews_text(found)), end="", flush=True)
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


def _sandbox(policy: Policy) -> Sandbox:
    try:
        return Sandbox.of(policy)
    except SandboxUnavailable as error:
        advice = "--sandbox off runs programs that you trust"
        raise UsageError(f"{error}; {advice}") from None


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
    except FileExistsError:
        raise UsageError(f"--output {config.output} is not a folder") from None
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
