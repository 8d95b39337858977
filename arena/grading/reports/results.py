"""Results as other programs read them: of Gradescope's autograder (results.json), and JUnit XML."""

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from arena.grading.marking import CaseMark, Grade
from arena.grading.records import CaseOutcome
from arena.grading.reports.feedback import command, groups, headline, problems, rows

INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


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
        sign = "!" if row.fault else " "
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


def junit_xml(grades: Sequence[Grade]) -> bytes:
    """Encode a suite for each submission, with a test for each case."""
    root = ET.Element("testsuites")
    for grade in grades:
        suite = ET.SubElement(root, "testsuite", _counts(grade), name=_valid(grade.name))
        for mark in grade.marks:
            _add_case(suite, grade, mark)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _counts(grade: Grade) -> dict[str, str]:
    wrong = sum(not mark.is_right for mark in grade.marks)
    errors = sum(_is_error(mark) for mark in grade.marks)
    return {
        "tests": str(len(grade.marks)),
        "failures": str(wrong - errors),
        "errors": str(errors),
        "time": f"{sum(run.seconds for run in grade.record.runs):.3f}",
    }


def _add_case(suite: ET.Element, grade: Grade, mark: CaseMark) -> None:
    seconds = mark.run.seconds if mark.run else 0.0
    test = ET.SubElement(
        suite,
        "testcase",
        classname=_valid(grade.name),
        name=f"{mark.case.number}: {command(mark.case)}",
        time=f"{seconds:.3f}",
    )
    if mark.is_right:
        return
    if _is_error(mark):
        reason = mark.run.detail if mark.run else grade.record.failure
        ET.SubElement(test, "error", message=_valid(reason))
        return
    wrong = [row for row in rows(mark) if row.fault]
    texts = [f"{row.label}: expected {row.expected}, got {row.got} ({row.fault})" for row in wrong]
    ET.SubElement(test, "failure", message=_valid("; ".join(texts)))


def _is_error(mark: CaseMark) -> bool:
    """Return whether a program gave no answer."""
    return mark.run is None or mark.run.outcome is not CaseOutcome.ANSWERED


def _valid(text: str) -> str:
    """Return a text without characters that XML does not have."""
    return INVALID.sub("\N{REPLACEMENT CHARACTER}", text)
