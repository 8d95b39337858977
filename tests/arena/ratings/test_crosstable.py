"""Crosstable and scores of pairs: arrays, compared with dictionaries of all results."""

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import MISSING, PairScore, RatedResult, Tally, Termination
from arena.ratings import crosstable as crosstable_module
from arena.ratings.crosstable import (
    DRAWN,
    DRAWS,
    FORFEITED,
    FORFEITS_LOST,
    LOSSES,
    LOST,
    WINS,
    WON,
    Crosstable,
    PairScores,
)
from tests.support.tournaments.rated_results import random_results

BOTS = [f"bot {number}" for number in range(12)]
UNSORTED = "dacb"  # not sorted, as bots are met in any order
half_points = st.sampled_from([MISSING, 0, 1, 2])
keys = st.tuples(
    st.sampled_from(UNSORTED), st.sampled_from(UNSORTED), half_points, half_points
).filter(lambda key: key[0] < key[1] and key[2:] != (MISSING, MISSING))
numbers = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 99))
changes = st.lists(st.dictionaries(keys, numbers, max_size=6), max_size=4)


def make_crosstable(*results: RatedResult) -> Crosstable:
    crosstable = Crosstable()
    crosstable.add(results)
    return crosstable


def result(one: str, two: str, winner: int | None) -> RatedResult:
    return RatedResult(one, two, winner, Termination.NO_LEGAL_MOVE)


def expected_counts(results: list[RatedResult], bot: str, other: str) -> list[int]:
    """Return won, lost and drawn by `bot`, each as player 1 and as player 2, and forfeits."""
    counts = Counter(
        (found.one == bot, found.winner and (found.winner == 1) == (found.one == bot))
        for found in results
        if {found.one, found.two} == {bot, other}
    )
    sides = [counts[is_first, won] for won in (True, False, None) for is_first in (True, False)]
    forfeits = sum(
        found.termination.is_forfeit for found in results if {found.one, found.two} == {bot, other}
    )
    return [*sides, forfeits]


