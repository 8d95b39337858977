"""The knockout system."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.knockout import (
    Decision,
    Knockout,
    Meeting,
    bracket,
    bracket_text,
    knockout,
    most_encounters,
)
from arena.tournament.round_robin import Encounter
from tests.arena.tournament.test_swiss import SEEDS, Scores, better_name, by_chance, level, played

BOTS = [f"bot {letter}" for letter in "sdfkjeiowqzcvbnmh"]


@dataclass
class Cup:
    """A knockout that was played to the end by chance."""

    bots: list[str]
    pairs: int
    seed: int
    scores: Scores = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.encounters = [*self.play(self.scores, self.seed)]
        self.rounds = bracket(self.bots, self.pairs, self.scores)
        self.meetings = [*chain(*self.rounds)]

    def play(self, scores: Scores, order: int) -> Iterator[Encounter]:
        """The encounters from these scores on, if the others come in some order."""
        encounters = knockout(self.bots, self.pairs, scores)
        return played(encounters, scores, by_chance(self.seed), Random(order))

    def byes(self) -> list[str | None]:
        """Who has a bye in the first round."""
        return [meeting.winner for meeting in self.rounds[0] if meeting.decided is Decision.BYE]


cups = given(
    st.builds(
        Cup,
        st.integers(2, len(BOTS)).map(lambda bots: BOTS[:bots]),
        st.integers(1, 4),
        SEEDS,
    )
)


def final(pairs: int, *firsts: int) -> Meeting:
    """The final of two bots in which a has won so many matches of each encounter."""
    scores = {
        number: (first, 2 - first) if number % 2 else (2 - first, first)
        for number, first in enumerate(firsts, 1)
    }
    return bracket("ab", pairs, scores)[0][0]


def asked(bots: Sequence[str], pairs: int, scores: Scores) -> list[int]:
    """The numbers of what can be played after these scores."""
    numbers = []
    for encounter in knockout(bots, pairs, scores):
        if encounter is None:
            break
        numbers.append(encounter.number)
    return numbers


# The bracket


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        ("12", ["12"]),
        ("123", ["1", "23"]),
        ("1234", ["14", "23"]),
        ("12345", ["1", "45", "2", "3"]),
        ("123456", ["1", "45", "2", "36"]),
        ("12345678", ["18", "45", "27", "36"]),
        ("123456789", ["1", "89", "5", "4", "3", "6", "7", "2"]),
    ],
)
def test_the_first_round(bots: str, expected: list[str]) -> None:
    first = bracket(bots, 1, {})[0]
    drawn = ["".join(player for player in meeting.players if player) for meeting in first]
    assert sorted(drawn) == sorted(expected)


@pytest.mark.parametrize(("bots", "sizes"), [(2, [1]), (5, [4, 2, 1]), (16, [8, 4, 2, 1])])
def test_each_round_halves_the_field(bots: int, sizes: list[int]) -> None:
    assert [len(meetings) for meetings in bracket(BOTS[:bots], 1, {})] == sizes


def test_if_the_better_always_wins_seeds_meet_as_late_as_can_be() -> None:
    scores: Scores = {}
    for _ in played(knockout("abcdefgh", 1, scores), scores, better_name, Random(1)):
        pass
    rounds = bracket("abcdefgh", 1, scores)
    assert [{*meeting.players} for meeting in rounds[1]] == [{*"ad"}, {*"bc"}]
    assert rounds[2][0].players == ("a", "b")


def test_a_bye_goes_on_at_once() -> None:
    first, second = bracket("abc", 1, {})
    assert first[0] == Meeting(("a", None), (0, 0), "a", Decision.BYE)
    assert second == [Meeting(("a", None))]


@cups
def test_all_but_the_champion_lose_once(cup: Cup) -> None:
    losers = [
        player
        for meeting in cup.meetings
        for player in meeting.players
        if player not in (None, meeting.winner)
    ]
    champion = cup.meetings[-1].winner
    assert sorted([*losers, champion or ""]) == sorted(cup.bots)


@cups
def test_there_is_a_meeting_for_each_loser(cup: Cup) -> None:
    contested = [meeting for meeting in cup.meetings if meeting.decided is not Decision.BYE]
    assert len(contested) == len(cup.bots) - 1


@cups
def test_the_best_seeds_have_the_byes(cup: Cup) -> None:
    byes = cup.byes()
    assert sorted(byes, key=str) == sorted(cup.bots[: len(byes)])
    assert len(byes) == 2 * len(cup.rounds[0]) - len(cup.bots)


@cups
def test_there_are_byes_only_in_the_first_round(cup: Cup) -> None:
    assert not [
        meeting for meeting in chain(*cup.rounds[1:]) if meeting.decided in (None, Decision.BYE)
    ]


@cups
def test_winners_go_on(cup: Cup) -> None:
    for before, after in zip(cup.rounds, cup.rounds[1:], strict=False):
        players = [player for meeting in after for player in meeting.players]
        assert players == [meeting.winner for meeting in before]


# A meeting


@pytest.mark.parametrize(
    ("pairs", "firsts", "meeting"),
    [
        (1, [2], ("a", Decision.PLAYED)),
        (1, [0], ("b", Decision.PLAYED)),
        (1, [1, 2], ("a", Decision.SUDDEN_DEATH)),
        (1, [1, 1], ("a", Decision.SEED)),
        (2, [2], (None, None)),
        (2, [2, 0], (None, None)),
        (2, [2, 1], ("a", Decision.PLAYED)),
        (2, [2, 0, 1, 0], ("b", Decision.SUDDEN_DEATH)),
        (2, [2, 0, 1, 1], ("a", Decision.SEED)),
        (3, [2, 1], (None, None)),
        (3, [2, 2], ("a", Decision.PLAYED)),
        (3, [0, 0], ("b", Decision.PLAYED)),
        (3, [2, 1, 0, 0], ("b", Decision.SUDDEN_DEATH)),
        (4, [2, 1, 1], (None, None)),
        (4, [2, 1, 2], ("a", Decision.PLAYED)),
    ],
)
def test_who_goes_on(
    pairs: int, firsts: list[int], meeting: tuple[str | None, Decision | None]
) -> None:
    found = final(pairs, *firsts)
    assert (found.winner, found.decided) == meeting


def test_wins_are_counted_even_if_they_come_in_another_order() -> None:
    assert bracket("ab", 3, {2: (2, 0)})[0][0] == Meeting(("a", "b"), (0, 2))


def test_the_better_seed_goes_on_from_either_place() -> None:
    scores: Scores = {1: (0, 2), 3: (0, 2)}
    for _ in played(knockout("abcd", 1, scores), scores, level, Random(1)):
        pass
    last = bracket("abcd", 1, scores)[1][0]
    assert last == Meeting(("d", "c"), (2, 2), "c", Decision.SEED)


@pytest.mark.parametrize(
    ("pairs", "scores", "numbers"),
    [
        (1, {}, [1]),
        (3, {}, [1, 2]),
        (3, {1: (1, 1)}, [1, 2, 3]),
        (3, {2: (1, 1)}, [1, 2]),
        (3, {1: (1, 1), 2: (1, 1)}, [1, 2, 3]),
        (3, {1: (2, 0), 2: (1, 1)}, [1, 2, 3]),
        (3, {1: (1, 1), 2: (1, 1), 3: (1, 1)}, [1, 2, 3, 4]),
        (4, {}, [1, 2, 3]),
        (5, {}, [1, 2, 3]),
        (5, {1: (2, 0), 2: (2, 0)}, [1, 2, 3, 4]),
        (5, {1: (1, 1), 2: (1, 1)}, [1, 2, 3, 4]),
    ],
)
def test_what_is_needed_whatever_the_scores_is_played(
    pairs: int, scores: Scores, numbers: list[int]
) -> None:
    assert asked("ab", pairs, scores) == numbers


def asked_of_final(pairs: int, firsts: list[int]) -> list[int]:
    """The numbers of all encounters of a final in which a wins so many matches of each."""
    scores: Scores = {}

    def outcome(encounter: Encounter) -> tuple[int, int]:
        first = firsts[encounter.number - 1]
        return (first, 2 - first) if encounter.players == ("a", "b") else (2 - first, first)

    encounters = played(knockout("ab", pairs, scores), scores, outcome, Random(pairs))
    return [encounter.number for encounter in encounters]


@given(st.integers(1, 6), st.data())
def test_no_encounter_is_played_after_the_decision(pairs: int, data: st.DataObject) -> None:
    firsts = data.draw(st.lists(st.integers(0, 2), min_size=2 * pairs, max_size=2 * pairs))
    decided = [final(pairs, *firsts[:played]).decided for played in range(2 * pairs + 1)]
    first = next(played for played, decision in enumerate(decided) if decision)
    assert asked_of_final(pairs, firsts) == [*range(1, first + 1)]


@cups
def test_the_winner_has_won_more_unless_the_seed_decides(cup: Cup) -> None:
    for meeting in cup.meetings:
        if meeting.decided in (Decision.PLAYED, Decision.SUDDEN_DEATH):
            assert meeting.winner == meeting.players[meeting.wins[0] < meeting.wins[1]]
        else:
            assert meeting.wins[0] == meeting.wins[1]


# Encounters


@cups
def test_all_meetings_of_a_round_have_the_same_openings(cup: Cup) -> None:
    openings: dict[frozenset[str], list[int]] = {}
    for _, pair, opening in sorted(cup.encounters):
        openings.setdefault(frozenset(pair), []).append(opening)
    for turn, meetings in enumerate(cup.rounds):
        for meeting in meetings:
            found = openings.get(frozenset(filter(None, meeting.players)), [])
            assert found == [turn * 2 * cup.pairs + pair for pair in range(len(found))]


@cups
def test_every_meeting_owns_its_numbers(cup: Cup) -> None:
    owners = {(number - 1) // (2 * cup.pairs): {*pair} for number, pair, _ in cup.encounters}
    assert len(owners) == len(cup.bots) - 1
    for number, pair, _ in cup.encounters:
        assert owners[(number - 1) // (2 * cup.pairs)] == {*pair}


@cups
def test_no_number_is_above_the_most_encounters(cup: Cup) -> None:
    assert max(cup.encounters).number <= most_encounters(len(cup.bots), cup.pairs)


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_level_meetings_have_the_most_encounters(pairs: int) -> None:
    scores: Scores = {}
    encounters = [*played(knockout(BOTS, pairs, scores), scores, level, Random(1))]
    expected = range(1, most_encounters(len(BOTS), pairs) + 1)
    assert sorted(number for number, _, _ in encounters) == [*expected]


@cups
def test_the_two_of_a_meeting_are_first_in_turn(cup: Cup) -> None:
    firsts = Counter(pair for _, pair, _ in cup.encounters)
    for one, two in [*firsts]:
        assert abs(firsts[one, two] - firsts[two, one]) <= 1


def test_numbers_do_not_depend_on_results() -> None:
    for scores in product([(2, 0), (0, 2)], repeat=2):
        known = dict(zip((1, 3), scores, strict=True))
        assert asked("abcd", 1, known) == [1, 3, 5]


# Scores come in any order, and tournaments stop and go on


def test_all_of_the_first_round_is_played_side_by_side() -> None:
    assert asked("abcdefgh", 1, {}) == [1, 3, 5, 7]


def test_a_meeting_does_not_wait_for_the_rest_of_the_round() -> None:
    assert asked("abcdefgh", 1, {1: (2, 0), 3: (2, 0)}) == [1, 3, 5, 7, 9]


def test_it_pauses_until_a_score_decides() -> None:
    scores: Scores = {}
    encounters = knockout("ab", 1, scores)
    assert [*islice(encounters, 1, 3)] == [None, None]
    scores[1] = (1, 1)
    assert next(encounters) == Encounter(2, ("b", "a"), 1)


def test_the_last_score_ends_it() -> None:
    scores: Scores = {}
    encounters = knockout("ab", 1, scores)
    assert next(encounters)
    scores[1] = (2, 0)
    assert [*encounters] == []


@given(st.integers(2, 9), st.integers(1, 4), SEEDS, SEEDS)
def test_the_order_of_scores_does_not_matter(bots: int, pairs: int, seed: int, order: int) -> None:
    cup, scores = Cup(BOTS[:bots], pairs, seed), Scores()
    assert sorted(cup.play(scores, order)) == sorted(cup.encounters)
    assert scores == cup.scores


@given(st.integers(2, 9), st.integers(1, 4), SEEDS, st.data())
def test_a_cup_goes_on_as_it_would_have(
    bots: int, pairs: int, seed: int, data: st.DataObject
) -> None:
    cup, stored = Cup(BOTS[:bots], pairs, seed), Scores()
    stop = data.draw(st.integers(0, len(cup.encounters)))
    for _ in islice(cup.play(stored, data.draw(SEEDS)), stop):
        pass
    assert sorted(cup.play({**stored}, data.draw(SEEDS))) == sorted(cup.encounters)


@cups
def test_all_encounters_come_again_when_all_scores_are_in(cup: Cup) -> None:
    assert sorted(cup.play({**cup.scores}, 0)) == sorted(cup.encounters)


@cups
def test_the_bracket_may_be_looked_at_meanwhile(cup: Cup) -> None:
    scores: Scores = {}
    running = Knockout(cup.bots, cup.pairs, scores)
    encounters = played(running.encounters(), scores, by_chance(cup.seed), Random(cup.seed))
    seen = [(encounter, running.bracket()) for encounter in encounters]
    assert sorted(encounter for encounter, _ in seen) == sorted(cup.encounters)
    assert running.bracket() == cup.rounds


# As text


def test_a_bracket_before_the_first_score() -> None:
    assert bracket_text(["spec:8", "random", "spec:12"], 1, {}) == (
        "Semifinals\n"
        "  1 spec:8   bye\n"
        "  2 random   0 - 0  spec:12 3\n"
        "\n"
        "Final\n"
        "  1 spec:8     -    ?\n"
    )


def test_a_bracket_with_a_champion() -> None:
    text = bracket_text(["spec:8", "random"], 2, {1: (1, 1), 2: (1, 1), 3: (0, 2)})
    assert text == "Final\n  1 spec:8  2 - 4  random 2  (sudden death)\n\nChampion: random\n"


def test_the_text_tells_when_the_seed_decides() -> None:
    text = bracket_text("ab", 1, {1: (1, 1), 2: (1, 1)})
    assert "  1 a  2 - 2  b 2  (level, better seed)\n" in text


def test_rounds_have_their_names() -> None:
    titles = [line for line in bracket_text(BOTS[:16], 1, {}).splitlines() if line[:1].isalpha()]
    assert titles == ["Round of 16", "Quarterfinals", "Semifinals", "Final"]


@cups
def test_a_line_for_each_meeting(cup: Cup) -> None:
    lines = bracket_text(cup.bots, cup.pairs, cup.scores).splitlines()
    assert sum(line.startswith(" ") for line in lines) == len(cup.meetings)
    assert lines[-1] == f"Champion: {cup.meetings[-1].winner}"


# Bad input


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ("a", "a tournament needs 2 or more bots, not 1"),
        ("aba", "bot 'a' is there twice, but names must differ"),
    ],
)
def test_bots_that_cannot_play(bots: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        knockout(bots, 1, {})
