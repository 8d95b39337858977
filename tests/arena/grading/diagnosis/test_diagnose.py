"""Diagnosis: a program that has exactly one error, or two, is named as such."""

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

import pytest

from arena.grading.cases import Case, make_cases
from arena.grading.diagnosis import diagnose as diagnose_module
from arena.grading.diagnosis import search as search_module
from arena.grading.diagnosis.diagnose import Diagnosis, diagnose
from arena.grading.diagnosis.fit import Sample
from arena.grading.diagnosis.search import Found, Position, Searches
from arena.grading.diagnosis.variants import Reading, pairs, readings
from core.rounding import one_decimal
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
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
COUNT = 24


@cache
def cases() -> list[Case]:
    return make_cases(COUNT, seed=2, seconds=0.001)


def samples(program: type[Program], count: int = COUNT) -> Iterator[Sample]:
    for case in cases()[:count]:
        position = case.position
        got = program(position.stones, position.taken, position.depth).six_values()
        yield Sample(case.number, position, case.nodes, case.expected, got)


def diagnosed(program: type[Program], count: int = COUNT) -> Diagnosis:
    return diagnose(samples(program, count), SEARCHES)


def named(diagnosis: Diagnosis) -> list[list[str]]:
    return [[finding.name for finding in found] for found in diagnosis.alternatives]


def is_complete(diagnosis: Diagnosis) -> bool:
    """Return whether all lines of all cases are explained."""
    return {*diagnosis.agreeing} == {diagnosis.examined}


@pytest.mark.unmeasured
@loop_over(
    ("name", "program"),
    [(name, program) for name, programs in MISREADINGS.items() for program in programs],
)
def test_a_program_with_one_error_is_named(name: str, program: type[Program]) -> None:
    diagnosis = diagnosed(program)
    assert diagnosis.is_certain
    assert named(diagnosis) == [[name]]
    assert diagnosis.formats == ()


@loop_over(("name", "program"), FORMATS.items())
def test_a_fault_of_the_format_is_named(name: str, program: type[Program]) -> None:
    diagnosis = diagnosed(program)
    assert diagnosis.is_certain
    assert (diagnosis.alternatives, [finding.name for finding in diagnosis.formats]) == ((), [name])


def printed(found: Found) -> tuple[str, ...]:
    """Return the six lines after a search."""
    evaluated = found.ends + found.cuts
    inner = found.visited - evaluated
    factor = one_decimal(found.visited - 1, inner) if inner else "NaN"
    counts = found.visited, evaluated, found.max_depth
    return (str(found.move), f"{found.value + 0:.1f}", *map(str, counts), factor)


def answers(reading: Reading, count: int = COUNT) -> list[Sample]:
    """Return the answers of a program that follows a reading, where it can."""
    return [
        Sample(case.number, case.position, case.nodes, case.expected, printed(found))
        for case in cases()[:count]
        if (found := SEARCHES.find(case.position, reading))
    ]


def is_wrong(samples: Iterable[Sample]) -> bool:
    return any(sample.got != sample.expected for sample in samples)


@pytest.mark.unmeasured
@loop_over("reading", readings())
def test_a_switch_is_named(reading: Reading) -> None:
    found = answers(reading)
    diagnosis = diagnose(found, SEARCHES)
    assert is_complete(diagnosis) == is_wrong(found)
    assert not is_wrong(found) or [reading.variants[0].name] in named(diagnosis)


@pytest.mark.unmeasured
@loop_over("seed", range(2))
def test_two_switches_are_explained_by_as_many_or_fewer(seed: int) -> None:
    found = answers(random.Random(seed).choice(pairs()), 20)
    diagnosis = diagnose(found, SEARCHES)
    assert is_complete(diagnosis) == is_wrong(found)
    assert all(len(alternative) <= 2 for alternative in diagnosis.alternatives)


@pytest.mark.unmeasured
def test_what_is_certain_gives_all_lines() -> None:
    chance = random.Random(0)
    found = answers(chance.choice(readings()), 20)
    index, line = chance.randrange(len(found)), chance.choice((0, 2, 3, 4))
    got = [*found[index].got]
    got[line] = str(int(got[line]) + chance.choice((-1, 1, 3)))
    found[index] = found[index]._replace(got=tuple(got))
    diagnosis = diagnose(found, SEARCHES)
    assert not diagnosis.is_certain
    assert diagnosis.agreeing[line] < diagnosis.examined


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
    (ErrorAndFormats, {"one-is-prime", "branching-half-even"}, ["negative-zero"]),
)
def test_combinations_are_named(
    program: type[Program], names: set[str], formats: list[str]
) -> None:
    diagnosis = diagnosed(program)
    [found] = named(diagnosis)
    assert {*found} == names
    assert [finding.name for finding in diagnosis.formats] == formats
    assert diagnosis.is_certain


def test_a_right_program_needs_no_diagnosis() -> None:
    assert diagnosed(Program) == Diagnosis(examined=COUNT)


def test_the_smallest_case_that_shows_an_error_is_named() -> None:
    [[finding]] = diagnosed(PrimeItselfNotCounted).alternatives
    wrong = [sample for sample in samples(PrimeItselfNotCounted) if sample.got != sample.expected]
    assert finding.case == min(wrong, key=lambda sample: sample.nodes).number


