"""Reports for the terminal."""

from arena.grading.marking import Grade
from arena.grading.reports.text import feedback_text, grades_text

Grades = dict[str, Grade]


def test_the_table(grades: Grades) -> None:
    lines = grades_text([*grades.values()]).splitlines()
    assert lines[0].split() == [
        "points",
        "submission",
        "right",
        "late",
        "limit",
        "crashed",
        "format",
        "diagnosis",
    ]
    assert lines[1].split() == ["100", "ada", "6/6", ".", ".", ".", ".", "."]
    assert lines[2].split()[-1] == "depth-printed-from-one"
    assert lines[-1].endswith("no program found")


def test_feedback_on_a_right_program(grades: Grades) -> None:
    assert feedback_text(grades["ada"]) == "ada: 100 of 100 points, 6 of 6 cases right\n"


def test_feedback_on_a_wrong_program(grades: Grades) -> None:
    text = feedback_text(grades["bob"])
    assert "- The depth reached is counted from 1. The root is at depth 0. (case 1:" in text
    assert "! Max Depth Reached              expected 2        got 3\n" in text
    assert text.endswith("and 3 more wrong cases: --output FOLDER writes a page with all of them\n")


def test_feedback_on_a_program_with_bad_ends(grades: Grades) -> None:
    assert "crashed in 1 case, first in case 2" in feedback_text(grades["=eve"])
