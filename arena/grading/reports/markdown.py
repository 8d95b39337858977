"""Page for a student as Markdown."""

import re

from arena.grading.marking import CaseMark, Grade
from arena.grading.reports.feedback import (
    command,
    groups,
    headline,
    link,
    problems,
    rows,
    shown_marks,
)

SPECIAL = re.compile(r"([\\`*_{}\[\]#|<>~&])")


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
        f"| {row.label} | {row.expected} | {escaped(row.got)} | {'' if row.is_right else 'wrong'} |"
        for row in rows(mark)
    ]
    return lines


def _code(text: str) -> list[str]:
    """Return the lines of a block of code, indented, so that no text can end it."""
    return [f"    {line}" for line in text.splitlines()]
