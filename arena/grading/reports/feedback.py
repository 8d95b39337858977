"""Feedback on a submission in words, for reports of any form. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.analysis.position import analysis_address
from arena.grading.cases import Case
from arena.grading.diagnosis.diagnose import Diagnosis
from arena.grading.diagnosis.explanation import Finding
from arena.grading.marking import CaseMark, Grade
from arena.grading.records import CaseOutcome, one_line
from arena.reports.text import counted
from core.take_stones import GAME
from core.take_stones.six_lines import LABELS

ENDINGS = {
    CaseOutcome.TIMEOUT: "out of time",
    CaseOutcome.LIMIT: "beyond a limit",
    CaseOutcome.CRASH: "crashed",
    CaseOutcome.FORMAT: "without the six lines",
}
INPUT_ERRORS = ("EOFError", "java.util.Scanner", "Cannot parse null string")  # Python, Java
NONE = "-"
UNEXPLAINED = "unexplained"
WRONG, LOST = "wrong", "does not count"  # faults of lines; the value of a lost one is right
MAX_VALUE = 40  # characters of a value that are shown


class Advice(NamedTuple):
    """A fault and advice, with the smallest case that shows it."""

    title: str
    text: str
    case: Case | None


class Group(NamedTuple):
    """Advices with a sentence that introduces them."""

    introduction: str
    advices: tuple[Advice, ...]


class Row(NamedTuple):
    """A line of a case: its label, the expected and the printed value, what is wrong if it is."""

    label: str
    expected: str
    got: str
    fault: str


def headline(grade: Grade) -> str:
    """Return the result of a submission."""
    return (
        f"{grade.points:g} of {grade.of:g} points,"
        f" {grade.right_cases} of {counted(len(grade.marks), 'case')} right"
    )


def problems(grade: Grade) -> list[str]:
    """Return the problems of the program as a whole."""
    if grade.record.failure:
        return [grade.record.failure]
    found = []
    for outcome, ending in ENDINGS.items():
        runs = [run for run in grade.record.runs if run.outcome is outcome]
        if runs:
            count = counted(len(runs), "case")
            found.append(f"{ending} in {count}, first in case {runs[0].case}: {runs[0].detail}")
    if any(error in run.detail for run in grade.record.runs for error in INPUT_ERRORS):
        found.append("it seems to read from the keyboard; the position is in its arguments")
    inexact = [mark.case.number for mark in grade.marks if is_answered(mark) and any(mark.lost)]
    if inexact:
        count = counted(len(inexact), "case")
        found.append(
            f"right numbers in lines that do not count in {count}, first in case {inexact[0]}:"
            f" the first line must be '{LABELS[0]}: ' and the number, the others as exact and in"
            " the order of the assignment, with no line before or between them"
        )
    return found


def groups(grade: Grade) -> list[Group]:
    """Return the diagnosis of a submission in words."""
    diagnosis = grade.diagnosis
    if not any(mark.run and not mark.is_right for mark in grade.marks):
        return []
    by_number = {mark.case.number: mark.case for mark in grade.marks}
    found = [
        Group(
            "Or it is this, which gives as many lines:" if index else _introduction(diagnosis),
            _advices(alternative, by_number),
        )
        for index, alternative in enumerate(diagnosis.alternatives)
    ]
    if not diagnosis.alternatives and not (diagnosis.is_certain and diagnosis.formats):
        found.append(Group(_unexplained(grade), ()))
    if diagnosis.formats:
        found.append(Group("How numbers are printed:", _advices(diagnosis.formats, by_number)))
    return found


def names(grade: Grade) -> str:
    """Return the names of the faults of the first explanation, with a sign of doubt."""
    diagnosis = grade.diagnosis
    doubt = "" if diagnosis.is_certain else "?"
    first = diagnosis.alternatives[0] if diagnosis.alternatives else ()
    found = [f"{finding.name}{doubt}" for finding in first]
    found += [finding.name for finding in diagnosis.formats]
    if not first and (remaining(diagnosis) or (has_wrong_answer(grade) and not found)):
        found.append(UNEXPLAINED)
    return ", ".join(found)


def has_wrong_answer(grade: Grade) -> bool:
    """Return whether the program has printed wrong numbers."""
    return any(
        is_answered(mark) and mark.got != mark.case.expected and not mark.is_right
        for mark in grade.marks
    )


def is_answered(mark: CaseMark) -> bool:
    """Return whether the program printed six lines in a case, right or wrong ones."""
    return mark.run is not None and mark.run.outcome is CaseOutcome.ANSWERED


def remaining(diagnosis: Diagnosis) -> list[str]:
    """Return the lines that are not explained, each with the number of cases."""
    examined = diagnosis.examined
    return [
        f"{label} in {examined - count} of {examined}"
        for label, count in zip(LABELS, diagnosis.agreeing, strict=False)
        if count < examined
    ]


def _introduction(diagnosis: Diagnosis) -> str:
    cases = counted(diagnosis.examined, "case")
    if diagnosis.is_certain:
        return f"This gives exactly your numbers in all {cases} examined:"
    if remaining(diagnosis):
        agreeing = [
            (
                count,
                [
                    label
                    for label, one in zip(LABELS, diagnosis.agreeing, strict=True)
                    if one == count
                ],
            )
            for count in sorted({*diagnosis.agreeing}, reverse=True)
        ]
        (most, lines), *others = agreeing
        extent = [f"exactly your {_enumerated(lines)} in {most} of {cases}"]
        extent += [f"your {_enumerated(lines)} in {count}" for count, lines in others]
        return (
            f"Perhaps it is this, or a part of it. It gives {', '.join(extent)};"
            " what remains has another reason:"
        )
    return f"Perhaps it is this. It gives your numbers in all {cases} examined, but so may others:"


def _enumerated(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _unexplained(grade: Grade) -> str:
    answered = [mark for mark in grade.marks if is_answered(mark)]
    right = [
        label
        for line, label in enumerate(LABELS)
        if answered and all(mark.right[line] or mark.lost[line] for mark in answered)
    ]
    smallest = min(
        (mark.case for mark in grade.marks if not mark.is_right), key=lambda case: case.nodes
    )
    sentences = ["No known misreading gives these numbers."] if has_wrong_answer(grade) else []
    if left := remaining(grade.diagnosis):
        sentences.append(f"Unexplained: {', '.join(left)} cases examined.")
    if right:
        sentences.append(f"Right whenever six lines were printed: {', '.join(right)}.")
    sentences.append(f"Look first at case {smallest.number}, the smallest that is wrong.")
    return " ".join(sentences)


def _advices(findings: Sequence[Finding], cases: "dict[int, Case]") -> tuple[Advice, ...]:
    return tuple(
        Advice(finding.title, finding.advice, cases.get(finding.case or 0)) for finding in findings
    )


def rows(mark: CaseMark) -> list[Row]:
    """Return the six lines of a case, expected and printed."""
    lines = zip(LABELS, mark.case.expected, mark.got, mark.right, mark.lost, strict=True)
    return [
        Row(
            label,
            expected,
            one_line(got)[:MAX_VALUE] or NONE,
            LOST if is_lost else "" if is_right else WRONG,
        )
        for label, expected, got, is_right, is_lost in lines
    ]


def shown_marks(grade: Grade) -> tuple[CaseMark, ...]:
    """Return the marks of the cases that a page shows: none, if the program was never run."""
    return grade.marks if grade.record.runs else ()


def command(case: Case) -> str:
    """Return the arguments of a case as they are typed."""
    return " ".join(case.arguments)


def link(case: Case, page: str | None) -> str | None:
    """Return the address of the position in the analysis of an arena's page; None without one."""
    if not page:
        return None
    position = case.position
    [parameter] = GAME.parameters
    setup = {parameter: position.stones}
    address = analysis_address(GAME.name, setup, position.taken, position.depth)
    return f"{page.rstrip('/')}/{address}"
