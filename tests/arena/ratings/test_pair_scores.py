"""Scores of pairs: arrays against dictionaries."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import MISSING, PairScore, RatedResult, Termination
from arena.ratings.crosstable import Crosstable
from arena.ratings.pair_scores import PairScores

BOTS = "dacb"  # not sorted, as bots are met in any order

half_points = st.sampled_from([MISSING, 0, 1, 2])
keys = st.tuples(st.sampled_from(BOTS), st.sampled_from(BOTS), half_points, half_points).filter(
    lambda key: key[0] < key[1] and key[2:] != (MISSING, MISSING)
)
numbers = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 99))
changes = st.lists(st.dictionaries(keys, numbers, max_size=6), max_size=4)


def make_crosstable() -> Crosstable:
    crosstable = Crosstable()
    crosstable.add(
        [
            RatedResult(one, two, 1, Termination.NO_LEGAL_MOVE)
            for one in BOTS
            for two in BOTS
            if one < two
        ]
        + [RatedResult(bot, "other", 1, Termination.NO_LEGAL_MOVE) for bot in BOTS]
    )
    return crosstable


@given(changes)
def test_latest_is_kept(changes: list[dict[tuple[str, str, int, int], tuple[int, ...]]]) -> None:
    crosstable, scores = make_crosstable(), PairScores()
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
    crosstable, scores, expected = make_crosstable(), PairScores(), Counter[tuple[str, int]]()
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
    crosstable, scores = make_crosstable(), PairScores()
    scores.replace(crosstable, [PairScore("a", "b", 2, 0, 1, 1, 1)])
    copy = scores.copy()
    scores.replace(crosstable, [PairScore("a", "b", 2, 0, 2, 2, 2)])
    assert (copy.pairs.tolist(), scores.pairs.tolist()) == ([1], [2])