@pytest.fixture(params=[3, 1000])
def crosstable(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Crosstable:
    """Return an empty crosstable that grows soon or late."""
    monkeypatch.setattr(crosstable_module, "_CHUNK", request.param)
    monkeypatch.setattr(crosstable_module, "_PENDING_CHUNKS", 5)
    return Crosstable()


def test_pairs_have_all_results_by_side(crosstable: Crosstable) -> None:
    results = random_results(BOTS, 500)
    crosstable.add(results[:400])
    for found in results[400:]:
        crosstable.add([found])
    assert crosstable.matches == 500
    for pair, (first, second) in enumerate(crosstable.players.T.tolist()):
        bot, other = ([*crosstable.index][index] for index in (first, second))
        assert crosstable.counts[:, pair].tolist() == expected_counts(results, bot, other)
        both = crosstable.find_pairs(np.array([first, second]), np.array([second, first]))
        assert both.tolist() == [pair, pair]


def test_totals_of_bots(crosstable: Crosstable) -> None:
    results = random_results(BOTS, 300)
    crosstable.add(results)
    for bot, index in crosstable.index.items():
        own = [found for found in results if bot in found[:2]]
        won = [found for found in own if found.winner and found[found.winner - 1] == bot]
        lost = [found for found in own if found.winner and found[2 - found.winner] == bot]
        totals = crosstable.totals[:, index]
        assert (totals[WINS], totals[LOSSES]) == (len(won), len(lost))
        assert totals[DRAWS] == len(own) - len(won) - len(lost)
        assert totals[FORFEITS_LOST] == sum(found.termination.is_forfeit for found in lost)


def test_results_can_be_counted_several_times() -> None:
    tally = Tally({result("a", "b", 1): 3, result("b", "a", None): 2})
    crosstable = Crosstable()
    crosstable.add(tally.keys(), tally.values())
    assert crosstable.matches == 5
    assert crosstable.counts[WON].T.tolist() == [[3, 0]]
    assert crosstable.counts[LOST].T.tolist() == [[0, 0]]
    assert crosstable.counts[DRAWN].T.tolist() == [[0, 2]]
    assert crosstable.counts[FORFEITED].tolist() == [0]


def test_bots_that_have_not_met_are_no_pair() -> None:
    crosstable = make_crosstable(result("a", "b", 1), result("b", "c", 1))
    assert crosstable.find_pairs(np.array([0]), np.array([2])).tolist() == [-1]
    crosstable = make_crosstable()
    assert (crosstable.matches, dict(crosstable.index)) == (0, {})
    assert (crosstable.players.shape, crosstable.counts.shape) == ((2, 0), (7, 0))


def test_groups_are_the_connected_components(crosstable: Crosstable) -> None:
    graph = nx.Graph()
    for found in random_results(BOTS, 12):
        graph.add_edge(found.one, found.two)
        crosstable.add([found])
        groups, index = crosstable.groups, crosstable.index
        for one, two in combinations(graph, 2):
            are_connected = bool(groups[index[one]] == groups[index[two]])
            assert are_connected == nx.has_path(graph, one, two)


def unsorted_table() -> Crosstable:
    crosstable = Crosstable()
    crosstable.add(
        [
            RatedResult(one, two, 1, Termination.NO_LEGAL_MOVE)
            for one in UNSORTED
            for two in UNSORTED
            if one < two
        ]
        + [RatedResult(bot, "other", 1, Termination.NO_LEGAL_MOVE) for bot in UNSORTED]
    )
    return crosstable


@given(changes)
def test_latest_is_kept(changes: list[dict[tuple[str, str, int, int], tuple[int, ...]]]) -> None:
    crosstable, scores = unsorted_table(), PairScores()
    expected: dict[tuple[str, str, int, int], tuple[int, ...]] = {}
    for change in changes:
        scores.replace(crosstable, [PairScore(*key, *numbers) for key, numbers in change.items()])
        expected |= change
    names = {number: bot for bot, number in crosstable.index.items()}
    found = {}
    for bots, points, *numbers in zip(
        scores.bots,
        scores.half_points.T.tolist(),
        scores.pairs.tolist(),
        scores.clusters.tolist(),
        scores.squares.tolist(),
        strict=True,
    ):
        one, two = (names[number] for number in crosstable.players[:, bots].tolist())
        if one > two:
            one, two = two, one
            points = [MISSING if half == MISSING else 2 - half for half in reversed(points)]
        found[one, two, *points] = tuple(numbers)
    assert found == expected


@given(changes)
def test_results_of_scores(changes: list[dict[tuple[str, str, int, int], tuple[int, ...]]]) -> None:
    crosstable, scores, expected = (
        unsorted_table(),
        PairScores(),
        Counter[tuple[str, int]](),
    )
    latest = {key: numbers for change in changes for key, numbers in change.items()}
    stored = [PairScore(*key, *numbers) for key, numbers in latest.items()]
    scores.replace(crosstable, stored)
    for score in stored:
        for bot, results in zip((score.one, score.two), score.pair_results, strict=True):
            for row, number in enumerate(results):
                expected[bot, row] += number
    found = scores.results(crosstable)
    assert {
        (bot, row): found[row, number]
        for bot, number in crosstable.index.items()
        for row in range(3)
        if found[row, number]
    } == +expected


def test_a_copy_keeps_its_numbers() -> None:
    crosstable, scores = unsorted_table(), PairScores()
    scores.replace(crosstable, [PairScore("a", "b", 2, 0, 1, 1, 1)])
    copy = scores.copy()
    scores.replace(crosstable, [PairScore("a", "b", 2, 0, 2, 2, 2)])
    assert (copy.pairs.tolist(), scores.pairs.tolist()) == ([1], [2])
