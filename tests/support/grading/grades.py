"""Records and grades of invented submissions."""

from functools import cache

from arena.grading.cases import Case, make_cases
from arena.grading.diagnosis.search import Searches
from arena.grading.marking import Grade, grade
from arena.grading.records import CaseOutcome, CaseRun, SubmissionRecord
from arena.grading.scheme import Scheme
from core.take_stones.six_lines import LABELS
from tests.support.grading.misreadings import Program

SEARCHES = Searches()


@cache
def cases() -> list[Case]:
    """Return six cases; not all workers of pytest compute them."""
    return make_cases(6, seed=1, seconds=0.001)


def output(values: tuple[str, ...], labels: tuple[str, ...] = LABELS) -> str:
    """Return the text of six lines."""
    return "".join(f"{label}: {value}\n" for label, value in zip(labels, values, strict=True))


def answer(case: Case, program: type[Program] = Program) -> CaseRun:
    """Return the run of a program that answers."""
    position = case.position
    values = program(position.stones, position.taken, position.depth).six_values()
    return CaseRun(case.number, CaseOutcome.ANSWERED, "", output(values), 0.25)


def record(name: str, program: type[Program] = Program) -> SubmissionRecord:
    """Return the record of a program that answers all cases."""
    runs = tuple(answer(case, program) for case in cases())
    return SubmissionRecord(name, "digest", "Java", build_seconds=1.0, runs=runs)


def graded(found: SubmissionRecord, scheme: Scheme | None = None) -> Grade:
    """Return the grade of a record."""
    return grade(found, cases(), scheme or Scheme(), SEARCHES)
