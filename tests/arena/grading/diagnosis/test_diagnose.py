"""Diagnosis: a program that has exactly one error, or two, is named as such."""

from collections.abc import Iterator
from functools import cache

import pytest

from arena.grading.cases import Case, make_cases
from arena.grading.diagnosis import diagnose as module
from arena.grading.diagnosis.diagnose import Diagnosis, Sample, Scope, Searches, diagnose
from arena.grading.diagnosis.search import Position
from arena.grading.diagnosis.variants import VARIANTS
from tests.support.cases import loop_over
from tests.support.grading.misreadings import (
    FORMATS,
    MISREADINGS,
    AlwaysNegated,
    CutoffBeyondBound,
    DepthPrintedFromOne,
    HalfEven,
    NegativeZero,
    OneIsPrime,
    PrimeItselfNotCounted,
    Program,
    RemainingMultiples,
    RootNotCounted,
)

SEARCHES = Searches()


@cache
def cases() -> list[Case]:
    return make_cases(40, seed=7, seconds=0.001)


def samples(program: type[Program], count: int = 40) -> Iterator[Sample]:
    for case in cases()[:count]:
        position = case.position
        got = program(position.stones, position.taken, position.depth).six_values()
        yield Sample(case.number, position, case.nodes, case.expected, got)


def diagnosed(program: type[Program], count: int = 40) -> Diagnosis:
    return diagnose(samples(program, count), SEARCHES)


def test_every_variant_is_programmed() -> None:
    assert [variant.name for variant in VARIANTS] == [*MISREADINGS]


@pytest.mark.unmeasured
@loop_over(
    ("name", "program"),
    [(name, program) for name, programs in MISREADINGS.items() for program in programs],
)
def test_a_program_with_one_error_is_named(name: str, program: type[Program]) -> None:
    diagnosis = diagnosed(program)
    assert diagnosis.scope is Scope.ALL
    assert [[finding.name for finding in found] for found in diagnosis.alternatives] == [[name]]
    assert diagnosis.formats == ()


@loop_over(("name", "program"), FORMATS.items())
def test_a_fault_of_the_format_is_named(name: str, program: type[Program]) -> None:
    diagnosis = diagnosed(program)
    assert diagnosis.scope is Scope.ALL
    assert (diagnosis.alternatives, [finding.name for finding in diagnosis.formats]) == ((), [name])


class TwoErrors(RemainingMultiples, AlwaysNegated):
    """The two errors of a public solution."""


class SearchAndCount(CutoffBeyondBound, RootNotCounted):
    """An error of the search, and one of the counts."""


class ErrorAndFormats(OneIsPrime, NegativeZero, HalfEven):
    """An error, and two faults of the format."""


@loop_over(
    "program, names, formats",
    (TwoErrors, {"remaining-multiples", "always-negated"}, []),
    (SearchAndCount, {"cutoff-beyond-bound", "root-not-counted"}, []),
    (ErrorAndFormats, {"one-is-prime"}, ["negative-zero", "branching-half-even"]),
)
def test_combinations_are_named(
    program: type[Program], names: set[str], formats: list[str]
) -> None:
    diagnosis = diagnosed(program)
    [found] = diagnosis.alternatives
    assert {finding.name for finding in found} == names
    assert [finding.name for finding in diagnosis.formats] == formats


def test_a_right_program_needs_no_diagnosis() -> None:
    assert diagnosed(Program) == Diagnosis(examined=40)


def test_the_smallest_case_that_shows_an_error_is_named() -> None:
    [[finding]] = diagnosed(PrimeItselfNotCounted).alternatives
    wrong = [sample for sample in samples(PrimeItselfNotCounted) if sample.got != sample.expected]
    assert finding.case == min(wrong, key=lambda sample: sample.nodes).number


def test_several_explanations_of_few_cases_are_all_named() -> None:
    # In the first official case the limit is 3 plies and the depth reached is 2.
    found = diagnosed(DepthPrintedFromOne, count=1).alternatives
    names = [finding.name for alternative in found for finding in alternative]
    assert names == ["depth-from-one", "depth-printed-from-one", "limit-printed"]


class UnknownCount(CutoffBeyondBound):
    """A known error, and a branching factor that nothing explains."""

    def branching_text(self, factor: object) -> str:
        del factor
        return "7.7"


class UnknownCounts(OneIsPrime):
    """A known error of the evaluation, and a count that nothing explains."""

    def count_visit(self, depth: int) -> None:
        self.visited += 1 + depth


class UnknownResult(CutoffBeyondBound):
    """A known error of the search, and values that nothing explains."""

    def value_text(self, value: float) -> str:
        return f"{value * 3:.1f}"


class UnknownMove(Program):
    """Moves that nothing explains."""

    def six_values(self) -> tuple[str, ...]:
        return ("no", *super().six_values()[1:])


@loop_over(
    "program, scope, names",
    (UnknownCount, Scope.ALL_BUT_BRANCHING, ["cutoff-beyond-bound"]),
    (UnknownCounts, Scope.RESULT, ["one-is-prime"]),
    (UnknownResult, Scope.COUNTS, ["cutoff-beyond-bound"]),
)
def test_a_part_of_the_lines_is_explained(
    program: type[Program], scope: Scope, names: list[str]
) -> None:
    diagnosis = diagnosed(program)
    assert diagnosis.scope is scope
    assert [finding.name for finding in diagnosis.alternatives[0]] == names


def test_an_unknown_error_is_not_named() -> None:
    assert diagnosed(UnknownMove) == Diagnosis(examined=40)


def test_large_cases_are_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CASE_NODES", 20)
    small = [case for case in cases() if case.nodes <= 20]
    assert 0 < diagnosed(RootNotCounted).examined == len(small) < 40


@pytest.mark.unmeasured
def test_a_misreading_that_needs_too_many_nodes_explains_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_NODES", 2)
    assert diagnose(samples(CutoffBeyondBound, 20), Searches()).scope is None


def test_huge_boards_are_left_out() -> None:
    position = Position(5000, (2500,), 1)
    sample = Sample(1, position, 10, ("1",) * 6, ("2",) * 6)
    assert diagnose([sample], Searches()).scope is None
