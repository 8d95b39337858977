"""Cases of a grading."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.grading import cases as module
from arena.grading.cases import JAVA_NODES_PER_SECOND, OFFICIAL, Case, make_cases
from arena.grading.diagnosis.revealing import revealed
from arena.grading.diagnosis.search import Searches
from arena.grading.diagnosis.variants import readings
from core.take_stones.__main__ import run as run_program
from core.take_stones.six_lines import LABELS

FOLDER = Path(__file__).parents[3] / "testcases"


@pytest.fixture(scope="module", autouse=True)
def few_candidates() -> Iterator[None]:
    """Choose each small case from few positions, which takes less time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CANDIDATES", len(module.SMALL_NODES))
        yield


@pytest.fixture(scope="module")
def drawn() -> list[Case]:
    return make_cases(20, seed=1, seconds=0.02)


def expected_text(case: Case) -> str:
    return "".join(
        f"{label}: {value}\n" for label, value in zip(LABELS, case.expected, strict=True)
    )


def test_the_official_cases_are_those_of_the_assignment() -> None:
    commands = re.findall(r"java TakeStones ([\d ]+)", (FOLDER / "testcase.txt").read_text())
    outputs = [(FOLDER / f"output{number}.txt").read_text().strip() for number in (1, 2, 3)]
    found = {" ".join(case.arguments): expected_text(case).strip() for case in make_cases(4, 1, 1)}
    for command, output in zip(commands, outputs, strict=True):
        assert found[" ".join(command.split())] == output


@pytest.mark.unmeasured
def test_expected_lines_are_those_of_the_program(drawn: list[Case]) -> None:
    for case in drawn:
        assert run_program(shlex.split(" ".join(case.arguments))) == expected_text(case)


@pytest.mark.unmeasured
def test_the_same_seed_gives_the_same_cases() -> None:
    one, same, other = (make_cases(8, seed, seconds=0.001) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_positions_that_are_hard_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ATTEMPTS", 1)
    cases = make_cases(12, seed=1, seconds=0.001)
    assert 4 < len(cases) <= 12
    assert all(case.nodes <= 400 for case in cases)


def test_the_depth_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DEPTH", 2)
    drawn = make_cases(8, seed=1, seconds=0.001)[len(OFFICIAL) :]
    assert {case.position.depth for case in drawn} <= {0, 1, 2}


@pytest.mark.unmeasured
def test_cases_are_official_ones_then_small_and_large_ones_by_size(drawn: list[Case]) -> None:
    assert [case.number for case in drawn] == [*range(1, 21)]
    assert tuple(case.position for case in drawn[:4]) == OFFICIAL
    sizes = [case.nodes for case in drawn[4:]]
    assert sizes == sorted(sizes)
    assert 0.006 * JAVA_NODES_PER_SECOND < sizes[-1] <= 0.02 * JAVA_NODES_PER_SECOND
    largest = module.SMALL_STONES[1]
    assert sum(case.position.stones <= largest for case in drawn[4:]) >= 7  # of 8: one twice
    max_to_move = [case for case in drawn if len(case.position.taken) % 2 == 0]
    assert 5 <= len(max_to_move) <= 15


def test_two_small_cases_reveal_most_misreadings() -> None:
    drawn = make_cases(8, seed=1, seconds=0.001)[len(OFFICIAL) :]
    small = [case.position for case in drawn if case.position.stones <= module.SMALL_STONES[1]]
    found = {shown for one in small for shown in revealed(one, readings(), Searches(growth=1))}
    assert len(small) == 2
    assert len(found.intersection(readings())) > 2 / 3 * len(readings())


@pytest.mark.unmeasured
def test_a_case_is_rounded_differently_by_other_languages(drawn: list[Case]) -> None:
    def quotient(case: Case) -> float:
        return (case.nodes - 1) / (case.nodes - int(case.expected[3]))

    assert any(case.expected[5] != f"{quotient(case):.1f}" for case in drawn)


def test_few_cases() -> None:
    assert [case.position for case in make_cases(2, 1, 1)] == [*OFFICIAL[:2]]
    assert len(make_cases(5, 1, 0.0001)) == 5
