"""Pairings of a grid, and the plans of sweeps, which are grids."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.extension import extend
from arena.tournament.openings import Opening
from arena.tournament.plan import DISTINCT, Plan, renamed_plan
from arena.tournament.schedule import Schedule
from tests.support.cases import loop_over
from tests.support.computing.grids import PLAN, SWEEP
from tests.support.tournaments.plans import all_pairings


def test_cells_are_all_combinations() -> None:
    plan = replace(PLAN, grid_plies=(0, 2))
    cells = [plan.cell(number) for number in range(plan.cells)]
    assert [(cell.setup["stones"], cell.opening_plies) for cell in cells] == [
        *((20, 0), (20, 2), (7, 0), (7, 2))
    ]


def test_pairs_meet_in_every_cell_with_both_sides() -> None:
    found = all_pairings(PLAN)
    met = Counter((pairing.setup["stones"], *sorted(pairing.players)) for pairing in found)
    expected = {
        (stones, *sorted(bots)) for stones in (20, 7) for bots in combinations(PLAN.bots, 2)
    }
    assert {*met} == expected
    assert {*met.values()} == {2 * PLAN.rounds}
    assert sum(met.values()) == PLAN.matches
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert first.number is not None
        assert first.number % 2 == 1
        assert second.number == first.number + 1
        assert second.players == first.players[::-1]
        assert (second.opening, second.setup) == (first.opening, first.setup)


def test_pairs_have_openings_and_start_at_once() -> None:
    plan = replace(PLAN, setups=({"stones": 100},), grid_plies=(4,))
    assert len({pairing.opening for pairing in all_pairings(plan)}) > plan.matches / 4
    plan = replace(PLAN, rounds=10**12)
    found = [*islice(iter(Schedule(plan, []).next_pairing, None), 3)]
    assert [pairing.number for pairing in found] == [1, 2, 3]


@given(st.integers(0, PLAN.matches // 2))
def test_a_part_of_a_grid_is_balanced(pairs: int) -> None:
    played = all_pairings(PLAN)[: 2 * pairs : 2]
    cells = Counter(pairing.setup["stones"] for pairing in played)
    met = Counter((pairing.setup["stones"], *sorted(pairing.players)) for pairing in played)
    assert abs(cells[20] - cells[7]) <= 1
    assert max(met.values(), default=0) - min([*met.values(), pairs // 12]) <= 1


def test_more_rounds_follow_the_others() -> None:
    larger = extend(PLAN, replace(PLAN, rounds=5))
    assert all_pairings(larger)[: PLAN.matches] == all_pairings(PLAN)
    assert larger.matches == len(all_pairings(larger)) == PLAN.matches * 5 // 3
    with pytest.raises(ValueError, match=r"^--extend changes only rounds; bots: "):
        extend(PLAN, replace(PLAN, bots={**PLAN.bots, "greedy": "greedy"}))


def test_a_round_is_a_pair_of_every_two_bots_in_each_cell() -> None:
    schedule = Schedule(PLAN, [], tags={"Event": "Cup"})
    rounds = [pairing.tags["Round"] for pairing in iter(schedule.next_pairing, None)]
    assert rounds == [*"1" * 24, *"2" * 24, *"3" * 24]


# Sweeps


def test_a_sweep_is_read_as_a_grid() -> None:
    assert Plan.from_json(SWEEP) == PLAN
    sweep = json.loads(SWEEP) | {"game": "isolation", "setups": [{}, {"size": 6}]}
    plan = Plan.from_json(json.dumps(sweep))
    assert plan.setups == ({"size": 8}, {"size": 6})
    assert Plan.from_json(plan.to_json()) == plan


def test_a_grid_has_the_pairings_of_the_sweep() -> None:
    sweep = json.loads(SWEEP) | {"opening_plies": [1, 2], "pairs": 1}
    pairings = all_pairings(Plan.from_json(json.dumps(sweep)))
    assert [
        (*pairing.players, pairing.setup["stones"], *pairing.opening) for pairing in pairings[:18:2]
    ] == [  # as the sweep has played them
        ("spec:1", "random", 20, 3),
        ("spec:1", "random", 20, 9, 1),
        ("spec:1", "random", 7, 1),
        ("spec:1", "random", 7, 1, 4),
        ("spec:2", "deep", 20, 5),
        ("spec:2", "deep", 20, 1, 12),
        ("spec:2", "deep", 7, 1),
        ("spec:2", "deep", 7, 3, 6),
        ("deep", "spec:1", 20, 1),
    ]


def test_a_sweep_has_the_new_name_of_a_bot() -> None:
    plan = Plan.from_json(renamed_plan(SWEEP, "deep", "zoe"))
    assert [*plan.bots] == ["spec:1", "spec:2", "zoe", "random"]
    assert plan == replace(PLAN, bots=plan.bots)


@loop_over(
    "change",
    {"book": (Opening({"stones": 7}, ()),)},
    {"bots": {"random": "random"}},
    {"setups": ({"stones": 7}, {"stones": 7, "rows": 1})},
)
def test_an_impossible_grid_is_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^the plan of a grid has a book, one bot or different"):
        Plan.from_json(replace(PLAN, **change).to_json())
    with pytest.raises(ValueError, match=r"^the plan of a grid has distinct openings$"):
        Plan.from_json(replace(PLAN, draw=DISTINCT).to_json())


def test_a_stored_grid_may_have_more_cells_than_a_new_one() -> None:
    plan = replace(PLAN, grid_plies=tuple(range(50_001)))
    assert Plan.from_json(plan.to_json()) == plan
