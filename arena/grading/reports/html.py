"""Pages for students and for the teacher as self-contained HTML that loads no other file."""

import statistics
from collections import Counter
from collections.abc import Sequence

from arena.grading.marking import Grade
from arena.grading.reports import feedback
from arena.grading.scheme import LINES
from arena.reports.html import load_template

PACKAGE = "arena.grading.reports"  # of the templates
BINS = 10


def student_html(grade: Grade, page: str | None) -> str:
    """Format the page for a student.

    Args:
        grade: The grade.
        page: The address of an arena's page, for links to positions; None links to none.
    """
    return load_template("student.html", PACKAGE).render(grade=grade, page=page, feedback=feedback)


def teacher_html(grades: Sequence[Grade], facts: Sequence[tuple[str, str]]) -> str:
    """Format the page for the teacher.

    Args:
        grades: The grades, at least one.
        facts: The name and the value of each fact about the grading.
    """
    points = [grade.points for grade in grades]
    return load_template("teacher.html", PACKAGE).render(
        grades=grades,
        facts=[
            *facts,
            ("mean", f"{statistics.fmean(points):.1f}"),
            ("median", f"{statistics.median(points):.1f}"),
        ],
        bins=distribution(grades),
        lines=[(name, _right_share(grades, index)) for index, name in enumerate(LINES)],
        cases=[
            (mark.case, sum(grade.marks[index].is_right for grade in grades))
            for index, mark in enumerate(grades[0].marks)
        ],
        faults=faults(grades),
        feedback=feedback,
    )


def distribution(grades: Sequence[Grade]) -> list[tuple[str, int]]:
    """Return the ranges of points, and the number of submissions in each."""
    of = grades[0].of
    counts = Counter(min(BINS - 1, int(BINS * grade.points / of)) for grade in grades)
    return [
        (f"{of * index / BINS:g} to {of * (index + 1) / BINS:g}", counts[index])
        for index in range(BINS)
    ]


def faults(grades: Sequence[Grade]) -> list[tuple[str, int]]:
    """Return the faults that are certain and the number of submissions that have each."""
    counts = Counter(
        finding.title
        for grade in grades
        for finding in (
            *(grade.diagnosis.alternatives[0] if _is_named(grade) else ()),
            *grade.diagnosis.formats,
        )
    )
    return counts.most_common()


def _is_named(grade: Grade) -> bool:
    return grade.diagnosis.is_certain and bool(grade.diagnosis.alternatives)


def _right_share(grades: Sequence[Grade], line: int) -> float:
    right = [mark.right[line] for grade in grades for mark in grade.marks]
    return sum(right) / len(right)
