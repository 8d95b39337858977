"""Grades as CSV."""

from collections.abc import Sequence

from arena.grading.marking import Grade
from arena.grading.records import CaseOutcome
from arena.grading.reports.feedback import names
from arena.grading.scheme import LINES
from arena.reports.csv import csv_line


def grades_csv(grades: Sequence[Grade]) -> str:
    """Format the grades as a table with a header, and a column for each line and each case."""
    cases = [mark.case.number for mark in grades[0].marks] if grades else []
    header = ["name", "points", "language", "right", *(f"right_{line}" for line in LINES)]
    header += [
        *(outcome.value for outcome in CaseOutcome),
        "failure",
        "note",
        "diagnosis",
        "seconds",
    ]
    header += [f"case_{number}" for number in cases]
    return csv_line(header) + "".join(csv_line(_row(grade)) for grade in grades)


def _row(grade: Grade) -> list[object]:
    return [
        grade.name,
        grade.points,
        grade.record.language,
        grade.right_cases,
        *(sum(mark.right[line] for mark in grade.marks) for line in range(len(LINES))),
        *(grade.count(outcome) for outcome in CaseOutcome),
        grade.record.failure,
        grade.record.note,
        names(grade),
        round(sum(run.seconds for run in grade.record.runs), 3),
        *(round(mark.share, 4) for mark in grade.marks),
    ]
