"""Tests of tournament plans and their openings."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.plan import FORMATS, Plan
from core import GAMES
from tests.support.tournaments.plans import BOOK, BOTS, PLAN, STATIC_FORMATS, all_pairings, plans


@given(plans())
def test_a_plan_survives_json(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan


@given(plans())
def test_a_decoded_plan_has_no_differences(plan: Plan) -> None:
    assert plan.differences(Plan.from_json(plan.to_json())) == []


@given(plans())
def test_the_order_of_the_bots_survives_json(plan: Plan) -> None:
    assert [*Plan.from_json(plan.to_json()).bots] == [*plan.bots]


def test_defaults() -> None:
    plan = Plan("take_stones", BOTS, ({"stones": 7},), "5+0.05", 1)
    assert (plan.format, plan.rounds, plan.opening_plies, plan.book) == ("round-robin", 1, 0, ())


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"game": "isolation"}, ["game: stored take_stones, given isolation"]),
        ({"seed": 2}, ["seed: stored 1, given 2"]),
        (
            {"bots": {"anna": "random", "carl": "carl"}},
            [
                "bots: stored anna=random, bert=greedy, carl=spec:1,"
                " given anna=random, carl"
            ],
        ),
        (
            {"bots": {"bert": "greedy", "anna": "random", "carl": "spec:1"}},
            [
                "bots: stored anna=random, bert=greedy, carl=spec:1,"
                " given bert=greedy, anna=random, carl=spec:1"
            ],
        ),
        (
            {"setups": ({"stones": 9, "rows": 3},)},
            ["setups: stored stones 20, stones 7, given stones 9 rows 3"],
        ),
        ({"setups": ()}, ["setups: stored stones 20, stones 7, given none"]),
        (
            {"setups": tuple({"stones": number} for number in range(20, 31))},
            ["setups: stored stones 20, stones 7, given stones 20 to stones 30 (11 setups)"],
        ),
        (
            {"time": "1+0", "rounds": 3},
            ["time: stored 5+0.05, given 1+0", "rounds: stored 2, given 3"],
        ),
        ({"format": "swiss"}, ["format: stored round-robin, given swiss"]),
        ({"seeds": 2}, ["seeds: stored 1, given 2"]),
        ({"pairs": 2}, ["pairs: stored 1, given 2"]),
        ({"opening_plies": 0}, ["opening_plies: stored 3, given 0"]),
        ({"book": BOOK}, ["book: stored none, given 3 openings"]),
        ({"sprt": "elo0=0 elo1=5"}, ["sprt: stored none, given elo0=0 elo1=5"]),
    ],
)  # fmt: skip
def test_differences(change: Mapping[str, Any], expected: list[str]) -> None:
    assert PLAN.differences(replace(PLAN, **change)) == expected


def test_different_books_of_equal_length() -> None:
    stored, given = (replace(PLAN, book=book) for book in (BOOK, BOOK[::-1]))
    expected = ["book: stored 3 openings, given 3 openings (different)"]
    assert stored.differences(given) == expected


@given(st.sampled_from(FORMATS), st.booleans())
def test_knockouts_and_sequential_tests_may_end_early(format_: str, is_test: bool) -> None:
    plan = replace(PLAN, format=format_, sprt="elo0=0 elo1=5" if is_test else None)
    assert plan.may_end_early == (is_test or format_ == "knockout")


# Openings


@given(plans(), st.integers(0, 10**9))
def test_the_opening_of_a_number_is_constant(plan: Plan, number: int) -> None:
    assert plan.opening(number) == Plan.from_json(plan.to_json()).opening(number)


@given(plans(), st.integers(0, 100))
def test_openings_cycle_through_the_setups_or_the_book(plan: Plan, number: int) -> None:
    opening = plan.opening(number)
    if plan.book:
        assert opening == BOOK[number % 3]
    else:
        assert opening.setup == plan.setups[number % len(plan.setups)]


@given(plans(STATIC_FORMATS))
def test_all_openings_are_played_equally_often(plan: Plan) -> None:
    plan = replace(plan, opening_plies=0)
    played = Counter((str(pairing.setup), pairing.opening) for pairing in all_pairings(plan))
    expected = Counter(
        (str(plan.opening(k).setup), plan.opening(k).moves) for k in range(plan.openings_per_round)
    )
    assert {key: played[key] / plan.matches for key in played} == pytest.approx(
        {key: expected[key] / plan.openings_per_round for key in expected}
    )


def test_each_round_has_its_own_openings() -> None:
    openings = {pairing.opening for pairing in all_pairings(replace(PLAN, rounds=20))}
    assert len(openings) > 10


def test_openings_depend_on_the_seed() -> None:
    openings = {replace(PLAN, seed=seed).opening(0).moves for seed in range(20)}
    assert len(openings) > 5


def test_openings_of_a_book_do_not_depend_on_the_seed() -> None:
    plan = replace(PLAN, book=BOOK)
    assert all_pairings(plan) == all_pairings(replace(plan, seed=2))


@given(plans(STATIC_FORMATS))
def test_the_seed_affects_only_random_moves(plan: Plan) -> None:
    other = all_pairings(replace(plan, seed=plan.seed + 1))
    assert [replace(pairing, opening=()) for pairing in other] == [
        replace(pairing, opening=()) for pairing in all_pairings(plan)
    ]


@given(plans())
def test_openings_are_legal(plan: Plan) -> None:
    for pairing in all_pairings(plan):
        position = GAMES[pairing.game].position(**pairing.setup, moves=pairing.opening)
        assert tuple(position.moves) == pairing.opening


def test_openings_are_stable_across_versions() -> None:
    moves = [PLAN.opening(number).moves for number in range(4)]
    assert moves == [(5, 10, 2), (1, 4, 2), (9, 1, 14), (1, 6, 2)]
