"""Tests of the plan and the schedule of a sweep."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, islice

from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Pairing
from arena.tournament.sweep import SweepPlan, SweepSchedule, is_sweep
from tests.support.computing.sweeps import PLAN
from tests.support.tournaments.plans import PLAN as TOURNAMENT


def pairings(plan: SweepPlan, finished: tuple[int, ...] = ()) -> list[Pairing]:
    schedule = SweepSchedule(plan, [(number, ("a", "b"), 1) for number in finished])
    return [*iter(schedule.next_pairing, None)]


def test_plans_survive_their_database() -> None:
    assert SweepPlan.from_json(PLAN.to_json()) == PLAN
    before = replace(PLAN, game="isolation", setups=({}, {"size": 6}))
    assert SweepPlan.from_json(before.to_json()).setups == ({"size": 8}, {"size": 6})
    assert is_sweep(PLAN.to_json())
    assert not is_sweep(TOURNAMENT.to_json())


def test_a_difference_names_both_values() -> None:
    given = replace(PLAN, opening_plies=(2, 4), pairs=9)
    assert PLAN.differences(given) == [
        "opening_plies: stored 2, given 2, 4",
        "pairs: stored 3, given 9",
    ]
    assert PLAN.differences(PLAN) == []


def test_cells_and_depths() -> None:
    plan = replace(PLAN, opening_plies=(0, 2))
    assert [(cell.setup["stones"], cell.opening_plies) for cell in plan.cells] == [
        *((20, 0), (20, 2), (7, 0), (7, 2))
    ]
    plan = replace(PLAN, bots={"a": "spec:012", "b": "spec:0", "c": "greedy", "d": "spec:1"})
    assert plan.depths == {"a": 12, "d": 1}


def test_pairs_meet_in_every_cell_with_both_sides() -> None:
    met = Counter((pairing.setup["stones"], *sorted(pairing.players)) for pairing in pairings(PLAN))
    expected = {
        (stones, *sorted(bots)) for stones in (20, 7) for bots in combinations(PLAN.bots, 2)
    }
    assert {*met} == expected
    assert {*met.values()} == {2 * PLAN.pairs}
    assert sum(met.values()) == PLAN.matches
    found = pairings(PLAN)
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert first.number is not None
        assert first.number % 2 == 1
        assert second.number == first.number + 1
        assert second.players == first.players[::-1]
        assert (second.opening, second.setup) == (first.opening, first.setup)


def test_pairs_have_openings_and_start_at_once() -> None:
    plan = replace(PLAN, setups=({"stones": 100},), opening_plies=(4,))
    assert len({pairing.opening for pairing in pairings(plan)}) > plan.matches / 4
    plan = replace(PLAN, pairs=10**12)
    found = [*islice(iter(SweepSchedule(plan, []).next_pairing, None), 3)]
    assert [pairing.number for pairing in found] == [1, 2, 3]


@given(st.integers(0, PLAN.matches // 2))
def test_a_part_of_a_sweep_is_balanced(pairs: int) -> None:
    played = [PLAN.match_pair(number) for number in range(1, pairs + 1)]
    cells = Counter(pair.cell for pair in played)
    met = Counter((pair.cell, *sorted(pair.players)) for pair in played)
    assert abs(cells[0] - cells[1]) <= 1
    assert max(met.values(), default=0) - min([*met.values(), pairs // 12]) <= 1


@given(st.sets(st.integers(1, PLAN.matches)))
def test_a_continued_sweep_plays_the_rest(finished: set[int]) -> None:
    everything = {pairing.number: pairing for pairing in pairings(PLAN)}
    rest = {pairing.number: pairing for pairing in pairings(PLAN, tuple(finished))}
    assert rest == {
        number: pairing for number, pairing in everything.items() if number not in finished
    }


def test_a_sweep_is_over_after_all_results() -> None:
    schedule = SweepSchedule(PLAN, [])
    assert (schedule.test, schedule.is_decided) == (None, False)
    for pairing in iter(schedule.next_pairing, None):
        assert not schedule.is_over
        schedule.add_result(pairing.number or 0, pairing.players, None)
    assert schedule.is_over
    assert schedule.finished_count == PLAN.matches
