"""Feedback in words."""

from dataclasses import replace
from urllib.parse import parse_qs

import msgspec

from arena.grading.marking import Grade
from arena.grading.records import CaseOutcome, CaseRun, SubmissionRecord
from arena.grading.reports.feedback import groups, headline, link, names, problems, rows
from arena.grading.scheme import Matching, Scheme
from core.take_stones.six_lines import LABELS
from tests.support.cases import loop_over
from tests.support.grading.grades import cases, graded, output, record

Grades = dict[str, Grade]


def introductions(grade: Grade) -> list[str]:
    return [group.introduction for group in groups(grade)]


def test_a_right_program(grades: Grades) -> None:
    assert headline(grades["ada"]) == "100 of 100 points, 6 of 6 cases right"
    assert (problems(grades["ada"]), groups(grades["ada"]), names(grades["ada"])) == ([], [], "")


def test_a_misreading(grades: Grades) -> None:
    [group] = groups(grades["bob"])
    assert group.introduction == "This gives exactly your numbers in all 6 cases examined:"
    [advice] = group.advices
    assert advice.title == "The depth reached is counted from 1."
    assert advice.text == "The root is at depth 0."
    assert advice.case == min(cases(), key=lambda case: case.nodes)
    assert names(grades["bob"]) == "depth-printed-from-one"


def test_a_format(grades: Grades) -> None:
    [group] = groups(grades["cyd"])
    assert group.introduction == "How numbers are printed:"
    assert names(grades["cyd"]) == "negative-zero"


def test_a_part_of_the_lines(grades: Grades) -> None:
    [text] = introductions(grades["dan"])
    assert text == (
        "Perhaps it is this, or a part of it. It gives exactly your Move, Value, Number of Nodes"
        " Visited, Number of Nodes Evaluated and Max Depth Reached in 6 of 6 cases, your Avg"
        " Effective Branching Factor in 0; what remains has another reason:"
    )
    assert names(grades["dan"]) == "cutoff-beyond-bound?, one-is-prime?"


def test_other_explanations_are_told_too(grades: Grades) -> None:
    diagnosis = grades["bob"].diagnosis
    two = diagnosis._replace(alternatives=2 * diagnosis.alternatives, is_certain=False)
    assert introductions(replace(grades["bob"], diagnosis=two)) == [
        "Perhaps it is this. It gives your numbers in all 6 cases examined, but so may others:",
        "Or it is this, which gives as many lines:",
    ]


def test_an_unknown_error(grades: Grades) -> None:
    [text] = introductions(grades["eva"])
    assert text.startswith("No known misreading gives these numbers. Unexplained: ")
    assert "Avg Effective Branching Factor in 6 of 6 cases examined." in text
    assert "Look first at case 1, the smallest that is wrong." in text
    assert names(grades["eva"]) == "unexplained"


def test_bad_ends(grades: Grades) -> None:
    found = problems(grades["=eve"])
    assert [problem.split(",")[0] for problem in found] == [
        "out of time in 1 case",
        "beyond a limit in 1 case",
        "crashed in 1 case",
        "without the six lines in 2 cases",
    ]


def test_a_program_that_never_answers() -> None:
    run = CaseRun(1, CaseOutcome.CRASH, "no memory", "", 0.1)
    found = graded(msgspec.structs.replace(record("ada"), runs=(run,)))
    assert introductions(found) == ["Look first at case 1, the smallest that is wrong."]
    assert names(found) == ""


def test_a_program_that_is_right_where_it_answers() -> None:
    crash = CaseRun(1, CaseOutcome.CRASH, "no memory", "", 0.1)
    found = graded(msgspec.structs.replace(record("ada"), runs=(crash, *record("ada").runs[1:])))
    assert introductions(found) == [
        f"Right whenever six lines were printed: {', '.join(LABELS)}."
        " Look first at case 1, the smallest that is wrong."
    ]
    assert names(found) == ""


def test_right_numbers_in_lines_that_are_not_exact() -> None:
    run = CaseRun(1, CaseOutcome.ANSWERED, "", "Hello\n" + output(cases()[0].expected), 0.1)
    exact = Scheme(matching=Matching.EXACT)
    found = graded(msgspec.structs.replace(record("ada"), runs=(run,)), exact)
    assert problems(found) == [
        "right numbers in lines that do not count in 1 case, first in case 1: the first line must"
        " be 'Move: ' and the number, the others as exact and in the order of the assignment, with"
        " no line before or between them"
    ]
    assert not introductions(found)[0].startswith("No known misreading")
    assert names(found) == ""
    assert {row.fault for row in rows(found.marks[0])} == {"does not count"}


def test_right_lines_of_a_program_that_is_late_do_not_count() -> None:
    run = CaseRun(1, CaseOutcome.TIMEOUT, "late", "Move: 6\nValue: 0.5\n", 0.1)
    found = graded(msgspec.structs.replace(record("ada"), runs=(run,)))
    assert [row.fault for row in rows(found.marks[0])] == ["does not count", *5 * ["wrong"]]
    assert problems(found) == ["out of time in 1 case, first in case 1: late"]


@loop_over(
    "detail",
    "EOFError: EOF when reading a line",
    "java.util.NoSuchElementException in java.util.Scanner at TakeStones.java:5",
)
def test_a_program_that_reads_from_the_keyboard(detail: str) -> None:
    run = CaseRun(1, CaseOutcome.CRASH, detail, "", 0.1)
    found = problems(graded(msgspec.structs.replace(record("ada"), runs=(run,))))
    assert found == [
        f"crashed in 1 case, first in case 1: {detail}",
        "it seems to read from the keyboard; the position is in its arguments",
    ]


def test_a_program_that_is_not_built(grades: Grades) -> None:
    assert problems(grades["kim"]) == ["the build ended with status 1"]
    assert groups(grades["kim"]) == []


def test_rows_of_a_case_without_an_answer(grades: Grades) -> None:
    assert {row.got for row in rows(grades["=eve"].marks[0])} == {"-"}


def test_printed_values_are_short_and_harmless() -> None:
    long = "\x1b[31m\u202e" + "x" * 1000
    values = (long, *cases()[0].expected[1:])
    run = CaseRun(1, CaseOutcome.ANSWERED, "", output(values), 0.1)
    shown = rows(graded(SubmissionRecord("ann", "", "C", runs=(run,))).marks[0])
    assert shown[0].got == "?[31m?" + "x" * 34
    assert [row.fault for row in shown] == ["wrong"] + 5 * [""]


def test_links_lead_to_the_position() -> None:
    assert link(cases()[0], None) is None
    address = link(cases()[0], "http://127.0.0.1:8765/")
    assert address
    page, _, query = address.partition("#/analysis?")
    assert page == "http://127.0.0.1:8765/"
    assert parse_qs(query) == {
        "game": ["take_stones"],
        "stones": ["7"],
        "moves": ["1,4,2"],
        "depth": ["3"],
    }
