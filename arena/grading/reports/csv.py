"""Grades as CSV."""

import csv
import io
from collections.abc import Sequence

from arena.grading.marking import Grade
from arena.grading.records import Outcome
from arena.grading.reports.feedback import names
from arena.grading.scheme import LINES

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def grades_csv(grades: Sequence[Grade]) -> str:
    """Format the grades as a table with a header, and a column for each line and each case."""
    cases = [mark.case.number for mark in grades[0].marks] if grades else []
    header = ["name", "points", "language", "right", *(f"right_{line}" for line in LINES)]
    header += [*(outcome.value for outcome in Outcome), "failure", "diagnosis", "seconds"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*header, *(f"case_{number}" for number in cases)])
    for grade in grades:
        writer.writerow(_row(grade))
    return out.getvalue()


def _row(grade: Grade) -> list[object]:
    return [
        _as_text(grade.name),
        grade.points,
        grade.record.language,
        grade.right_cases,
        *(sum(mark.right[line] for mark in grade.marks) for line in range(len(LINES))),
        *(grade.count(outcome) for outcome in Outcome),
        _as_text(grade.record.failure),
        names(grade),
        round(sum(run.seconds for run in grade.record.runs), 3),
        *(round(mark.share, 4) for mark in grade.marks),
    ]


def _as_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
