"""Plans, what is still to be played of them, and the table."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Pairing, RatedResult, Tally, Termination
from arena.ratings.bradley_terry import Ratings, rate
from arena.ratings.sprt import Verdict
from arena.tournament.openings import Opening
from arena.tournament.plan import FORMATS, Plan
from arena.tournament.schedule import Schedule
from arena.tournament.standings import Standing, standings
from arena.tournament.swiss import most_rounds
from core import GAMES

BOTS = {"anna": "random", "bert": "greedy", "carl": "spec:1"}
PLAN = Plan(
    game="take_stones",
    bots=BOTS,
    setups=({"stones": 20}, {"stones": 7}),
    time="5+0.05",
    seed=1,
    rounds=2,
    opening_plies=3,
)
TEST = replace(PLAN, bots={"anna": "random", "bert": "greedy"}, rounds=10**6, sprt="elo0=0 elo1=50")
BOOK = (Opening({"stones": 20}, (3, 6)), Opening({"stones": 7}, (3,)), Opening({"stones": 9}, ()))


@st.composite
def plans(draw: st.DrawFn, formats: Iterable[str] = FORMATS) -> Plan:
    """Small plans."""
    kind = draw(st.sampled_from([*formats]))
    bots = draw(st.permutations("abcdef").map(lambda bots: bots[: draw(st.integers(2, 6))]))
    most = most_rounds(len(bots)) if kind == "swiss" else 2
    stones = st.integers(1, 30).map(lambda number: {"stones": number})
    return Plan(
        game="take_stones",
        bots={bot: draw(st.sampled_from([bot, "random", "external:" + bot])) for bot in bots},
        setups=tuple(draw(st.lists(stones, min_size=1, max_size=3))),
        time=draw(st.sampled_from(["5+0.05", "1/move margin 0.1"])),
        seed=draw(st.integers()),
        format=kind,
        rounds=draw(st.integers(1, most)),
        seeds=draw(st.integers(1, len(bots) - 1)),
        pairs=draw(st.integers(1, 3)),
        opening_plies=draw(st.integers(0, 3)),
        book=draw(st.sampled_from([(), BOOK])),
        sprt=draw(st.sampled_from([None, "elo0=0 elo1=5"])) if kind == "round-robin" else None,
    )


def winner(pairing: Pairing) -> int:
    """Who wins, 1 or 2: always the same for a pairing, so that results do not depend on order."""
    return Random(f"{pairing.number} {pairing.players}").choice((1, 2))


def finish(schedule: Schedule, pairing: Pairing) -> None:
    assert pairing.number
    schedule.finish(pairing.number, pairing.players, winner(pairing))


def play(schedule: Schedule, random: Random | None = None, at_most: int = 10**9) -> list[Pairing]:
    """Play a schedule, in random order if that is wanted, as far as wanted. Returns what was."""
    running: list[Pairing] = []
    played: list[Pairing] = []
    while len(played) < at_most:
        start = not running or (random is not None and random.random() < 0.6)
        if start and (pairing := schedule.next()):
            running.append(pairing)
        elif running:
            played.append(running.pop(random.randrange(len(running)) if random else 0))
            finish(schedule, played[-1])
        else:
            break
    return played


def by_number(pairings: Iterable[Pairing]) -> dict[int, Pairing]:
    return {pairing.number or 0: pairing for pairing in pairings}


def facts(pairings: Iterable[Pairing]) -> list[tuple[int, tuple[str, str], int]]:
    """What a database tells of finished matches."""
    return [(pairing.number or 0, pairing.players, winner(pairing)) for pairing in pairings]


def all_of(plan: Plan) -> list[Pairing]:
    """All pairings of a plan that has them whatever the results."""
    return [*iter(Schedule(plan, []).next, None)]


STATIC = ("round-robin", "gauntlet")


# Plans


@given(plans())
def test_a_plan_survives_being_text(plan: Plan) -> None:
    assert Plan.from_json(plan.to_json()) == plan


@given(plans())
def test_a_plan_read_back_does_not_differ(plan: Plan) -> None:
    assert plan.differences(Plan.from_json(plan.to_json())) == []


@given(plans())
def test_the_order_of_the_bots_survives_being_text(plan: Plan) -> None:
    assert [*Plan.from_json(plan.to_json()).bots] == [*plan.bots]


def test_a_plan_is_one_round_robin_from_the_start_unless_it_is_said() -> None:
    plan = Plan("take_stones", BOTS, ({"stones": 7},), "5+0.05", 1)
    assert (plan.format, plan.rounds, plan.opening_plies, plan.book) == ("round-robin", 1, 0, ())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, []),
        ({"game": "isolation"}, ["game was take_stones and is now isolation"]),
        ({"seed": 2}, ["seed was 1 and is now 2"]),
        (
            {"bots": {"anna": "random", "carl": "carl"}},
            [
                "bots was anna=random, bert=greedy, carl=spec:1"
                " and is now anna=random, carl"
            ],
        ),
        (
            {"bots": {"bert": "greedy", "anna": "random", "carl": "spec:1"}},
            [
                "bots was anna=random, bert=greedy, carl=spec:1"
                " and is now bert=greedy, anna=random, carl=spec:1"
            ],
        ),
        (
            {"setups": ({"stones": 9, "rows": 3},)},
            ["setups was stones 20, stones 7 and is now stones 9 rows 3"],
        ),
        ({"setups": ()}, ["setups was stones 20, stones 7 and is now none"]),
        (
            {"setups": tuple({"stones": number} for number in range(20, 31))},
            ["setups was stones 20, stones 7 and is now stones 20 to stones 30, 11 in all"],
        ),
        (
            {"time": "1+0", "rounds": 3},
            ["time was 5+0.05 and is now 1+0", "rounds was 2 and is now 3"],
        ),
        ({"format": "swiss"}, ["format was round-robin and is now swiss"]),
        ({"seeds": 2}, ["seeds was 1 and is now 2"]),
        ({"pairs": 2}, ["pairs was 1 and is now 2"]),
        ({"opening_plies": 0}, ["opening_plies was 3 and is now 0"]),
        ({"book": BOOK}, ["book was none and is now one of 3 openings"]),
        ({"sprt": "elo0=0 elo1=5"}, ["sprt was none and is now elo0=0 elo1=5"]),
    ],
)  # fmt: skip
def test_differences(change: Mapping[str, Any], words: list[str]) -> None:
    assert PLAN.differences(replace(PLAN, **change)) == words


def test_different_books_of_one_length() -> None:
    mine, other = (replace(PLAN, book=book) for book in (BOOK, BOOK[::-1]))
    expected = ["book was one of 3 openings and is now another, also one of 3 openings"]
    assert mine.differences(other) == expected


@given(st.sampled_from(FORMATS), st.booleans())
def test_what_may_end_early(kind: str, is_test: bool) -> None:
    plan = replace(PLAN, format=kind, sprt="elo0=0 elo1=5" if is_test else None)
    assert plan.may_end_early == (is_test or kind == "knockout")


# Openings


@given(plans(), st.integers(0, 10**9))
def test_the_same_number_is_the_same_opening(plan: Plan, number: int) -> None:
    assert plan.opening(number) == Plan.from_json(plan.to_json()).opening(number)


@given(plans(), st.integers(0, 100))
def test_openings_go_through_the_setups_or_the_book(plan: Plan, number: int) -> None:
    opening = plan.opening(number)
    if plan.book:
        assert opening == BOOK[number % 3]
    else:
        assert opening.setup == plan.setups[number % len(plan.setups)]


@given(plans(STATIC))
def test_openings_are_played_equally_often(plan: Plan) -> None:
    plan = replace(plan, opening_plies=0)
    played = Counter((str(pairing.setup), pairing.opening) for pairing in all_of(plan))
    wanted = Counter(
        (str(plan.opening(k).setup), plan.opening(k).moves) for k in range(plan.openings)
    )
    assert {key: played[key] / plan.matches for key in played} == pytest.approx(
        {key: wanted[key] / plan.openings for key in wanted}
    )


def test_every_round_draws_its_own() -> None:
    openings = {pairing.opening for pairing in all_of(replace(PLAN, rounds=20))}
    assert len(openings) > 10


def test_the_seed_makes_openings() -> None:
    openings = {replace(PLAN, seed=seed).opening(0).moves for seed in range(20)}
    assert len(openings) > 5


def test_a_book_needs_no_seed() -> None:
    plan = replace(PLAN, book=BOOK)
    assert all_of(plan) == all_of(replace(plan, seed=2))


@given(plans(STATIC))
def test_another_seed_changes_only_random_moves(plan: Plan) -> None:
    other = all_of(replace(plan, seed=plan.seed + 1))
    assert [replace(pairing, opening=()) for pairing in other] == [
        replace(pairing, opening=()) for pairing in all_of(plan)
    ]


@given(plans())
def test_openings_are_legal(plan: Plan) -> None:
    for pairing in all_of(plan):
        position = GAMES[pairing.game].position(**pairing.setup, moves=pairing.opening)
        assert tuple(position.moves) == pairing.opening


def test_openings_stay_the_same_from_version_to_version() -> None:
    moves = [PLAN.opening(number).moves for number in range(4)]
    assert moves == [(5, 10, 2), (1, 4, 2), (9, 1, 14), (1, 6, 2)]


# Schedules


@given(plans((*STATIC, "swiss")))
def test_as_many_matches_as_planned(plan: Plan) -> None:
    plan = replace(plan, sprt=None)
    assert sorted(by_number(play(Schedule(plan, [])))) == [*range(1, plan.matches + 1)]


@given(plans(["knockout"]))
def test_a_knockout_has_at_most_as_many_as_planned(plan: Plan) -> None:
    numbers = [pairing.number or 0 for pairing in play(Schedule(plan, []))]
    assert len(numbers) <= plan.matches >= max(numbers)


@given(plans())
def test_the_same_plan_begins_alike(plan: Plan) -> None:
    assert all_of(plan) == all_of(Plan.from_json(plan.to_json()))


@given(plans())
def test_matches_make_pairs_with_the_sides_swapped(plan: Plan) -> None:
    played = by_number(play(Schedule(replace(plan, sprt=None), [])))
    for number in played:
        if number % 2:
            one, two = played[number], played[number + 1]
            assert two == replace(one, number=number + 1, players=one.players[::-1])


@given(plans(STATIC))
def test_every_two_that_are_to_meet_meet_equally_often(plan: Plan) -> None:
    bots, wanted = [*plan.bots], Counter[tuple[str, ...]]()
    for place, one in enumerate(bots):
        for other, two in enumerate(bots):
            if one != two and (
                plan.format == "round-robin" or (place < plan.seeds) != (other < plan.seeds)
            ):
                wanted[one, two] = plan.rounds * plan.openings
    assert Counter(pairing.players for pairing in all_of(plan)) == wanted


@given(plans(STATIC))
def test_more_rounds_only_add_to_the_schedule(plan: Plan) -> None:
    longer = Schedule(replace(plan, rounds=plan.rounds + 1), [])
    assert [*islice(iter(longer.next, None), plan.matches)] == all_of(plan)


@given(plans(), st.randoms(use_true_random=True))
def test_the_order_of_results_does_not_matter(plan: Plan, random: Random) -> None:
    plan = replace(plan, sprt=None)
    in_order, other = play(Schedule(plan, [])), play(Schedule(plan, []), random)
    assert len(in_order) == len(other)
    assert by_number(in_order) == by_number(other)


@given(plans(), st.randoms(use_true_random=True), st.floats(0, 1))
def test_what_is_missing_is_played_and_nothing_else(
    plan: Plan, random: Random, share: float
) -> None:
    plan = replace(plan, sprt=None)
    whole = play(Schedule(plan, []))
    played = play(Schedule(plan, []), random, at_most=round(share * len(whole)))
    random.shuffle(played)
    schedule = Schedule(plan, facts(played))
    assert schedule.finished == len(played)
    rest = play(schedule, random)
    assert len(played) + len(rest) == len(whole)
    assert by_number(played + rest) == by_number(whole)


@given(plans(), st.randoms(use_true_random=True), st.floats(0, 1))
def test_what_a_schedule_knows_is_the_same_after_a_pause(
    plan: Plan, random: Random, share: float
) -> None:
    schedule = Schedule(plan, [])
    played = play(schedule, random, at_most=round(share * min(300, plan.matches)))
    resumed = Schedule(plan, facts(played))
    assert (resumed.finished, resumed.scores) == (schedule.finished, schedule.scores)
    assert resumed.is_decided == schedule.is_decided


@given(plans(), st.randoms(use_true_random=True))
def test_it_is_over_when_all_is_played(plan: Plan, random: Random) -> None:
    schedule = Schedule(plan, [])
    assert not schedule.is_over
    played = play(schedule, random)
    assert (schedule.is_over, schedule.next()) == (True, None)
    assert Schedule(plan, facts(played)).is_over


@given(plans())
def test_to_ask_whether_it_is_over_changes_nothing(plan: Plan) -> None:
    schedule, found = Schedule(plan, []), []
    while not schedule.is_over and not schedule.is_over:
        found.append(schedule.next())
    assert found == all_of(plan)


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
def test_later_rounds_wait_for_results(kind: str) -> None:
    bots = dict.fromkeys("abcd", "random")
    schedule = Schedule(replace(PLAN, bots=bots, format=kind), [])
    first = [*iter(schedule.next, None)]
    assert len(first) == 4
    for pairing in first[1:]:
        finish(schedule, pairing)
        others = schedule.next()
        assert others is None or not {*others.players} & {*first[0].players}
    finish(schedule, first[0])
    assert schedule.next()


@pytest.mark.parametrize(("number", "won", "score"), [(1, 1, (2, 0)), (1, 2, (0, 2))])
def test_scores_are_those_of_who_begins_as_player_1(
    number: int, won: int, score: tuple[int, int]
) -> None:
    schedule = Schedule(replace(PLAN, format="swiss", rounds=1), [])
    schedule.finish(number, ("anna", "bert"), won)
    assert schedule.scores == {}
    schedule.finish(number + 1, ("bert", "anna"), 3 - won)
    assert schedule.scores == {1: score}


def test_a_match_finishes_once() -> None:
    with pytest.raises(AssertionError, match="match 1 has finished before"):
        Schedule(PLAN, [(1, ("anna", "bert"), 1)] * 2)


# Long plans


@pytest.mark.parametrize(
    "plan",
    [
        replace(PLAN, bots={str(bot): "random" for bot in range(100)}, rounds=10**12),
        replace(PLAN, format="gauntlet", rounds=10**12),
        replace(PLAN, format="swiss", pairs=10**6),
        TEST,
    ],
)
def test_a_long_plan_starts_at_once(plan: Plan) -> None:
    schedule = Schedule(plan, [])
    assert plan.matches > 10**6
    assert [pairing and pairing.number for pairing in (schedule.next(), schedule.next())] == [1, 2]


def test_a_long_plan_knows_its_length() -> None:
    assert replace(PLAN, rounds=10**12).matches == 12 * 10**12


@pytest.mark.parametrize("test", [None, "elo0=0 elo1=0.1"])
def test_what_is_finished_takes_no_room(test: str | None) -> None:
    schedule = Schedule(replace(TEST, opening_plies=0, sprt=test), [])
    play(schedule, at_most=100)
    tracemalloc.start()
    for _ in range(1000):
        finish(schedule, schedule.next() or pytest.fail("it has ended"))
    room = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert room < 20_000  # bytes


# Tests


def results(
    chances: Mapping[str, float], matches: int, random: Random
) -> list[tuple[Pairing, int]]:
    """What a test's matches come to if each bot wins with some chance as player 1."""
    schedule = Schedule(replace(TEST, opening_plies=0, sprt=None), [])
    pairings = islice(iter(schedule.next, None), matches)
    return [
        (pairing, 1 if random.random() < chances[pairing.players[0]] else 2) for pairing in pairings
    ]


