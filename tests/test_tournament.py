"""Plans, schedules and the table."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pairing import round_robin
from arena.results import MatchRecord, Termination
from arena.tournament import Plan, Standing, standings
from core import GAMES
from tests.records import a_pairing, a_record, an_aborted
from tests.reference import legal_moves

PLAN = Plan(
    game="take_stones",
    bots=("anna", "bert", "carl"),
    setups=({"stones": 20}, {"stones": 7}),
    time="5+0.05",
    seed=1,
    rounds=2,
    opening_plies=3,
)

plans = given(
    st.builds(
        Plan,
        game=st.just("take_stones"),
        bots=st.integers(0, 5).map(lambda bots: tuple("abcde"[:bots])),
        setups=st.lists(st.integers(1, 50).map(lambda stones: {"stones": stones}), max_size=3).map(
            tuple
        ),
        time=st.just("5+0.05"),
        seed=st.integers(),
        rounds=st.integers(1, 3),
        opening_plies=st.integers(0, 12),
    )
)


@plans
def test_as_many_matches_as_planned(plan: Plan) -> None:
    assert plan.matches == len([*plan.schedule()])


@plans
def test_matches_are_numbered_from_1(plan: Plan) -> None:
    numbers = [pairing.number for pairing in plan.schedule()]
    assert numbers == [*range(1, plan.matches + 1)]


@plans
def test_the_same_plan_has_the_same_schedule(plan: Plan) -> None:
    assert [*plan.schedule()] == [*Plan.from_json(plan.to_json()).schedule()]


@plans
def test_a_plan_survives_being_text(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan


@plans
def test_another_seed_changes_only_openings(plan: Plan) -> None:
    other = replace(plan, seed=plan.seed + 1).schedule()
    assert [replace(pairing, opening=()) for pairing in other] == [
        replace(pairing, opening=()) for pairing in plan.schedule()
    ]


@plans
def test_more_rounds_only_add_to_the_schedule(plan: Plan) -> None:
    longer = replace(plan, rounds=plan.rounds + 1).schedule()
    assert [pairing for pairing, _ in zip(longer, range(plan.matches), strict=False)] == [
        *plan.schedule()
    ]


@plans
def test_openings_are_legal(plan: Plan) -> None:
    for pairing in plan.schedule():
        position = GAMES[pairing.game].position(**pairing.setup, taken=pairing.opening)
        assert tuple(position.taken) == pairing.opening


@plans
def test_openings_leave_a_move(plan: Plan) -> None:
    for pairing in plan.schedule():
        stones = pairing.setup["stones"]
        assert legal_moves(stones, pairing.opening) or stones < 3


@plans
def test_openings_are_as_long_as_wanted_or_lead_where_nothing_is_left(plan: Plan) -> None:
    for pairing in plan.schedule():
        stones, opening = pairing.setup["stones"], pairing.opening
        longer = [(*opening, move) for move in legal_moves(stones, opening)]
        goes_on = any(legal_moves(stones, moves) for moves in longer)
        assert len(opening) == plan.opening_plies or not goes_on


def test_every_pair_meets_on_both_sides_from_the_same_opening() -> None:
    meetings: dict[tuple[object, ...], list[tuple[str, str]]] = {}
    for place, pairing in enumerate(PLAN.schedule()):
        key = place // 6, pairing.setup["stones"], pairing.opening
        meetings.setdefault(key, []).append(pairing.players)
    assert [sorted(legs) for legs in meetings.values()] == [[*permutations(PLAN.bots, 2)]] * 4


def test_order_of_the_schedule() -> None:
    legs = [*round_robin(PLAN.bots)]
    expected = [(leg, stones) for _ in range(2) for stones in (20, 7) for leg in legs]
    schedule = [(pairing.players, pairing.setup["stones"]) for pairing in PLAN.schedule()]
    assert schedule == expected


def test_the_seed_makes_openings() -> None:
    openings = {next(replace(PLAN, seed=seed).schedule()).opening for seed in range(20)}
    assert len(openings) > 5


def test_rounds_have_openings_of_their_own() -> None:
    openings = {pairing.opening for pairing in replace(PLAN, rounds=20).schedule()}
    assert len(openings) > 10


def test_a_plan_is_one_round_from_the_start_unless_it_is_said() -> None:
    plan = Plan("take_stones", ("anna", "bert"), ({"stones": 7},), "5+0.05", 1)
    assert (plan.rounds, plan.opening_plies) == (1, 0)


def test_no_openings_unless_wanted() -> None:
    plan = replace(PLAN, opening_plies=0)
    assert {pairing.opening for pairing in plan.schedule()} == {()}


def test_schedules_stay_the_same_from_version_to_version() -> None:
    openings = [pairing.opening for pairing in PLAN.schedule()]
    assert openings[::6] == [(9, 1, 15), (3, 1, 4), (3, 1, 5), (3, 6, 1)]


def test_an_endless_plan_starts_at_once() -> None:
    bots = tuple(f"bot {number}" for number in range(100))
    plan = replace(PLAN, bots=bots, rounds=10**12)
    assert next(plan.schedule()).number == 1


def test_an_endless_plan_knows_its_length() -> None:
    assert replace(PLAN, rounds=10**12).matches == 12 * 10**12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, []),
        ({"seed": 2}, ["seed was 1 and is now 2"]),
        ({"bots": ("anna", "carl")}, ["bots was anna, bert, carl and is now anna, carl"]),
        (
            {"setups": ({"stones": 9}, {})},
            ["setups was stones 20, stones 7 and is now stones 9, the only one"],
        ),
        (
            {"time": "1+0", "rounds": 3},
            ["time was 5+0.05 and is now 1+0", "rounds was 2 and is now 3"],
        ),
    ],
)
def test_differences(change: Mapping[str, Any], words: list[str]) -> None:
    assert PLAN.differences(replace(PLAN, **change)) == words


def test_a_plan_read_back_does_not_differ() -> None:
    assert PLAN.differences(Plan.from_json(PLAN.to_json())) == []


# Standings


def won(
    winner: str, loser: str, termination: Termination = Termination.NO_LEGAL_MOVE
) -> MatchRecord:
    """A match that player 1 has won."""
    return a_record(a_pairing(players=(winner, loser)), 1, termination)


def order(*records: MatchRecord, bots: tuple[str, ...] = ()) -> list[str]:
    return [line.bot for line in standings(records, bots)]


def test_one_match() -> None:
    one, two = standings([won("a", "b")])
    assert (one, two) == (Standing("a", wins=1, beaten=one.beaten), Standing("b", losses=1))


def test_player_2_may_win() -> None:
    assert order(a_record(a_pairing(players=("a", "b")), winner=2)) == ["b", "a"]


def test_wins_over_each_other_bot() -> None:
    first = standings([won("a", "b"), won("a", "b"), won("a", "c")])[0]
    assert first.beaten == {"b": 2, "c": 1}


def test_wins_and_losses_make_the_number_played() -> None:
    first = standings([won("a", "b"), won("a", "b"), won("b", "a")])[0]
    assert (first.wins, first.losses, first.played) == (2, 1, 3)


def test_bots_that_have_not_played_are_in_the_table() -> None:
    assert standings([], ["b", "a"]) == [Standing("a"), Standing("b")]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("ab", "ab"),
        ("ba", "ba"),
        ("ab ba", "ab"),  # equals by name
        ("ab ab ba cb", "cab"),  # the share before the number of wins
        ("cd ab ab", "acbd"),  # then the number of wins
        ("cd", "cabd"),  # who has not played is no better than who has lost
    ],
)
def test_order_of_the_table(results: str, expected: str) -> None:
    records = [won(leg[0], leg[1]) for leg in results.split()]
    assert order(*records, bots=tuple(sorted(expected))) == [*expected]


def test_aborted_matches_count_for_nobody() -> None:
    assert standings([an_aborted()]) == []


def test_a_lost_bot_may_not_be_planned() -> None:
    assert order(won("a", "b"), bots=("c",)) == ["a", "b", "c"]


@pytest.mark.parametrize("termination", [t for t in Termination if t.is_forfeit])
def test_forfeits_are_counted_for_the_loser(termination: Termination) -> None:
    lines = standings([won("a", "b", termination), won("a", "b", termination), won("a", "b")])
    assert [line.forfeits for line in lines] == [{}, {termination: 2}]


def test_who_resigns_breaks_no_rule() -> None:
    assert [line.forfeits for line in standings([won("a", "b", Termination.RESIGNATION)])] == [
        {},
        {},
    ]
