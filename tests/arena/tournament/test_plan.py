"""Tests of tournament plans and their openings."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.openings import Opening
from arena.tournament.plan import DISTINCT, FORMATS, Plan
from arena.tournament.round_robin import Size
from core import GAMES
from tests.support.cases import loop_over
from tests.support.tournaments.plans import BOOK, BOTS, PLAN, all_pairings, plans


@given(plans())
def test_a_plan_survives_json(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan
    assert plan.differences(Plan.from_json(plan.to_json())) == []
    assert [*Plan.from_json(plan.to_json()).bots] == [*plan.bots]
    for pairing in all_pairings(plan):
        position = GAMES[pairing.game].position(**pairing.setup, moves=pairing.opening)
        assert tuple(position.moves) == pairing.opening


def test_plans_of_other_versions_can_be_read() -> None:
    before = Plan("isolation", BOTS, ({},), "5+0.05", 1, book=(Opening({}, (9,)),))
    now = Plan.from_json(before.to_json())
    assert (now.setups, now.book) == (({"size": 8},), (Opening({"size": 8}, (9,)),))
    plan = Plan("chess", BOTS, ({"boards": 2},), "5+0.05", 1)
    assert Plan.from_json(plan.to_json()) == plan
    fields = json.loads(PLAN.to_json())
    del fields["settings"]
    assert Plan.from_json(json.dumps(fields)) == PLAN


def test_defaults_and_differences_of_settings() -> None:
    plan = Plan("take_stones", BOTS, ({"stones": 7},), "5+0.05", 1)
    assert (plan.format, plan.rounds, plan.opening_plies, plan.book) == ("round-robin", 1, 0, ())
    given = replace(PLAN, settings={"anna": {"dir": "x", "time": "10+0"}})
    assert PLAN.differences(given) == ["settings: stored none, given anna dir=x time=10+0"]


@loop_over(
    "change, expected",
    ({}, []),
    ({"game": "isolation"}, ["game: stored take_stones, given isolation"]),
    (
        {"bots": {"anna": "random", "carl": "carl"}},
        ["bots: stored anna=random, bert=greedy, carl=spec:1, given anna=random, carl"],
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
    ({"time": "1+0", "rounds": 3}, ["time: stored 5+0.05, given 1+0", "rounds: stored 2, given 3"]),
    ({"in_process": True}, ["in_process: stored no, given yes (--workers)"]),
    ({"book": BOOK}, ["book: stored none, given 3 openings"]),
    ({"sprt": "elo0=0 elo1=5"}, ["sprt: stored none, given elo0=0 elo1=5"]),
    (
        {"former_sizes": (Size(2, 1), Size(3, 4))},
        ["former_sizes: stored none, given 2 bots in 1 rounds, 3 bots in 4 rounds"],
    ),
)
def test_differences(change: Mapping[str, Any], expected: list[str]) -> None:
    assert PLAN.differences(replace(PLAN, **change)) == expected


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
        assert opening.setup == plan.cell(number).setup


@given(plans(["round-robin", "gauntlet"]))
def test_openings_of_a_seed_are_equally_frequent(plan: Plan) -> None:
    still = replace(plan, opening_plies=0)
    played = Counter((str(pairing.setup), pairing.opening) for pairing in all_pairings(still))
    openings = [still.opening(number) for number in range(plan.openings_per_round)]
    expected = Counter((str(opening.setup), opening.moves) for opening in openings)
    assert {key: played[key] / plan.matches for key in played} == pytest.approx(
        {key: expected[key] / plan.openings_per_round for key in expected}
    )
    other = all_pairings(replace(plan, seed=plan.seed + 1))
    assert [replace(pairing, opening=()) for pairing in other] == [
        replace(pairing, opening=()) for pairing in all_pairings(plan)
    ]
    pairs = [pair for pair in plan.match_pairs({}) if pair]
    two = {*pairs[0].players}
    numbers = [plan.opening_of(pair) for pair in pairs if {*pair.players} == two]
    assert numbers == [*plan.openings_of_two]


def test_openings_depend_on_round_and_seed_books_on_neither() -> None:
    openings = {pairing.opening for pairing in all_pairings(replace(PLAN, rounds=20))}
    assert len(openings) > 10
    openings = {replace(PLAN, seed=seed).opening(0).moves for seed in range(20)}
    assert len(openings) > 5
    moves = [PLAN.opening(number).moves for number in range(4)]
    assert moves == [(5, 10, 2), (1, 4, 2), (9, 1, 14), (1, 6, 2)]
    plan = replace(PLAN, book=BOOK)
    assert all_pairings(plan) == all_pairings(replace(plan, seed=2))
    stored, given = (replace(PLAN, book=book) for book in (BOOK, BOOK[::-1]))
    expected = ["book: stored 3 openings, given 3 openings (different)"]
    assert stored.differences(given) == expected


# Openings without replacement

DISTINCT_PLAN = replace(PLAN, draw=DISTINCT, opening_plies=2, rounds=100)


def test_distinct_openings_are_not_repeated() -> None:
    moves = [DISTINCT_PLAN.opening(2 * number).moves for number in range(30)]
    assert len({*moves}) == 30
    assert moves == [replace(DISTINCT_PLAN, rounds=7).opening(2 * n).moves for n in range(30)]
    plan = replace(DISTINCT_PLAN, game="isolation", setups=({},), rounds=10**6, opening_plies=5)
    pairs = plan.match_pairs({})
    assert [next(pairs) for _ in range(2)]


def test_a_plan_of_distinct_openings_alone_ends_with_them() -> None:
    plan = replace(
        DISTINCT_PLAN,
        bots={"a": "greedy", "b": "perfect"},
        setups=({"stones": 20},),
        distinct_only=True,
    )
    assert len(all_pairings(plan)) == 2 * 30
    assert len(all_pairings(replace(plan, rounds=7))) == 2 * 7


@loop_over(
    "changes",
    {"setups": ({"stones": 20}, {"stones": 7})},  # 7 stones have fewer openings
    {"setups": ({"stones": 7}, {"stones": 20}, {"stones": 7})},
    {"setups": ({"stones": 50},)},
    {"book": (*BOOK[:2], BOOK[0], BOOK[2])},
)
def test_distinct_openings_alone_are_counted_as_they_are_played(changes: dict[str, Any]) -> None:
    bots = {"a": "greedy", "b": "perfect"}
    plan = replace(DISTINCT_PLAN, bots=bots, distinct_only=True, **changes)
    assert 2 * plan.count_openings(plan.openings_of_two) == len(all_pairings(plan))


# Use of a book


def openings_played(plan: Plan) -> dict[tuple[str, ...], list[tuple[int, ...]]]:
    """Return the openings of the first matches of each two bots, in order."""
    found: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for pairing in all_pairings(plan)[::2]:
        found.setdefault(tuple(sorted(pairing.players)), []).append(pairing.opening)
    return found


LONG_BOOK = tuple(Opening({"stones": 50}, (move,)) for move in (1, 3, 5, 7, 9, 11, 13))


@loop_over(
    "policy, rounds, expected",
    ("all", 1, 3 * [[1, 3, 5, 7, 9, 11, 13]]),
    ("round", 3, 3 * [[1, 3, 5]]),
    ("round", 9, 3 * [[1, 3, 5, 7, 9, 11, 13, 1, 3]]),
    ("encounter", 2, [[1, 7], [3, 9], [5, 11]]),
)
def test_book_in_a_round_robin(policy: str, rounds: int, expected: list[list[int]]) -> None:
    plan = replace(PLAN, book=LONG_BOOK, book_policy=policy, rounds=rounds)
    played = [[move for (move,) in moves] for moves in openings_played(plan).values()]
    assert played == expected
    assert plan.matches == 2 * sum(map(len, played))
    first = [plan.opening(number).moves[0] for number in plan.openings_of_two]
    assert first == expected[0]


@loop_over("kind", ["swiss", "knockout"])
@loop_over(("policy", "openings"), [("round", 2), ("encounter", 4)])
def test_use_of_a_book_where_results_decide(kind: str, policy: str, openings: int) -> None:
    bots = dict.fromkeys("abcd", "greedy")
    plan = replace(
        PLAN, bots=bots, format=kind, rounds=1, pairs=2, book=LONG_BOOK, book_policy=policy
    )
    assert len({pairing.opening for pairing in all_pairings(plan)}) == openings
    assert plan.openings_of_two == range(2)


# Settings of single bots


def test_a_match_has_the_times_of_its_players() -> None:
    plan = replace(
        PLAN,
        time="5+0.05 margin 1",
        settings={"anna": {"time": "10+0"}, "carl": {"dir": "x"}, "dora": {"time": "10+0"}},
    )
    assert plan.times(("anna", "bert")) == "10+0 margin 1 vs 5+0.05 margin 1"
    assert plan.times(("bert", "anna")) == "5+0.05 margin 1 vs 10+0 margin 1"
    assert plan.times(("anna", "dora")) == "10+0 margin 1"
    assert plan.times(("bert", "carl")) is None
    assert plan.times_text == "5+0.05 margin 1 (anna 10+0, dora 10+0)"
    assert PLAN.times_text == "5+0.05"


@loop_over(
    ("change", "error"),
    [
        ({"format": "cup"}, "the plan has an unknown format 'cup'"),
        ({"draw": "x"}, "the plan has an unknown draw 'x'"),
        ({"book_policy": "x"}, "the plan has an unknown book_policy 'x'"),
        ({"setups": []}, "the plan has neither setups nor a book"),
        ({"rounds": 0}, "the plan is invalid: Expected `int` >= 1"),
        ({"opening_plies": -1}, "the plan is invalid: Expected `int` >= 0"),
        ({"time": "x"}, "time 'x' is not"),
        ({"settings": {"anna": {"time": "y"}}}, "time 'y' is not"),
        ({"sprt": "x"}, "sprt: expected NAME=NUMBER"),
    ],
)
def test_an_impossible_plan_is_an_error(change: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}"):
        Plan.from_json(json.dumps(json.loads(PLAN.to_json()) | change))