def fed(played: Iterable[tuple[Pairing, int]]) -> Schedule:
    return Schedule(TEST, ((pair.number or 0, pair.players, won) for pair, won in played))


@pytest.mark.parametrize(
    ("chances", "verdict"),
    [
        ({"anna": 1.0, "bert": 0.0}, Verdict.H1),
        ({"anna": 0.0, "bert": 1.0}, Verdict.H0),
        ({"anna": 1.0, "bert": 1.0}, Verdict.H0),  # all pairs are level: no difference
        ({"anna": 0.8, "bert": 0.5}, Verdict.H1),
        ({"anna": 0.5, "bert": 0.8}, Verdict.H0),
    ],
)
def test_the_first_bot_of_the_plan_is_the_one_that_is_tested(
    chances: Mapping[str, float], verdict: Verdict
) -> None:
    schedule = fed(results(chances, 2000, Random(1)))
    assert schedule.test
    assert (schedule.is_decided, schedule.test.verdict) == (True, verdict)


@given(st.randoms(use_true_random=True), st.floats(0, 1), st.floats(0, 1))
def test_wins_of_the_first_bot_are_counted_in_any_order(
    random: Random, anna: float, bert: float
) -> None:
    played = results({"anna": anna, "bert": bert}, 60, random)
    wins = [pairing.players[won - 1] == "anna" for pairing, won in played]
    counts = Counter(sum(wins[pair : pair + 2]) for pair in range(0, 60, 2))
    in_order = fed(played).test
    random.shuffle(played)
    test = fed(played).test
    assert test
    assert in_order
    assert (test.counts, test.decided_at) == (in_order.counts, in_order.decided_at)
    assert test.verdict or test.counts == tuple(counts[score] for score in range(3))


