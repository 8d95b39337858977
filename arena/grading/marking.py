"""Marks of a submission, from the output of its program. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.grading.cases import Case
from arena.grading.diagnosis.diagnose import Diagnosis, diagnose
from arena.grading.diagnosis.fit import Sample
from arena.grading.diagnosis.search import Searches
from arena.grading.records import CaseOutcome, CaseRun, SubmissionRecord
from arena.grading.scheme import LINES, Matching, Scheme
from core.take_stones.six_lines import LABELS, find_values

MISSING = ""  # value of a line that was not printed


@dataclass(frozen=True)
class CaseMark:
    """Mark of one case.

    Attributes:
        case: The case.
        run: The run of the program; None if it could not be built.
        got: The values of the six lines, empty where one is missing.
        right: Whether each line is right.
        share: The share of the case's points, from 0 to 1.
    """

    case: Case
    run: CaseRun | None
    got: tuple[str, ...]
    right: tuple[bool, ...]
    share: float

    @property
    def is_right(self) -> bool:
        """Whether all lines are right."""
        return all(self.right)

    @property
    def lost(self) -> tuple[bool, ...]:
        """Whether each line has the expected value, but does not count."""
        values = zip(self.got, self.case.expected, self.right, strict=True)
        return tuple(got == expected and not right for got, expected, right in values)


@dataclass(frozen=True)
class Grade:
    """Marks and diagnosis of a submission.

    Attributes:
        record: What running it has shown.
        marks: The marks of the cases.
        points: Its points.
        of: The points of a submission that is right in all cases.
        diagnosis: The diagnosis of its errors.
    """

    record: SubmissionRecord
    marks: tuple[CaseMark, ...]
    points: float
    of: float
    diagnosis: Diagnosis

    @property
    def name(self) -> str:
        """The name of the submission."""
        return self.record.name

    @property
    def right_cases(self) -> int:
        """The number of cases where all lines are right."""
        return sum(mark.is_right for mark in self.marks)

    def count(self, outcome: CaseOutcome) -> int:
        """Return the number of runs that ended in a way."""
        return sum(run.outcome is outcome for run in self.record.runs)


def grade(
    record: SubmissionRecord, cases: Sequence[Case], scheme: Scheme, searches: Searches
) -> Grade:
    """Return the grade of a submission.

    Args:
        record: What running it has shown.
        cases: All cases.
        scheme: The marking scheme.
        searches: The searches done for the diagnosis of other submissions.
    """
    runs = {run.case: run for run in record.runs}
    marks = tuple(mark(case, runs.get(case.number), scheme) for case in cases)
    share = sum(found.share for found in marks) / len(marks)
    samples = [
        Sample(found.case.number, found.case.position, found.case.nodes, found.case.expected, got)
        for found in marks
        if found.run and (got := diagnosed_values(found.run))
    ]
    points = round(scheme.points * share, 2)
    return Grade(record, marks, points, scheme.points, diagnose(samples, searches))


def mark(case: Case, run: CaseRun | None, scheme: Scheme) -> CaseMark:
    """Return the mark of one case."""
    got, right = (MISSING,) * len(LINES), (False,) * len(LINES)
    if run:
        values = find_values(run.output)
        got = tuple(values.get(label, MISSING) for label in LABELS)
    if run and run.outcome in (CaseOutcome.ANSWERED, CaseOutcome.FORMAT):
        right = _right_lines(case, run.output, values, scheme.matching)
    earned = sum(weight for weight, good in zip(scheme.weights, right, strict=True) if good)
    return CaseMark(case, run, got, right, earned / sum(scheme.weights))


def _right_lines(
    case: Case, output: str, values: Mapping[str, str], matching: Matching
) -> tuple[bool, ...]:
    if matching is Matching.TOLERANT:
        return tuple(
            values.get(label) == value for label, value in zip(LABELS, case.expected, strict=True)
        )
    lines = output.splitlines()
    return tuple(
        index < len(lines) and lines[index] == f"{label}: {value}"
        for index, (label, value) in enumerate(zip(LABELS, case.expected, strict=True))
    )


def diagnosed_values(run: CaseRun) -> tuple[str, ...] | None:
    """Return the values of six lines, also under other labels; None if there are not six."""
    values = find_values(run.output)
    if run.outcome is CaseOutcome.ANSWERED and values.keys() >= {*LABELS}:
        return tuple(values[label] for label in LABELS)
    lines = [line for line in run.output.splitlines() if line.strip()]
    if run.outcome is not CaseOutcome.FORMAT or len(lines) != len(LABELS):
        return None
    return tuple(["", *line.rpartition(":")[2].split()][-1] for line in lines)
