"""Grades as CSV."""

import csv

from arena.grading.marking import Grade
from arena.grading.reports.folder import grades_csv


def test_each_submission_has_a_row(grades: dict[str, Grade]) -> None:
    rows = [*csv.DictReader(grades_csv([*grades.values()]).splitlines())]
    first = rows[0]
    assert (first["name"], first["points"], first["right"], first["case_6"]) == (
        "ada",
        "100.0",
        "6",
        "1.0",
    )
    assert (rows[1]["right_move"], rows[1]["right_depth"]) == ("6", "0")
    assert rows[1]["diagnosis"] == "depth-printed-from-one"
    assert (rows[-1]["failure"], rows[-1]["note"]) == ("no program found", "the latest of 2")


def test_no_name_is_a_formula(grades: dict[str, Grade]) -> None:
    assert "\n'=eve," in grades_csv([grades["=eve"]])