def test_both_bots_begin_pairs() -> None:
    assert {pairing.players[0] for pairing, _ in results({"anna": 1, "bert": 1}, 4, Random(1))} == {
        "anna",
        "bert",
    }


def test_nothing_is_played_once_it_is_decided() -> None:
    schedule = Schedule(TEST, [])
    assert not schedule.is_over  # which has looked at the first pairing
    first, *others = results({"anna": 1.0, "bert": 0.0}, 400, Random(1))
    for pairing, won in [*others, first]:
        assert not schedule.is_decided  # as the first pair is missing
        schedule.finish(pairing.number or 0, pairing.players, won)
    assert (schedule.is_decided, schedule.is_over, schedule.next()) == (True, True, None)


def test_a_tournament_without_a_test_is_never_decided() -> None:
    schedule = Schedule(PLAN, [])
    play(schedule)
    assert not schedule.is_decided


# Standings


def tally(results: str) -> Tally:
    """Each word is a match: player 1 and player 2, the winner in capitals."""
    return Tally(
        RatedResult(one.lower(), two.lower(), 1 if one.isupper() else 2, Termination.NO_LEGAL_MOVE)
        for one, two in map(tuple, results.split())
    )


def rated(**elo: float) -> Ratings:
    return Ratings((*elo,), elo, 0.0, np.zeros((len(elo) + 1, len(elo) + 1)))


