"""Results of a submission as Gradescope's autograder reads them (results.json)."""

import json

from arena.grading.marking import CaseMark, Grade
from arena.grading.reports.feedback import command, groups, headline, problems, rows


def gradescope_json(grade: Grade) -> str:
    """Encode the results of one submission."""
    share = grade.of / len(grade.marks)
    document = {
        "score": grade.points,
        "execution_time": round(sum(run.seconds for run in grade.record.runs)),
        "output": _output(grade),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(mark, share) for mark in grade.marks],
    }
    return json.dumps(document, indent=2) + "\n"


def _output(grade: Grade) -> str:
    lines = [headline(grade), *problems(grade)]
    if grade.record.failure and grade.record.log:
        lines += ["", grade.record.log]
    for group in groups(grade):
        lines += ["", group.introduction]
        for advice in group.advices:
            shown = f" Smallest case: {advice.case.number}." if advice.case else ""
            lines.append(f"- {advice.title} {advice.text}{shown}")
    return "\n".join(lines)


def _test(mark: CaseMark, share: float) -> dict[str, object]:
    lines = [mark.run.detail] if mark.run and mark.run.detail else []
    for row in rows(mark):
        sign = " " if row.is_right else "!"
        lines.append(f"{sign} {row.label}: expected {row.expected}, got {row.got}")
    return {
        "name": f"Case {mark.case.number}: {command(mark.case)}",
        "number": f"{mark.case.number}",
        "score": round(share * mark.share, 4),
        "max_score": round(share, 4),
        "status": "passed" if mark.is_right else "failed",
        "output": "\n".join(lines),
        "output_format": "text",
        "visibility": "visible",
    }
