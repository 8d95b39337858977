"""Tests of Swiss tournaments."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Points
from arena.tournament.round_robin import MatchPair
from arena.tournament.swiss import Swiss, max_rounds, swiss, swiss_size, swiss_standings
from arena.tournament.tie_breaks import SwissStanding
from tests.support.cases import loop_over

Scores = dict[int, Points]
Outcome = Callable[[MatchPair], Points]

BOTS = [f"bot {letter}" for letter in "sdfkjeiowqzcvbnmh"]
SEEDS = st.integers(0, 10**6)


def play_match_pairs(
    match_pairs: Iterator[MatchPair | None], scores: Scores, outcome: Outcome, random: Random
) -> Iterator[MatchPair]:
    """Play the pairs without a score, which finish in random order; yield all pairs."""
    waiting: list[MatchPair] = []
    for match_pair in match_pairs:
        assert match_pair or waiting, "deadlock: no pair is in progress"
        if match_pair:
            yield match_pair
            if match_pair.number not in scores:
                waiting.append(match_pair)
        while waiting and random.random() < 0.5:
            done = waiting.pop(random.randrange(len(waiting)))
            scores[done.number] = outcome(done)
    scores.update((done.number, outcome(done)) for done in waiting)


def random_outcome(seed: int) -> Outcome:
    """Return random scores that depend only on the pair and the seed."""
    scores = [(2, 0), (1.5, 0.5), (1, 1), (0.5, 1.5), (0, 2)]
    return lambda match_pair: Random(f"{seed}/{match_pair}").choice(scores)


def first_name_wins(match_pair: MatchPair) -> tuple[int, int]:
    """The first name in alphabetical order wins both matches."""
    return (2, 0) if match_pair.players[0] < match_pair.players[1] else (0, 2)


def level(_: MatchPair) -> tuple[int, int]:
    return 1, 1


def pairings(bots: str, rounds: int, outcome: Outcome = first_name_wins) -> list[list[str]]:
    """Return the pairs of each round, with sorted names."""
    drawn: list[list[str]] = [[] for _ in range(rounds)]
    scores: Scores = {}
    for _, pair, opening in play_match_pairs(
        swiss(bots, rounds, 1, scores), scores, outcome, Random(1)
    ):
        drawn[opening].append("".join(sorted(pair)))
    return drawn


@dataclass
class Tournament:
    """A finished Swiss tournament with random results."""

    bots: list[str]
    rounds: int
    pairs: int
    seed: int
    scores: Scores = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.match_pairs = [*self.play(self.scores, self.seed)]

    def play(self, scores: Scores, order: int) -> Iterator[MatchPair]:
        """Yield the pairs from these scores on; the others arrive in random order."""
        match_pairs = swiss(self.bots, self.rounds, self.pairs, scores)
        return play_match_pairs(match_pairs, scores, random_outcome(self.seed), Random(order))

    def table(self, rounds: int | None = None) -> list[SwissStanding]:
        """Return the standings after some or all rounds."""
        return swiss_standings(self.bots, rounds or self.rounds, self.pairs, self.scores)

    def round(self, round_index: int) -> list[tuple[str, str]]:
        """Return the players of the pairs of a round."""
        openings = range(round_index * self.pairs, (round_index + 1) * self.pairs)
        return [pair for _, pair, opening in self.match_pairs if opening in openings]

    def byes(self) -> list[str]:
        """Return the bot with the bye of each round."""
        return [
            bot
            for round_index in range(self.rounds)
            for bot in self.bots
            if bot not in chain(*self.round(round_index))
        ]


@st.composite
def tournaments(draw: st.DrawFn, long: bool = False) -> Tournament:
    """Draw a tournament of any size, optionally with the maximum number of rounds."""
    bots = draw(st.integers(2, len(BOTS)))
    rounds = max_rounds(bots) if long else draw(st.integers(1, max_rounds(bots)))
    return Tournament(BOTS[:bots], rounds, draw(st.integers(1, 3)), draw(SEEDS))


any_tournament = given(tournaments())
longest_tournament = given(tournaments(long=True))


# Pairing


def test_rounds_are_folded_and_repaired() -> None:
    first, second, third = pairings("abcdefgh", 3)
    assert first == ["ae", "bf", "cg", "dh"]
    assert second == ["ac", "bd", "eg", "fh"]
    assert third[0] == "ab"
    # In the second round the odd bot of a score group floats down to the best of the next.
    assert pairings("abcdef", 3) == [["ad", "be", "cf"], ["ab", "cd", "ef"], ["ac", "bf", "de"]]
    assert pairings("abcd", 2, level) == [["ac", "bd"], ["ad", "bc"]]
    assert pairings("abcdefgh", 4)[3] == ["ad", "bc", "eh", "fg"]


@given(st.integers(7, len(BOTS)), st.integers(1, 3), SEEDS)
def test_in_round_2_leaders_meet_bots_with_equal_points(bots: int, pairs: int, seed: int) -> None:
    tournament = Tournament(BOTS[:bots], 2, pairs, seed)
    table = tournament.table(rounds=1)
    leaders = [line.bot for line in table if line.points == table[0].points]
    met = {frozenset(pair) for pair in tournament.round(0)}
    possible = {frozenset(pair) for pair in combinations(leaders, 2)} - met
    assert not possible or possible & {frozenset(pair) for pair in tournament.round(1)}


@any_tournament
def test_pairs_of_a_swiss_tournament(tournament: Tournament) -> None:
    times = Counter(frozenset(pair) for _, pair, _ in tournament.match_pairs)
    assert set(times.values()) == {tournament.pairs}
    for round_index in range(tournament.rounds):
        played = Counter(chain(*tournament.round(round_index)))
        assert len(played) == len(tournament.bots) // 2 * 2
        assert set(played.values()) == {tournament.pairs}
    boards = len(tournament.bots) // 2
    expected = [(place + 1, place // boards) for place in range(len(tournament.match_pairs))]
    assert [(number, opening) for number, _, opening in tournament.match_pairs] == expected
    firsts = Counter(pair for _, pair, _ in tournament.match_pairs)
    for one, two in [*firsts]:
        assert abs(firsts[one, two] - firsts[two, one]) == tournament.pairs % 2


@longest_tournament
def test_the_longest_tournament_can_be_paired_with_a_bye_each(tournament: Tournament) -> None:
    met = {frozenset(pair) for _, pair, _ in tournament.match_pairs}
    assert len(met) == swiss_size(len(tournament.bots), max_rounds(len(tournament.bots)), 1)
    byes = tournament.byes()
    assert len({*byes}) == len(byes) == len(tournament.bots) % 2 * tournament.rounds


@loop_over("bots", range(2, len(BOTS) + 1))
def test_the_size_of_a_swiss(bots: int) -> None:
    tournament = Tournament(BOTS[:bots], max_rounds(bots), 2, 0)
    assert len(tournament.match_pairs) == swiss_size(bots, max_rounds(bots), 2)


def test_a_bot_that_has_met_the_lower_half_meets_the_next_higher_one() -> None:
    firsts = map(int, "121020210200111222110220112012")
    scores = {number: (first, 2 - first) for number, first in enumerate(firsts, 1)}
    found = islice(swiss("abcdefghijklm", 7, 1, scores), 30, 36)
    names = ["".join(sorted(match_pair.players)) for match_pair in found if match_pair]
    assert names == ["cf", "em", "hi", "dk", "al", "bj"]


# Repair: other pairs are split where the unpaired bots have already met


def test_repair_moves_the_bye_if_no_other_pair_can_be_split() -> None:
    firsts = map(int, "2101021121010121")
    scores = {number: (first, 2 - first) for number, first in enumerate(firsts, 1)}
    match_pairs = islice(swiss("abcdefghi", 5, 1, scores), 20)
    last = {name for found in match_pairs if found and found.opening == 4 for name in found.players}
    table = swiss_standings("abcdefghi", 4, 1, scores)
    assert [line.bot for line in table if not line.byes][-1] == "g"
    assert {*"abcdefghi"} - last == {"f"}


@loop_over(
    "bots, rounds, winners, last",
    # b and d have met: a and e are split, and c keeps the bye, although that costs more.
    ("abcde", 2, {"ac": "a"}, ["ab", "de"]),
    # a and d have met: e and f, with different points, lose no more than the equal b and c would.
    ("abcdef", 3, {"be": "b", "cf": "f", "bf": "f", "ac": "c", "de": "e"}, ["df", "bc", "ae"]),
)
def test_repair_splits_the_pair_that_costs_least(
    bots: str, rounds: int, winners: dict[str, str], last: list[str]
) -> None:
    def outcome(match_pair: MatchPair) -> Points:
        winner = winners.get("".join(sorted(match_pair.players)))
        if winner is None:
            return 1, 1
        return (2, 0) if winner == match_pair.players[0] else (0, 2)

    assert pairings(bots, rounds, outcome)[-1] == last


# Byes


@any_tournament
def test_standings_of_a_swiss_tournament(tournament: Tournament) -> None:
    assert {line.bot for line in tournament.table() if line.byes} == {*tournament.byes()}
    matches = 2 * (len(tournament.match_pairs) + tournament.pairs * len(tournament.byes()))
    assert sum(line.points for line in tournament.table()) == matches
    points = {line.bot: line.points for line in tournament.table()}
    for line in tournament.table():
        met = {name for _, pair, _ in tournament.match_pairs if line.bot in pair for name in pair}
        dummy = min(line.points, tournament.pairs * tournament.rounds) * line.byes
        assert line.buchholz == dummy + sum(points[name] for name in met - {line.bot})


def test_byes_and_scores_are_those_of_the_players() -> None:
    assert pairings("abcde", 2) == [["ac", "bd"], ["ab", "ce"]]
    assert swiss_standings("abc", 1, 3, {})[0] == SwissStanding(1, "c", 6, 3, 3, 1)
    scores: Scores = {}
    match_pairs = play_match_pairs(swiss("abcd", 2, 1, scores), scores, first_name_wins, Random(1))
    assert sum(pair[0] == "b" for _, pair, _ in match_pairs) == 1
    assert [line.points for line in swiss_standings("abcd", 2, 1, scores)] == [4, 2, 2, 0]


# Standings


def test_standings_of_unfinished_rounds_and_ties() -> None:
    assert swiss_standings("ba", 1, 1, {}) == [
        SwissStanding(1, "b", 0, 0, 0, 0),
        SwissStanding(1, "a", 0, 0, 0, 0),
    ]
    table = swiss_standings("abcd", 2, 1, {2: (1, 1)})
    assert [(line.bot, line.points) for line in table] == [("b", 1), ("d", 1), ("a", 0), ("c", 0)]
    scores = {1: (0, 2), 2: (2, 0), 3: (1, 1), 4: (0, 2)}
    assert [(line.bot, line.buchholz) for line in swiss_standings("abcd", 2, 1, scores)] == [
        ("d", 5),
        ("c", 3),
        ("b", 3),
        ("a", 5),
    ]


# Order of scores, and resumption


def test_rounds_wait_for_scores_except_the_last() -> None:
    scores = {1: (2, 0)}
    match_pairs = swiss("abcd", 2, 1, scores)
    assert [*islice(match_pairs, 2, 4)] == [None, None]
    scores[2] = (2, 0)
    assert next(match_pairs) == MatchPair(3, ("d", "a"), 1)
    match_pairs = swiss("abcdef", 2, 2, {})
    assert [bool(match_pair) for match_pair in islice(match_pairs, 9)] == [True] * 6 + [False] * 3
    assert len([*swiss("abcdef", 1, 2, {})]) == 6


@any_tournament
def test_standings_can_be_read_during_the_tournament(tournament: Tournament) -> None:
    scores: Scores = {}
    swiss = Swiss(tournament.bots, tournament.rounds, tournament.pairs, scores)
    for _ in play_match_pairs(
        swiss.match_pairs(), scores, random_outcome(tournament.seed), Random(tournament.seed)
    ):
        swiss.standings()
    assert swiss.standings() == tournament.table()


# Invalid input


@loop_over(("bots", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (100, 50)])
def test_max_rounds(bots: int, rounds: int) -> None:
    assert max_rounds(bots) == rounds


@loop_over(
    "bots, rounds, message",
    ("a", 1, "expected at least 2 bots, got 1"),
    ("aba", 1, "duplicate bot name 'a'"),
    ("abcde", 4, "expected at most 3 rounds in a Swiss of 5 bots without rematches, got 4"),
)
def test_invalid_tournaments(bots: str, rounds: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        swiss(bots, rounds, 1, {})
