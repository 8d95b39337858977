"""Tests of schedules."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Pairing
from arena.ratings.sprt import Hypothesis
from arena.tournament.plan import BOOK_POLICIES, DISTINCT, Plan
from arena.tournament.schedule import FinishedMatch, NumberSet, Part, Schedule
from tests.support.cases import loop_over
from tests.support.tournaments.plans import PLAN, STATIC_FORMATS, all_pairings, plans

TAGS = {"Event": "Cup", "Site": "Room 3"}

SPRT_PLAN = replace(
    PLAN, bots={"anna": "random", "bert": "greedy"}, rounds=10**6, sprt="elo0=0 elo1=50"
)


def winner(pairing: Pairing) -> int | None:
    """Return the winner of a pairing, None for a draw; the order of play does not matter."""
    return Random(f"{pairing.number} {pairing.players}").choice((1, 2, None))


def finish(schedule: Schedule, pairing: Pairing) -> None:
    assert pairing.number
    schedule.add_result(pairing.number, pairing.players, winner(pairing))


def play(schedule: Schedule, random: Random | None = None, limit: int = 10**9) -> list[Pairing]:
    """Play a schedule, in random order with `random`; return the pairings in order of their end."""
    running: list[Pairing] = []
    played: list[Pairing] = []
    while len(played) < limit:
        start = not running or (random is not None and random.random() < 0.6)
        if start and (pairing := schedule.next_pairing()):
            running.append(pairing)
        elif running:
            played.append(running.pop(random.randrange(len(running)) if random else 0))
            finish(schedule, played[-1])
        else:
            break
    return played


def by_number(pairings: Iterable[Pairing]) -> dict[int, Pairing]:
    return {pairing.number or 0: pairing for pairing in pairings}


def results_of(pairings: Iterable[Pairing]) -> list[FinishedMatch]:
    """Return the results as a database has them."""
    return [(pairing.number or 0, pairing.players, winner(pairing)) for pairing in pairings]


# Pairings


# Parts


@given(plans(STATIC_FORMATS), st.integers(1, 4))
def test_each_match_belongs_to_one_part(plan: Plan, count: int) -> None:
    plan = replace(plan, sprt=None)
    parts = [Schedule(plan, [], Part(number, count)) for number in range(1, count + 1)]
    played = [play(part) for part in parts]
    assert [part.matches for part in parts] == [part.finished_count for part in parts]
    assert by_number(chain.from_iterable(played)) == by_number(all_pairings(plan))
    assert max(map(len, played)) - min(map(len, played)) <= 2


@given(plans(STATIC_FORMATS), st.randoms(use_true_random=False))
def test_a_part_is_resumed_beside_matches_of_others(plan: Plan, random: Random) -> None:
    plan = replace(plan, sprt=None)
    before = play(Schedule(plan, []), random, limit=plan.matches // 2)
    part = Schedule(plan, results_of(before), Part(1, 2))
    assert part.finished_count == sum((pairing.number or 0) % 4 in {1, 2} for pairing in before)
    play(part)
    assert part.is_over
    assert part.finished_count == part.matches


# Tags


@loop_over(
    "change, rounds",
    ({}, "111111111111222222222222"),
    ({"format": "gauntlet"}, "1111111122222222"),
    ({"format": "swiss", "rounds": 2, "pairs": 2}, "11112222"),
    ({"format": "knockout", "pairs": 2, "bots": dict.fromkeys("abcd", "")}, "111111112222"),
)
@loop_over("policy", BOOK_POLICIES)
def test_tags_and_rounds(change: Mapping[str, object], rounds: str, policy: str) -> None:
    plan = replace(PLAN, book_policy=policy, **change)  # type: ignore[arg-type]
    schedule, found = Schedule(plan, [], tags=TAGS), []
    while pairing := schedule.next_pairing():
        found.append(pairing)
        one, two = pairing.players
        schedule.add_result(pairing.number or 0, pairing.players, 1 if one < two else 2)
    assert {(pairing.tags["Event"], pairing.tags["Site"]) for pairing in found} == {
        (*TAGS.values(),)
    }
    assert "".join(pairing.tags["Round"] for pairing in found) == rounds


def test_tags_lengths_and_repeated_results() -> None:
    assert {str(pairing.tags) for pairing in all_pairings(PLAN)} == {"{}"}
    with pytest.raises(AssertionError, match="match 1 has already finished"):
        Schedule(PLAN, [(1, ("anna", "bert"), 1)] * 2)
    assert replace(PLAN, rounds=10**12).matches == 12 * 10**12


@given(plans(["knockout"]))
def test_a_knockout_has_at_most_the_planned_number_of_matches(plan: Plan) -> None:
    numbers = [pairing.number or 0 for pairing in play(Schedule(plan, []))]
    assert len(numbers) <= plan.matches >= max(numbers)


@given(plans())
def test_matches_make_pairs_with_the_sides_swapped(plan: Plan) -> None:
    assert all_pairings(plan) == all_pairings(Plan.from_json(plan.to_json()))
    played = by_number(play(Schedule(replace(plan, sprt=None), [])))
    for number in played:
        if number % 2:
            one, two = played[number], played[number + 1]
            players = one.players[::-1]
            time = plan.times(players)
            assert two == replace(one, number=number + 1, players=players, time=time)
    schedule, found = Schedule(plan, []), []
    while not schedule.is_over and not schedule.is_over:
        assert plan.sprt or not schedule.is_decided
        found.append(schedule.next_pairing())
    assert found == all_pairings(plan)


@given(plans(STATIC_FORMATS))
def test_all_opponents_meet_equally_often_in_more_rounds_too(plan: Plan) -> None:
    bots, expected = [*plan.bots], Counter[tuple[str, ...]]()
    for i, one in enumerate(bots):
        for j, two in enumerate(bots):
            if i != j and (plan.format != "gauntlet" or (i < plan.seeds) != (j < plan.seeds)):
                expected[one, two] = plan.rounds * plan.openings_per_round
    assert Counter(pairing.players for pairing in all_pairings(plan)) == expected
    longer = Schedule(replace(plan, rounds=plan.rounds + 1), [])
    assert [*islice(iter(longer.next_pairing, None), plan.matches)] == all_pairings(plan)


@given(plans(), st.randoms(use_true_random=True), st.lists(st.floats(0, 1), max_size=3))
def test_each_match_is_played_once_in_all(plan: Plan, random: Random, shares: list[float]) -> None:
    """Each start knows the results of those before, in any order; what was running is lost."""
    plan = replace(plan, sprt=None)
    whole = play(Schedule(plan, []))
    played: list[Pairing] = []
    for share in [*shares, 1.0]:
        random.shuffle(played)
        schedule = Schedule(plan, results_of(played))
        assert schedule.finished_count == len(played)
        assert schedule.is_over == (len(played) == len(whole))
        played += play(schedule, random, limit=round(share * (len(whole) - len(played))))
    assert (schedule.is_over, schedule.next_pairing()) == (True, None)
    assert len(played) == len(whole)
    assert by_number(played) == by_number(whole)


@given(plans(), st.randoms(use_true_random=True), st.floats(0, 1))
def test_a_resumed_schedule_has_the_same_state(plan: Plan, random: Random, share: float) -> None:
    schedule = Schedule(plan, [])
    played = play(schedule, random, limit=round(share * min(300, plan.matches)))
    resumed = Schedule(plan, results_of(played))
    assert (resumed.finished_count, resumed.scores) == (schedule.finished_count, schedule.scores)
    assert resumed.is_decided == schedule.is_decided
    assert resumed.is_over or not schedule.is_decided


@given(plans(STATIC_FORMATS).filter(lambda plan: not plan.needs_results), st.data())
def test_numbers_suffice_where_no_pair_depends_on_results(plan: Plan, data: st.DataObject) -> None:
    pairings = all_pairings(plan)
    finished = set(data.draw(st.lists(st.integers(1, len(pairings)))))
    resumed = Schedule(plan, [], numbers=sorted(finished))
    assert resumed.finished_count == len(finished)
    left = [pairing for pairing in pairings if pairing.number not in finished]
    assert [*iter(resumed.next_pairing, None)] == left


@loop_over("format_", ["swiss", "knockout"])
def test_later_rounds_wait_for_results(format_: str) -> None:
    bots = dict.fromkeys("abcd", "random")
    schedule = Schedule(replace(PLAN, bots=bots, format=format_), [])
    first = [*iter(schedule.next_pairing, None)]
    assert len(first) == 4
    for pairing in first[1:]:
        finish(schedule, pairing)
        others = schedule.next_pairing()
        assert others is None or not {*others.players} & {*first[0].players}
    finish(schedule, first[0])
    assert schedule.next_pairing()


@loop_over(
    "winners, score",
    ((1, 2), (2, 0)),
    ((2, 1), (0, 2)),
    ((1, 1), (1, 1)),
    ((1, None), (1.5, 0.5)),
    ((None, 1), (0.5, 1.5)),
    ((None, None), (1, 1)),
)
def test_scores_are_in_the_order_of_the_first_match(
    winners: tuple[int | None, int | None], score: tuple[float, float]
) -> None:
    for order in (1, -1):
        schedule = Schedule(replace(PLAN, format="swiss", rounds=1), [])
        matches = [(1, ("anna", "bert"), winners[0]), (2, ("bert", "anna"), winners[1])]
        first, second = matches[::order]
        schedule.add_result(*first)
        assert schedule.scores == {}
        schedule.add_result(*second)
        assert schedule.scores == {1: score}


# Long plans


@loop_over(
    "plan",
    replace(PLAN, bots={str(bot): "random" for bot in range(100)}, rounds=10**12),
    replace(PLAN, format="gauntlet", rounds=10**12),
    replace(PLAN, format="swiss", pairs=10**6),
    SPRT_PLAN,
)
def test_a_long_plan_starts_at_once(plan: Plan) -> None:
    schedule = Schedule(plan, [])
    assert plan.matches > 10**6
    assert [
        pairing and pairing.number for pairing in (schedule.next_pairing(), schedule.next_pairing())
    ] == [1, 2]


@loop_over("test", [None, "elo0=0 elo1=0.1"])
def test_finished_matches_take_no_memory(test: str | None) -> None:
    schedule = Schedule(replace(SPRT_PLAN, opening_plies=0, sprt=test), [])
    play(schedule, limit=100)
    tracemalloc.start()
    for _ in range(1000):
        finish(schedule, schedule.next_pairing() or pytest.fail("the schedule is over"))
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert memory < 20_000  # bytes


def test_a_set_of_numbers_is_contiguous_up_to_the_first_gap() -> None:
    numbers = NumberSet()
    found = []
    for number in (2, 4, 1, 3):
        numbers.add(number)
        found.append(numbers.contiguous)
    assert found == [0, 0, 2, 4]


# Sequential tests


def test_a_test_without_further_openings_is_undecided() -> None:
    plan = replace(
        SPRT_PLAN, setups=({"stones": 20},), opening_plies=2, draw=DISTINCT, distinct_only=True
    )
    schedule = Schedule(replace(plan, sprt="elo0=0 elo1=0.1"), [])
    assert len(play(schedule)) == 2 * 30
    assert schedule.lacks_openings
    assert not Schedule(replace(plan, rounds=1, distinct_only=False), []).lacks_openings
    complete = Schedule(replace(plan, rounds=1, sprt="elo0=0 elo1=0.1"), [])
    assert len(play(complete)) == 2
    assert not complete.lacks_openings


def random_results(
    chances: Mapping[str, float], matches: int, random: Random
) -> list[tuple[Pairing, int]]:
    """Return random results, from each bot's probability of winning as player 1."""
    schedule = Schedule(replace(SPRT_PLAN, opening_plies=0, sprt=None), [])
    pairings = islice(iter(schedule.next_pairing, None), matches)
    return [
        (pairing, 1 if random.random() < chances[pairing.players[0]] else 2) for pairing in pairings
    ]


