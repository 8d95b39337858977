"""Grades of invented submissions."""

import msgspec
import pytest

from arena.grading.marking import Grade
from arena.grading.records import CaseOutcome, CaseRun, SubmissionRecord
from tests.support.grading.grades import answer, cases, graded, record
from tests.support.grading.misreadings import (
    CutoffBeyondBound,
    DepthPrintedFromOne,
    NegativeZero,
    OneIsPrime,
)

MARKUP = "<script>alert(1)</script>|*x*"


class UnknownBranching(CutoffBeyondBound, OneIsPrime):
    """A program with an error that is named, and a line that nothing explains."""

    def branching_text(self, factor: object) -> str:
        del factor
        return "7.7"


class Unknown(UnknownBranching):
    """A program with errors that nothing explains."""

    def value_text(self, value: float) -> str:
        return f"{value * 3 + 1:.1f}"

    def count_visit(self, depth: int) -> None:
        self.visited += 1 + depth


def troubled() -> SubmissionRecord:
    """Return the record of a program with every bad end."""
    outcomes = [
        CaseOutcome.TIMEOUT,
        CaseOutcome.CRASH,
        CaseOutcome.LIMIT,
        CaseOutcome.FORMAT,
        CaseOutcome.FORMAT,
    ]
    runs = [
        CaseRun(case.number, outcome, f"{MARKUP}\x00", MARKUP, 0.5)
        for case, outcome in zip(cases(), outcomes, strict=False)
    ]
    return msgspec.structs.replace(record("=eve"), runs=(*runs, answer(cases()[5])))


def records() -> list[SubmissionRecord]:
    return [
        record("ada"),
        record("bob", DepthPrintedFromOne),
        record("cyd", NegativeZero),
        record("dan", UnknownBranching),
        record("eva", Unknown),
        troubled(),
        SubmissionRecord(
            "kim", "", "C", "the build ended with status 1", f"error: {MARKUP}\nline\n"
        ),
        SubmissionRecord("lou", "", failure="no program found", note="the latest of 2"),
    ]


@pytest.fixture(scope="session")
def grades() -> dict[str, Grade]:
    """Return the grades of all submissions by name."""
    return {found.name: graded(found) for found in records()}