def order(results: str, bots: str = "", **elo: float) -> str:
    return "".join(line.bot for line in standings(tally(results), rated(**elo), bots))


def test_one_match() -> None:
    assert standings(tally("Ab"), rated(a=1, b=0)) == [
        Standing("a", wins=1),
        Standing("b", losses=1),
    ]


def test_player_2_may_win() -> None:
    assert standings(tally("aB"), rated(a=0, b=1))[0] == Standing("b", wins=1)


def test_wins_and_losses_make_the_number_played() -> None:
    first = standings(tally("Ab Ab bA Ba"), rated(a=1, b=0))[0]
    assert (first.wins, first.losses, first.played) == (3, 1, 4)


def test_bots_that_have_not_played_are_in_the_table() -> None:
    assert standings(Tally(), rated(), ["b", "a"]) == [Standing("a"), Standing("b")]


def test_a_lost_bot_need_not_be_planned() -> None:
    assert order("Ab", "c", a=1, b=0) == "abc"


@pytest.mark.parametrize(
    ("results", "elo", "expected"),
    [
        ("Ab", {"a": 1.0, "b": 2.0}, "ba"),
        ("Ab", {"a": -1.0, "b": -2.0}, "ab"),
        ("Ab", {}, "ab"),  # then the wins
        ("aB", {"a": 1.0, "b": 1.0}, "ba"),
        ("aB", {"a": 1.0000001, "b": 1.0}, "ba"),
        ("Ab Ba Cd", {"d": -9.0, "a": 0.0, "b": 0.0, "c": 0.0}, "abcd"),  # then the name
        ("Ab", {"a": -5000.0, "b": -6000.0}, "abc"),  # who has not played comes last
    ],
)
def test_order_of_the_table(results: str, elo: Mapping[str, float], expected: str) -> None:
    assert order(results, "".join(sorted(expected)), **elo) == expected


@given(st.permutations("abcd"))
def test_level_bots_are_in_order_of_name(bots: list[str]) -> None:
    circle = zip(bots, [*bots[1:], bots[0]], strict=True)
    level = tally(" ".join(f"{one.upper()}{two} {two.upper()}{one}" for one, two in circle))
    assert [line.bot for line in standings(level, rate(level))] == [*"abcd"]


@pytest.mark.parametrize("termination", Termination)
def test_forfeits_are_counted_for_the_loser(termination: Termination) -> None:
    lost = Tally(
        {
            RatedResult("a", "b", 2, termination): 2,
            RatedResult("a", "b", 2, Termination.RESIGNATION): 1,
        }
    )
    first, last = standings(lost, rated(a=0, b=1))
    assert (first.bot, first.forfeits) == ("b", {})
    assert last.forfeits == ({termination: 2} if termination.is_forfeit else {})
