"""Results for Gradescope, by the fields of its specification."""

import json
from typing import Any

import pytest

from arena.grading.marking import Grade
from arena.grading.reports.results import gradescope_json
from tests.support.cases import loop_over


def results(grade: Grade) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gradescope_json(grade))
    return found


@loop_over("name", ["ada", "bob", "cyd", "dan", "eva", "=eve", "kim", "lou"])
def test_the_format(name: str, grades: dict[str, Grade]) -> None:
    found = results(grades[name])
    assert found["score"] == grades[name].points
    assert isinstance(found["execution_time"], int)
    assert found["visibility"] == "visible"
    assert sum(test["score"] for test in found["tests"]) == pytest.approx(found["score"], abs=0.01)
    assert sum(test["max_score"] for test in found["tests"]) == pytest.approx(100, abs=0.01)
    assert {test["status"] for test in found["tests"]} <= {"passed", "failed"}


def test_the_diagnosis_is_shown(grades: dict[str, Grade]) -> None:
    assert "Smallest case: 1." in results(grades["bob"])["output"]


def test_the_log_of_a_failed_build_is_shown(grades: dict[str, Grade]) -> None:
    assert results(grades["kim"])["output"].endswith("|*x*\nline\n")


def test_a_case_shows_expected_and_printed_lines(grades: dict[str, Grade]) -> None:
    first = results(grades["bob"])["tests"][0]
    assert first["name"] == "Case 1: 7 3 1 4 2 3"
    assert "! Max Depth Reached: expected 2, got 3" in first["output"]
    assert results(grades["=eve"])["tests"][0]["output"].startswith("<script>")
