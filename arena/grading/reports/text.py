"""Reports of a grading for the terminal."""

import textwrap
from collections.abc import Sequence

from arena.grading.marking import Grade
from arena.grading.reports.feedback import ENDINGS, command, groups, headline, names, problems, rows
from arena.reports.text import aligned_text

WIDTH = 88
MAX_CASES = 3  # wrong cases that are shown in full


def grades_text(grades: Sequence[Grade]) -> str:
    """Format the grades as a table."""
    table = [["points", "submission", "right", "late", "limit", "crashed", "format"]]
    table += [
        [
            f"{grade.points:g}",
            grade.name,
            f"{grade.right_cases}/{len(grade.marks)}",
            *(f"{grade.count(outcome) or '.'}" for outcome in ENDINGS),
        ]
        for grade in grades
    ]
    remarks = ["diagnosis", *(grade.record.failure or names(grade) or "." for grade in grades)]
    lines = aligned_text(table).splitlines()
    return "".join(f"{line}  {remark}\n" for line, remark in zip(lines, remarks, strict=True))


def feedback_text(grade: Grade) -> str:
    """Format the feedback on one submission."""
    lines = [f"{grade.name}: {headline(grade)}"]
    lines += [f"  {problem}" for problem in problems(grade)]
    for group in groups(grade):
        lines += ["", *textwrap.wrap(group.introduction, WIDTH)]
        for advice in group.advices:
            shown = f" (case {advice.case.number}: {command(advice.case)})" if advice.case else ""
            text = f"{advice.title} {advice.text}{shown}"
            lines += textwrap.wrap(text, WIDTH, initial_indent="- ", subsequent_indent="  ")
    return "\n".join([*lines, *_wrong_cases(grade)]) + "\n"


def _wrong_cases(grade: Grade) -> list[str]:
    """Return the first wrong cases, expected and printed lines side by side."""
    wrong = [mark for mark in grade.marks if mark.run and not mark.is_right]
    lines = []
    for mark in wrong[:MAX_CASES]:
        lines += ["", f"case {mark.case.number}: {command(mark.case)}"]
        for row in rows(mark):
            sign = "!" if row.fault else " "
            lines.append(f"{sign} {row.label:<30} expected {row.expected:<8} got {row.got}")
    if len(wrong) > MAX_CASES:
        more = f"and {len(wrong) - MAX_CASES} more wrong cases"
        lines += ["", f"{more}: --output FOLDER writes a page with all of them"]
    return lines
