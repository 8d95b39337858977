"""Tests of the loops over cases."""

import asyncio
from pathlib import Path

import pytest

from tests.support.cases import loop_over


@loop_over("number", 1, 2, 3, 4)
def odd(number: int) -> None:
    assert number % 2 == 1


@loop_over("second", [3, 5])
@loop_over(("first",), [(1,), (2,)])
def odd_products(first: int, second: int) -> None:
    assert first * second % 2 == 1


def test_all_cases_that_fail_are_reported() -> None:
    with pytest.raises(ExceptionGroup, match=r"^2 of 4 cases fail$") as group:
        odd()
    assert [error.__notes__ for error in group.value.exceptions] == [
        ["in case 1: {'number': 2}"],
        ["in case 3: {'number': 4}"],
    ]


def test_loops_can_be_nested() -> None:
    with pytest.raises(ExceptionGroup, match="2 of 2 cases fail"):
        odd_products()


def test_asynchronous_tests_are_run() -> None:
    @loop_over("number", 1, 2)
    async def fails(number: int) -> None:
        await asyncio.sleep(0)
        assert number == 1

    with pytest.raises(ExceptionGroup, match="1 of 2 cases fail"):
        fails()


def test_a_missing_error_is_an_error() -> None:
    @loop_over("value, error", [(1, ZeroDivisionError), (0, ZeroDivisionError)])
    def fails(value: int, error: type[Exception]) -> None:
        with pytest.raises(error):
            _ = 1 / value

    with pytest.raises(BaseExceptionGroup, match="1 of 2 cases fail"):
        fails()


def test_cases_without_marks_are_needed() -> None:
    with pytest.raises(TypeError, match=r"pytest\.param"):
        loop_over("number", [1, pytest.param(2, marks=pytest.mark.untraced)])
    with pytest.raises(ValueError, match="no cases"):
        loop_over("number", [])
    with pytest.raises(ValueError, match="no cases"):
        loop_over("number")


@loop_over("number", [1, 2])
def test_a_case_has_fixtures_of_its_own(
    number: int,
    tmp_path: Path,
    db: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not hasattr(pytest, "changed")
    monkeypatch.setattr(pytest, "changed", True, raising=False)
    (tmp_path / "new").mkdir()
    db.touch(exist_ok=False)
    print(number)
    if number == 2:
        assert capsys.readouterr().out == "2\n"
