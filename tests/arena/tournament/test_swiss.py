"""The Swiss system."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.round_robin import Encounter
from arena.tournament.swiss import Swiss, SwissStanding, most_rounds, swiss, swiss_size, swiss_table

Scores = dict[int, tuple[int, int]]
Outcome = Callable[[Encounter], tuple[int, int]]

BOTS = [f"bot {letter}" for letter in "sdfkjeiowqzcvbnmh"]
SEEDS = st.integers(0, 10**6)


def played(
    encounters: Iterator[Encounter | None], scores: Scores, outcome: Outcome, random: Random
) -> Iterator[Encounter]:
    """Play all that has no score, and finish it in any order. Gives what was asked for."""
    waiting: list[Encounter] = []
    for encounter in encounters:
        assert encounter or waiting, "nothing is played, so that no score will ever come"
        if encounter:
            yield encounter
            if encounter.number not in scores:
                waiting.append(encounter)
        while waiting and random.random() < 0.5:
            done = waiting.pop(random.randrange(len(waiting)))
            scores[done.number] = outcome(done)
    scores.update((done.number, outcome(done)) for done in waiting)


def by_chance(seed: int) -> Outcome:
    """Any scores, but the same for the same encounter."""
    return lambda encounter: Random(f"{seed}/{encounter}").choice([(2, 0), (1, 1), (0, 2)])


def better_name(encounter: Encounter) -> tuple[int, int]:
    """Who is before the other in the alphabet wins."""
    return (2, 0) if encounter.players[0] < encounter.players[1] else (0, 2)


def level(_: Encounter) -> tuple[int, int]:
    return 1, 1


def meetings(bots: str, rounds: int, outcome: Outcome = better_name) -> list[list[str]]:
    """Who meets whom in each round; the names in a meeting are sorted."""
    drawn: list[list[str]] = [[] for _ in range(rounds)]
    scores: Scores = {}
    for _, pair, opening in played(swiss(bots, rounds, 1, scores), scores, outcome, Random(1)):
        drawn[opening].append("".join(sorted(pair)))
    return drawn


@dataclass
class Event:
    """A Swiss that was played to the end by chance."""

    bots: list[str]
    rounds: int
    pairs: int
    seed: int
    scores: Scores = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.encounters = [*self.play(self.scores, self.seed)]

    def play(self, scores: Scores, order: int) -> Iterator[Encounter]:
        """The encounters from these scores on, if the others come in some order."""
        encounters = swiss(self.bots, self.rounds, self.pairs, scores)
        return played(encounters, scores, by_chance(self.seed), Random(order))

    def table(self, rounds: int | None = None) -> list[SwissStanding]:
        """The table after so many rounds, or all."""
        return swiss_table(self.bots, rounds or self.rounds, self.pairs, self.scores)

    def round(self, turn: int) -> list[tuple[str, str]]:
        """Who meets whom in a round."""
        openings = range(turn * self.pairs, (turn + 1) * self.pairs)
        return [pair for _, pair, opening in self.encounters if opening in openings]

    def byes(self) -> list[str]:
        """Who does not play, round by round."""
        return [
            bot
            for turn in range(self.rounds)
            for bot in self.bots
            if bot not in chain(*self.round(turn))
        ]


@st.composite
def any_event(draw: st.DrawFn, long: bool = False) -> Event:
    """An event of any size, or of as many rounds as can be."""
    bots = draw(st.integers(2, len(BOTS)))
    rounds = most_rounds(bots) if long else draw(st.integers(1, most_rounds(bots)))
    return Event(BOTS[:bots], rounds, draw(st.integers(1, 3)), draw(SEEDS))


events = given(any_event())
long_events = given(any_event(long=True))


# Who meets whom


def test_the_first_round_folds_the_field() -> None:
    assert meetings("abcdefgh", 1) == [["ae", "bf", "cg", "dh"]]


def test_winners_meet_winners() -> None:
    assert meetings("abcdefgh", 2)[1] == ["ac", "bd", "eg", "fh"]


def test_the_leaders_meet_in_the_third_round() -> None:
    assert meetings("abcdefgh", 3)[2][0] == "ab"


def test_the_odd_one_of_a_group_floats_down_to_the_best_of_the_next() -> None:
    assert meetings("abcdef", 2)[1] == ["ab", "cd", "ef"]


def test_who_has_met_its_opponent_takes_the_next() -> None:
    assert meetings("abcd", 2, level) == [["ac", "bd"], ["ad", "bc"]]


@given(st.integers(7, len(BOTS)), st.integers(1, 3), SEEDS)
def test_in_round_two_the_leader_meets_one_of_as_many_points(
    bots: int, pairs: int, seed: int
) -> None:
    event = Event(BOTS[:bots], 2, pairs, seed)
    leader, *others = event.table(rounds=1)
    met = {name for pair in event.round(0) if leader.bot in pair for name in pair}
    like = {line.bot for line in others if line.points == leader.points} - met
    opponents = {name for pair in event.round(1) if leader.bot in pair for name in pair}
    assert not like or like & opponents


@events
def test_nobody_meets_twice(event: Event) -> None:
    times = Counter(frozenset(pair) for _, pair, _ in event.encounters)
    assert set(times.values()) == {event.pairs}


@long_events
def test_as_many_rounds_as_can_be(event: Event) -> None:
    met = {frozenset(pair) for _, pair, _ in event.encounters}
    assert len(met) == swiss_size(len(event.bots), most_rounds(len(event.bots)), 1)


@pytest.mark.parametrize("bots", range(2, len(BOTS) + 1))
def test_the_size_of_a_swiss(bots: int) -> None:
    event = Event(BOTS[:bots], most_rounds(bots), 2, 0)
    assert len(event.encounters) == swiss_size(bots, most_rounds(bots), 2)


@events
def test_in_every_round_all_but_a_bye_play_all_its_openings(event: Event) -> None:
    for turn in range(event.rounds):
        times = Counter(chain(*event.round(turn)))
        assert len(times) == len(event.bots) // 2 * 2
        assert set(times.values()) == {event.pairs}


@events
def test_numbers_go_up_from_1_and_openings_with_them(event: Event) -> None:
    boards = len(event.bots) // 2
    expected = [(place + 1, place // boards) for place in range(len(event.encounters))]
    assert [(number, opening) for number, _, opening in event.encounters] == expected


@events
def test_any_two_are_first_in_turn(event: Event) -> None:
    firsts = Counter(pair for _, pair, _ in event.encounters)
    for one, two in [*firsts]:
        assert abs(firsts[one, two] - firsts[two, one]) == event.pairs % 2


# Where only two are left who have met: other pairs are parted


def test_the_pair_is_parted_that_mixes_the_least_points() -> None:
    assert meetings("abcdef", 3) == [["ad", "be", "cf"], ["ab", "cd", "ef"], ["ac", "bf", "de"]]


def test_leaders_are_not_parted_for_the_last() -> None:
    assert meetings("abcdefgh", 4)[3] == ["ad", "bc", "eh", "fg"]


def test_the_bye_goes_to_another_if_no_other_pair_can_be_parted() -> None:
    firsts = map(int, "2101021121010121")
    scores = {number: (first, 2 - first) for number, first in enumerate(firsts, 1)}
    encounters = islice(swiss("abcdefghi", 5, 1, scores), 20)
    last = {name for found in encounters if found and found.opening == 4 for name in found.players}
    table = swiss_table("abcdefghi", 4, 1, scores)
    assert [line.bot for line in table if not line.byes][-1] == "g"
    assert {*"abcdefghi"} - last == {"f"}


# Byes


@long_events
def test_nobody_has_two_byes(event: Event) -> None:
    byes = event.byes()
    assert len({*byes}) == len(byes) == len(event.bots) % 2 * event.rounds


@events
def test_the_table_counts_byes(event: Event) -> None:
    assert {line.bot for line in event.table() if line.byes} == {*event.byes()}


def test_the_last_has_the_first_bye() -> None:
    assert meetings("abcde", 1) == [["ac", "bd"]]


def test_then_the_lowest_placed_that_has_had_none() -> None:
    assert meetings("abcde", 2)[1] == ["ab", "ce"]


def test_a_bye_is_worth_a_meeting_won() -> None:
    assert swiss_table("abc", 1, 3, {})[0] == SwissStanding("c", 6, 0, 1)


# The table


def test_a_table_before_the_first_score() -> None:
    assert swiss_table("ba", 1, 1, {}) == [
        SwissStanding("b", 0, 0, 0),
        SwissStanding("a", 0, 0, 0),
    ]


def test_scores_of_a_round_that_is_not_finished_count() -> None:
    table = swiss_table("abcd", 2, 1, {2: (1, 1)})
    assert [(line.bot, line.points) for line in table] == [("b", 1), ("d", 1), ("a", 0), ("c", 0)]


def test_points_belong_to_the_players_as_they_are_asked_for() -> None:
    scores: Scores = {}
    encounters = played(swiss("abcd", 2, 1, scores), scores, better_name, Random(1))
    assert sum(pair[0] == "b" for _, pair, _ in encounters) == 1
    assert [line.points for line in swiss_table("abcd", 2, 1, scores)] == [4, 2, 2, 0]


def test_buchholz_breaks_ties_before_seeding() -> None:
    scores = {1: (0, 2), 2: (2, 0), 3: (1, 1), 4: (0, 2)}
    assert swiss_table("abcd", 2, 1, scores) == [
        SwissStanding("d", 3, 5, 0),
        SwissStanding("c", 3, 3, 0),
        SwissStanding("b", 2, 3, 0),
        SwissStanding("a", 0, 5, 0),
    ]


def test_byes_do_not_count_in_buchholz() -> None:
    table = swiss_table("abc", 2, 1, {1: (2, 0), 2: (0, 2)})
    assert table == [
        SwissStanding("a", 4, 0, 0),
        SwissStanding("b", 2, 4, 1),
        SwissStanding("c", 2, 4, 1),
    ]


@events
def test_points_add_up(event: Event) -> None:
    matches = 2 * (len(event.encounters) + event.pairs * len(event.byes()))
    assert sum(line.points for line in event.table()) == matches


@events
def test_the_table_is_in_order(event: Event) -> None:
    ranks = [(-line.points, -line.buchholz, event.bots.index(line.bot)) for line in event.table()]
    assert ranks == sorted(ranks)


@events
def test_buchholz_is_what_opponents_have_won(event: Event) -> None:
    won = {line.bot: line.points - 2 * event.pairs * line.byes for line in event.table()}
    for line in event.table():
        met = {name for _, pair, _ in event.encounters if line.bot in pair for name in pair}
        assert line.buchholz == sum(won[name] for name in met - {line.bot})


# Scores come in any order, and tournaments stop and go on


def test_all_of_a_round_comes_before_a_pause() -> None:
    encounters = swiss("abcdef", 2, 2, {})
    assert [bool(encounter) for encounter in islice(encounters, 9)] == [True] * 6 + [False] * 3


def test_a_round_waits_for_all_scores_of_the_one_before() -> None:
    scores = {1: (2, 0)}
    encounters = swiss("abcd", 2, 1, scores)
    assert [*islice(encounters, 2, 4)] == [None, None]
    scores[2] = (2, 0)
    assert next(encounters) == Encounter(3, ("d", "a"), 1)


def test_the_end_needs_no_scores() -> None:
    assert len([*swiss("abcdef", 1, 2, {})]) == 6


@given(any_event(), SEEDS)
def test_the_order_of_scores_does_not_matter(event: Event, order: int) -> None:
    scores: Scores = {}
    assert [*event.play(scores, order)] == event.encounters
    assert scores == event.scores


@given(any_event(), st.data())
def test_an_event_goes_on_as_it_would_have(event: Event, data: st.DataObject) -> None:
    stored: Scores = {}
    stop = data.draw(st.integers(0, len(event.encounters)))
    for _ in islice(event.play(stored, data.draw(SEEDS)), stop):
        pass
    assert [*event.play({**stored}, data.draw(SEEDS))] == event.encounters


@events
def test_pairing_and_table_share_their_rounds(event: Event) -> None:
    scores: Scores = {}
    swiss = Swiss(event.bots, event.rounds, event.pairs, scores)
    for _ in played(swiss.encounters(), scores, by_chance(event.seed), Random(event.seed)):
        swiss.standings()
    assert swiss.standings() == event.table()


# Bad input


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (100, 50)])
def test_most_rounds(bots: int, rounds: int) -> None:
    assert most_rounds(bots) == rounds


@pytest.mark.parametrize(
    ("bots", "rounds", "message"),
    [
        ("a", 1, "a tournament needs 2 or more bots, not 1"),
        ("aba", 1, "bot 'a' is there twice, but names must differ"),
        ("abcde", 4, "4 rounds are too many for a Swiss of 5 bots: without rematches, 3 at most"),
    ],
)
def test_what_cannot_be_paired(bots: str, rounds: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        swiss(bots, rounds, 1, {})