def schedule_after(played: Iterable[tuple[Pairing, int]]) -> Schedule:
    return Schedule(SPRT_PLAN, ((pair.number or 0, pair.players, won) for pair, won in played))


@loop_over(
    "chances, accepted",
    ({"anna": 1.0, "bert": 0.0}, Hypothesis.H1),
    ({"anna": 0.0, "bert": 1.0}, Hypothesis.H0),
    ({"anna": 1.0, "bert": 1.0}, Hypothesis.H0),  # all pairs are tied: no difference
    ({"anna": 0.8, "bert": 0.5}, Hypothesis.H1),
    ({"anna": 0.5, "bert": 0.8}, Hypothesis.H0),
)
def test_the_first_bot_is_tested(chances: Mapping[str, float], accepted: Hypothesis) -> None:
    schedule = schedule_after(random_results(chances, 2000, Random(1)))
    assert schedule.test
    assert (schedule.is_decided, schedule.test.accepted) == (True, accepted)


@given(st.randoms(use_true_random=True), st.floats(0, 1), st.floats(0, 1))
def test_wins_of_the_first_bot_count_in_any_order(random: Random, anna: float, bert: float) -> None:
    played = random_results({"anna": anna, "bert": bert}, 60, random)
    wins = [pairing.players[won - 1] == "anna" for pairing, won in played]
    counts = Counter(sum(wins[pair : pair + 2]) for pair in range(0, 60, 2))
    in_order = schedule_after(played).test
    random.shuffle(played)
    test = schedule_after(played).test
    assert test
    assert in_order
    assert (test.counts, test.decided_at) == (in_order.counts, in_order.decided_at)
    assert test.accepted or test.counts == tuple(counts[score] for score in range(3))


def test_both_bots_start_pairs() -> None:
    played = random_results({"anna": 1, "bert": 1}, 4, Random(1))
    assert {pairing.players[0] for pairing, _ in played} == {"anna", "bert"}


def test_a_decided_schedule_has_no_further_pairings() -> None:
    schedule = Schedule(SPRT_PLAN, [])
    assert not schedule.is_over  # this has peeked at the first pairing
    first, *others = random_results({"anna": 1.0, "bert": 0.0}, 400, Random(1))
    for pairing, won in [*others, first]:
        assert not schedule.is_decided  # the first pair is missing
        schedule.add_result(pairing.number or 0, pairing.players, won)
    assert (schedule.is_decided, schedule.is_over, schedule.next_pairing()) == (True, True, None)


def test_pairings_have_the_times_of_their_players() -> None:
    plan = replace(PLAN, rounds=1, settings={"bert": {"time": "1+0"}})
    for pairing in all_pairings(plan):
        assert pairing.time == plan.times(pairing.players)
    assert {pairing.time for pairing in all_pairings(plan)} == {
        None,
        "1+0 vs 5+0.05",
        "5+0.05 vs 1+0",
    }