def test_several_explanations_of_few_cases_are_all_named() -> None:
    # In the first official case the limit is 3 plies and the depth reached is 2.
    diagnosis = diagnosed(DepthPrintedFromOne, count=1)
    assert named(diagnosis)[:2] == [["depth-printed-from-one"], ["limit-printed"]]
    assert not diagnosis.is_certain


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
    "program, lines, names",
    (UnknownCount, [0, 1, 2, 3, 4], ["cutoff-beyond-bound"]),
    (UnknownCounts, [0, 1, 3, 4, 5], ["one-is-prime"]),
    (UnknownResult, [0, 2, 3, 4, 5], ["cutoff-beyond-bound"]),
)
def test_a_part_of_the_lines_is_explained(
    program: type[Program], lines: list[int], names: list[str]
) -> None:
    diagnosis = diagnosed(program)
    assert named(diagnosis) == [names]
    assert [line for line, count in enumerate(diagnosis.agreeing) if count == COUNT] == lines
    assert not diagnosis.is_certain


def test_an_unknown_error_is_not_named() -> None:
    assert diagnosed(UnknownMove) == Diagnosis((), (), (0, *5 * [COUNT]), COUNT)


class AllPrimes(Program):
    """Every number above 2 is a prime, so that an inverted test explains only the composites."""

    def is_prime(self, stone: int) -> bool:
        return stone > 2


def test_primes_and_composites_are_not_swapped_if_all_are_primes() -> None:
    assert named(diagnosed(AllPrimes)) == [["all-above-2-are-prime"]]


class SignAndCounts(NegativeZero):
    """Zeros with a sign, and counts that nothing explains."""

    def count_visit(self, depth: int) -> None:
        self.visited += 1 + depth


def test_what_remains_besides_a_format_is_told() -> None:
    diagnosis = diagnosed(SignAndCounts)
    assert [finding.name for finding in diagnosis.formats] == ["negative-zero"]
    assert not diagnosis.is_certain
    assert diagnosis.agreeing[2] < COUNT == diagnosis.agreeing[1]


class OwnQuotient(Program):
    """Counts that nothing explains, and a wrong quotient of these."""

    def count_visit(self, depth: int) -> None:
        self.visited += 1 + depth

    def branching(self) -> Fraction:
        return Fraction(self.visited, self.visited - self.evaluated)


def test_a_branching_factor_is_judged_by_the_printed_counts() -> None:
    diagnosis = diagnosed(OwnQuotient)
    assert named(diagnosis) == [["branching-with-root"]]
    assert diagnosis.agreeing[5] == COUNT


class FourFaults(RootNotCounted, DepthPrintedFromOne):
    """A fault in each of four lines, which are explained one by one."""

    def count_evaluation(self, is_end: bool) -> None:
        del is_end
        self.evaluated += 2

    def value_text(self, value: float) -> str:
        return super().value_text(-value)

    def branching(self) -> Fraction:
        return Fraction(self.visited, self.visited + 1 - self.evaluated // 2)


def test_lines_are_explained_one_by_one() -> None:
    [found] = named(diagnosed(FourFaults))
    assert {*found} == {
        "value-negated",
        "root-not-counted",
        "evaluated-twice",
        "depth-printed-from-one",
    }


@loop_over("seed", range(10))
def test_no_output_ends_the_diagnosis(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnose_module, "pairs", tuple)  # they read the same numbers
    chance = random.Random(seed)
    texts = ("0", "-0.0", "1,5", "x", "", "1e999", "-7", "+1", "NaN", "9" * 40, "1e14", "0.0", "2")
    found = [
        Sample(
            case.number,
            case.position,
            case.nodes,
            case.expected,
            tuple(chance.choice((*texts, right)) for right in case.expected),
        )
        for case in cases()[: chance.choice((1, 2, 4))]
    ]
    assert not diagnose(found, SEARCHES).is_certain


def test_large_cases_are_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    small = [case for case in cases() if case.nodes <= 20]
    monkeypatch.setattr(search_module, "MAX_CASE_NODES", 20)
    found = diagnose(samples(RootNotCounted), Searches())
    assert 0 < found.examined == len(small) < COUNT


def test_a_misreading_that_needs_too_many_nodes_explains_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [*samples(CutoffBeyondBound, 9)]  # the cases depend on that limit too
    monkeypatch.setattr(search_module, "MAX_NODES", 2)
    assert diagnose(found, Searches()).alternatives == ()


def test_huge_boards_are_left_out() -> None:
    position = Position(5000, (2500,), 1)
    sample = Sample(1, position, 10, ("1",) * 6, ("2",) * 6)
    assert diagnose([sample], Searches()) == Diagnosis()


class LeavesOfWrongPlayer(Program):
    """Wrong signs of the ends of the game, and of all other evaluated positions."""

    def end_value(self, is_max: bool) -> float:
        return -super().end_value(is_max)

    def evaluate(self, taken: Taken, is_max: bool) -> float:
        return -super().evaluate(taken, is_max)


class RootLeftOut(RootNotCounted):
    """A root that is not counted, in a quotient for counts with the root."""

    def branching(self) -> Fraction:
        return Fraction(self.visited, self.visited - self.evaluated)


@loop_over(
    "program, name",
    (LeavesOfWrongPlayer, "leaves-of-wrong-player"),
    (RootLeftOut, "root-not-counted"),
)
def test_two_misreadings_that_are_one_slip_are_merged(program: type[Program], name: str) -> None:
    diagnosis = diagnosed(program)
    assert diagnosis.is_certain
    assert named(diagnosis) == [[name]]
