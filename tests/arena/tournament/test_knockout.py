"""Tests of knockout tournaments."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Points
from arena.tournament.encounters import Decision, Encounter
from arena.tournament.knockout import (
    Knockout,
    bracket,
    knockout,
    max_match_pairs,
)
from arena.tournament.round_robin import MatchPair
from tests.arena.tournament.test_swiss import (
    SEEDS,
    Scores,
    first_name_wins,
    level,
    play_match_pairs,
    random_outcome,
)
from tests.support.cases import loop_over

BOTS = [f"bot {letter}" for letter in "sdfkjeiowqzcvbnmh"]


@dataclass
class Cup:
    """A finished knockout with random results."""

    bots: list[str]
    pairs: int
    seed: int
    scores: Scores = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.match_pairs = [*self.play(self.scores, self.seed)]
        self.rounds = bracket(self.bots, self.pairs, self.scores)
        self.encounters = [*chain(*self.rounds)]

    def play(self, scores: Scores, order: int) -> Iterator[MatchPair]:
        """Yield the pairs from these scores on; the others arrive in random order."""
        match_pairs = knockout(self.bots, self.pairs, scores)
        return play_match_pairs(match_pairs, scores, random_outcome(self.seed), Random(order))

    def byes(self) -> list[str | None]:
        """Return the bots with a bye in the first round."""
        return [
            encounter.winner for encounter in self.rounds[0] if encounter.decided is Decision.BYE
        ]


cups = given(
    st.builds(
        Cup, st.integers(2, len(BOTS)).map(lambda bots: BOTS[:bots]), st.integers(1, 4), SEEDS
    )
)


def final(pairs: int, *firsts: float) -> Encounter:
    """Return a final of a and b, from the points of a in each pair."""
    scores = {
        number: (first, 2 - first) if number % 2 else (2 - first, first)
        for number, first in enumerate(firsts, 1)
    }
    return bracket("ab", pairs, scores)[0][0]


def playable(bots: Sequence[str], pairs: int, scores: Scores) -> list[int]:
    """Return the numbers of the pairs that can be played after these scores."""
    numbers = []
    for match_pair in knockout(bots, pairs, scores):
        if match_pair is None:
            break
        numbers.append(match_pair.number)
    return numbers


# The bracket


@loop_over(
    "bots, expected",
    ("12", ["12"]),
    ("123", ["1", "23"]),
    ("1234", ["14", "23"]),
    ("12345", ["1", "45", "2", "3"]),
    ("123456", ["1", "45", "2", "36"]),
    ("12345678", ["18", "45", "27", "36"]),
    ("123456789", ["1", "89", "5", "4", "3", "6", "7", "2"]),
)
def test_the_first_round(bots: str, expected: list[str]) -> None:
    first = bracket(bots, 1, {})[0]
    drawn = ["".join(player for player in encounter.players if player) for encounter in first]
    assert sorted(drawn) == sorted(expected)


@loop_over(("bots", "sizes"), [(2, [1]), (5, [4, 2, 1]), (16, [8, 4, 2, 1])])
def test_each_round_halves_the_field(bots: int, sizes: list[int]) -> None:
    assert [len(round_) for round_ in bracket(BOTS[:bots], 1, {})] == sizes


def test_seeds_scores_and_byes() -> None:
    scores: Scores = {}
    for _ in play_match_pairs(knockout("abcdefgh", 1, scores), scores, first_name_wins, Random(1)):
        pass
    rounds = bracket("abcdefgh", 1, scores)
    assert [{*encounter.players} for encounter in rounds[1]] == [{*"ad"}, {*"bc"}]
    assert rounds[2][0].players == ("a", "b")
    first, second = bracket("abc", 1, {})
    assert first[0] == Encounter(("a", None), (0, 0), "a", Decision.BYE)
    assert second == [Encounter(("a", None))]
    assert bracket("ab", 3, {2: (2, 0)})[0][0] == Encounter(("a", "b"), (0, 2))


@cups
def test_every_bot_but_the_champion_loses_once(cup: Cup) -> None:
    losers = [
        player
        for encounter in cup.encounters
        for player in encounter.players
        if player not in (None, encounter.winner)
    ]
    champion = cup.encounters[-1].winner
    assert sorted([*losers, champion or ""]) == sorted(cup.bots)
    contested = [encounter for encounter in cup.encounters if encounter.decided is not Decision.BYE]
    assert len(contested) == len(losers)


@cups
def test_seeds_decide_byes_and_level_encounters(cup: Cup) -> None:
    byes = cup.byes()
    assert sorted(byes, key=str) == sorted(cup.bots[: len(byes)])
    assert len(byes) == 2 * len(cup.rounds[0]) - len(cup.bots)
    for before, after in pairwise(cup.rounds):
        assert not {encounter.decided for encounter in after} & {None, Decision.BYE}
        players = [player for encounter in after for player in encounter.players]
        assert players == [encounter.winner for encounter in before]
    for encounter in cup.encounters:
        if encounter.decided in (Decision.PLAYED, Decision.SUDDEN_DEATH):
            assert encounter.winner == encounter.players[encounter.points[0] < encounter.points[1]]
        else:
            assert encounter.points[0] == encounter.points[1]


# An encounter


@loop_over(
    "pairs, firsts, expected",
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
    (3, [0, 0], ("b", Decision.PLAYED)),
    (4, [2, 1, 1], (None, None)),
)
def test_the_winner_of_an_encounter(
    pairs: int, firsts: list[int], expected: tuple[str | None, Decision | None]
) -> None:
    found = final(pairs, *firsts)
    assert (found.winner, found.decided) == expected


def test_the_better_seed_advances_from_either_side() -> None:
    scores: Scores = {1: (0, 2), 3: (0, 2)}
    for _ in play_match_pairs(knockout("abcd", 1, scores), scores, level, Random(1)):
        pass
    last = bracket("abcd", 1, scores)[1][0]
    assert last == Encounter(("d", "c"), (2, 2), "c", Decision.SEED)


@loop_over(
    "pairs, scores, numbers",
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
)
def test_pairs_of_any_scores_can_be_played(pairs: int, scores: Scores, numbers: list[int]) -> None:
    assert playable("ab", pairs, scores) == numbers


def final_numbers(pairs: int, firsts: list[float]) -> list[int]:
    """Return the pair numbers of a final, from the points of a in each of them."""
    scores: Scores = {}

    def outcome(match_pair: MatchPair) -> Points:
        first = firsts[match_pair.number - 1]
        return (first, 2 - first) if match_pair.players == ("a", "b") else (2 - first, first)

    match_pairs = play_match_pairs(knockout("ab", pairs, scores), scores, outcome, Random(pairs))
    return [match_pair.number for match_pair in match_pairs]


@given(st.integers(1, 6), st.data())
def test_a_decided_encounter_has_no_further_pairs(pairs: int, data: st.DataObject) -> None:
    points = st.sampled_from([0, 0.5, 1, 1.5, 2])
    firsts = data.draw(st.lists(points, min_size=2 * pairs, max_size=2 * pairs))
    decided = [final(pairs, *firsts[:played]).decided for played in range(2 * pairs + 1)]
    first = next(played for played, decision in enumerate(decided) if decision)
    assert final_numbers(pairs, firsts) == [*range(1, first + 1)]


# Encounters


@cups
def test_round__of_a_round_have_the_same_openings(cup: Cup) -> None:
    openings: dict[frozenset[str], list[int]] = {}
    for _, pair, opening in sorted(cup.match_pairs):
        openings.setdefault(frozenset(pair), []).append(opening)
    for round_index, round_ in enumerate(cup.rounds):
        for encounter in round_:
            found = openings.get(frozenset(filter(None, encounter.players)), [])
            assert found == [round_index * 2 * cup.pairs + pair for pair in range(len(found))]


@cups
def test_pairs_are_numbered_and_alternate_sides(cup: Cup) -> None:
    owners = {(number - 1) // (2 * cup.pairs): {*pair} for number, pair, _ in cup.match_pairs}
    assert len(owners) == len(cup.bots) - 1
    for number, pair, _ in cup.match_pairs:
        assert owners[(number - 1) // (2 * cup.pairs)] == {*pair}
    assert max(cup.match_pairs).number <= max_match_pairs(len(cup.bots), cup.pairs)
    firsts = Counter(pair for _, pair, _ in cup.match_pairs)
    for one, two in [*firsts]:
        assert abs(firsts[one, two] - firsts[two, one]) <= 1


@loop_over("pairs", [1, 2, 3])
def test_level_encounters_have_the_maximum_number_of_pairs(pairs: int) -> None:
    scores: Scores = {}
    match_pairs = [*play_match_pairs(knockout(BOTS, pairs, scores), scores, level, Random(1))]
    expected = range(1, max_match_pairs(len(BOTS), pairs) + 1)
    assert sorted(number for number, _, _ in match_pairs) == [*expected]


def test_encounters_are_played_at_once() -> None:
    for scores in product([(2, 0), (0, 2)], repeat=2):
        known: Scores = dict(zip((1, 3), scores, strict=True))
        assert playable("abcd", 1, known) == [1, 3, 5]
    assert playable("abcdefgh", 1, {}) == [1, 3, 5, 7]
    assert playable("abcdefgh", 1, {1: (2, 0), 3: (2, 0)}) == [1, 3, 5, 7, 9]


# Order of scores, and resumption


def test_pairs_pause_until_a_score_is_known() -> None:
    scores: Scores = {}
    match_pairs = knockout("ab", 1, scores)
    assert [*islice(match_pairs, 1, 3)] == [None, None]
    scores[1] = (1, 1)
    assert next(match_pairs) == MatchPair(2, ("b", "a"), 1)
    scores.clear()
    match_pairs = knockout("ab", 1, scores)
    assert next(match_pairs)
    scores[1] = (2, 0)
    assert [*match_pairs] == []


@cups
def test_the_bracket_can_be_read_during_the_tournament(cup: Cup) -> None:
    scores: Scores = {}
    running = Knockout(cup.bots, cup.pairs, scores)
    match_pairs = play_match_pairs(
        running.match_pairs(), scores, random_outcome(cup.seed), Random(cup.seed)
    )
    seen = [(match_pair, running.bracket()) for match_pair in match_pairs]
    assert sorted(match_pair for match_pair, _ in seen) == sorted(cup.match_pairs)
    assert running.bracket() == cup.rounds


# Invalid input


@loop_over(
    "bots, message", [("a", "expected at least 2 bots, got 1"), ("aba", "duplicate bot name 'a'")]
)
def test_invalid_bots(bots: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        knockout(bots, 1, {})
