"""Marks of a submission."""

import msgspec

from arena.grading.cases import make_cases
from arena.grading.marking import diagnosed_values, mark
from arena.grading.records import CaseOutcome, CaseRun, SubmissionRecord
from arena.grading.scheme import LINES, Matching, Scheme
from core.take_stones.six_lines import LABELS
from tests.support.cases import loop_over
from tests.support.grading.grades import answer, cases, graded, output, record
from tests.support.grading.misreadings import DepthPrintedFromOne, NegativeZero

CASE = make_cases(3, seed=1, seconds=0.001)[2]  # one of the official cases
EXPECTED = output(CASE.expected)
EXACT = Scheme(matching=Matching.EXACT)
TOLERANT = Scheme()


def run_of(text: str, outcome: CaseOutcome = CaseOutcome.ANSWERED) -> CaseRun:
    return CaseRun(CASE.number, outcome, "", text, 0.1)


def wrong_lines(
    text: str, scheme: Scheme, outcome: CaseOutcome = CaseOutcome.ANSWERED
) -> list[str]:
    right = mark(CASE, run_of(text, outcome), scheme).right
    return [name for name, good in zip(LINES, right, strict=True) if not good]


@loop_over("scheme", [EXACT, TOLERANT])
def test_expected_lines_are_right(scheme: Scheme) -> None:
    assert mark(CASE, run_of(EXPECTED), scheme).is_right
    assert mark(CASE, run_of(EXPECTED.rstrip()), scheme).share == 1


@loop_over(
    "text, exact",
    (EXPECTED.replace("Move:", "move :"), ["move"]),
    (EXPECTED.replace("Move: ", "Move:  "), ["move"]),
    (EXPECTED.replace("\n", " \n", 1), ["move"]),
    ("Hello\n" + EXPECTED, [*LINES]),
    (EXPECTED + "Bye\n", []),
)
def test_white_space_is_tolerated_unless_lines_must_be_exact(text: str, exact: list[str]) -> None:
    assert wrong_lines(text, TOLERANT) == []
    assert wrong_lines(text, EXACT) == exact


@loop_over("scheme", [EXACT, TOLERANT])
def test_each_line_has_its_mark(scheme: Scheme) -> None:
    text = EXPECTED.replace(f"Move: {CASE.expected[0]}", "Move: 99")
    assert wrong_lines(text, scheme) == ["move"]


def test_a_missing_line_is_wrong() -> None:
    text = "\n".join(EXPECTED.splitlines()[:3])
    assert wrong_lines(text, TOLERANT, CaseOutcome.FORMAT) == ["evaluated", "depth", "branching"]
    assert wrong_lines(text, EXACT, CaseOutcome.FORMAT) == ["evaluated", "depth", "branching"]
    assert mark(CASE, run_of(text, CaseOutcome.FORMAT), TOLERANT).got[3:] == ("", "", "")


@loop_over("outcome", [CaseOutcome.TIMEOUT, CaseOutcome.CRASH, CaseOutcome.LIMIT])
def test_lines_of_a_program_that_did_not_end_well_do_not_count(outcome: CaseOutcome) -> None:
    assert mark(CASE, run_of(EXPECTED, outcome), TOLERANT).share == 0


def test_weights() -> None:
    text = EXPECTED.replace(f"Move: {CASE.expected[0]}", "Move: 99")
    scheme = Scheme(weights=(3, 1, 0, 0, 0, 0))
    assert mark(CASE, run_of(text), scheme).share == 0.25


def test_points_are_the_mean_of_the_cases() -> None:
    found = graded(record("ada", DepthPrintedFromOne), Scheme(points=60))
    assert (found.points, found.of, found.right_cases) == (50, 60, 0)
    assert graded(record("bob")).points == 100


def test_a_program_that_was_not_built_has_no_points() -> None:
    found = graded(SubmissionRecord("ada", "", failure="no program found"))
    assert (found.points, found.right_cases) == (0, 0)
    assert found.diagnosis.examined == 0


def test_outcomes_are_counted() -> None:
    runs = (answer(cases()[0]), run_of("", CaseOutcome.TIMEOUT))
    found = graded(msgspec.structs.replace(record("ada"), runs=runs))
    assert (found.count(CaseOutcome.ANSWERED), found.count(CaseOutcome.TIMEOUT)) == (1, 1)


def test_errors_are_diagnosed() -> None:
    found = graded(record("ada", NegativeZero)).diagnosis
    assert [finding.name for finding in found.formats] == ["negative-zero"]


def other_labels(labels: tuple[str, ...], outcome: CaseOutcome) -> bool:
    """Return whether a program that prints other labels is diagnosed."""
    runs = []
    for case in cases():
        position = case.position
        values = DepthPrintedFromOne(position.stones, position.taken, position.depth).six_values()
        runs.append(CaseRun(case.number, outcome, "", output(values, labels), 0.1))
    found = msgspec.structs.replace(record("ada"), runs=tuple(runs))
    return graded(found).diagnosis.is_certain


def test_six_lines_with_other_labels_are_diagnosed_by_their_order() -> None:
    labels = (*LABELS[:5], "Average Branching Factor")
    assert other_labels(labels, CaseOutcome.FORMAT)
    assert not other_labels(labels, CaseOutcome.CRASH)


@loop_over("separator", [" = ", " ", ":\x1b[0m "])
def test_a_number_behind_another_label_is_the_last_word(separator: str) -> None:
    run = run_of(EXPECTED.replace(": ", separator), CaseOutcome.FORMAT)
    assert diagnosed_values(run) == CASE.expected


def test_a_crash_is_not_diagnosed() -> None:
    runs = (CaseRun(1, CaseOutcome.FORMAT, "", "one line", 0.1),)
    found = graded(msgspec.structs.replace(record("ada"), runs=runs))
    assert found.diagnosis.examined == 0
