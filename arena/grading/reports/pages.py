"""Pages for students and for the teacher: self-contained HTML, and Markdown."""

import re
import statistics
from collections import Counter
from collections.abc import Sequence

from arena.grading.marking import CaseMark, Grade
from arena.grading.reports import feedback
from arena.grading.reports.feedback import (
    command,
    groups,
    headline,
    link,
    problems,
    rows,
    shown_marks,
)
from arena.grading.scheme import LINES
from arena.reports.html import load_template

PACKAGE = "arena.grading.reports"  # of the templates
BINS = 10
SPECIAL = re.compile(r"([\\`*_{}\[\]#|<>~&])")


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


def student_markdown(grade: Grade, page: str | None) -> str:
    """Format the page for a student.

    Args:
        grade: The grade.
        page: The address of an arena's page, for links to positions; None links to none.
    """
    lines = [f"# {escaped(grade.name)}", "", headline(grade)]
    if grade.record.note:
        lines += ["", escaped(grade.record.note)]
    if found := problems(grade):
        lines += ["", *(f"- {escaped(problem)}" for problem in found)]
    if grade.record.failure and grade.record.log:
        lines += ["", "Output of the build:", "", *_code(grade.record.log)]
    for group in groups(grade):
        lines += ["", escaped(group.introduction), ""]
        for advice in group.advices:
            shown = f" Smallest case: {advice.case.number}." if advice.case else ""
            lines.append(f"- **{escaped(advice.title)}** {escaped(advice.text)}{shown}")
    for mark in shown_marks(grade):
        lines += ["", *_case(mark, page)]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return a text on one line without any meaning in Markdown or HTML."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _case(mark: CaseMark, page: str | None) -> list[str]:
    state = "right" if mark.is_right else "wrong"
    lines = [f"## Case {mark.case.number}: {state}", ""]
    address = link(mark.case, page)
    lines += [f"`{command(mark.case)}`" + (f" ([position]({address}))" if address else ""), ""]
    if mark.run and mark.run.detail:
        lines += [escaped(mark.run.detail), ""]
    lines += ["| line | expected | got | |", "|---|---|---|---|"]
    lines += [
        f"| {row.label} | {row.expected} | {escaped(row.got)} | {row.fault} |" for row in rows(mark)
    ]
    return lines


def _code(text: str) -> list[str]:
    """Return the lines of a block of code, indented, so that no text can end it."""
    return [f"    {line}" for line in text.splitlines()]
