"""Crosstable: the results between every two bots that have met, in arrays that grow."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.model.results import FORFEITS, RatedResult

Numbers = NDArray[np.int64]

# Results of the first bot of a pair, as player 1 and as player 2, and the forfeits of both bots.
WON, LOST, DRAWN, FORFEITED = slice(0, 2), slice(2, 4), slice(4, 6), 6
WINS, LOSSES, DRAWS, FORFEITS_LOST = range(4)  # totals of each bot

_WON, _LOST, _DRAWN = range(3)  # outcome for player 1
_OUTCOMES = {1: _WON, 2: _LOST, None: _DRAWN}  # by winner
_AS_FIRST, _AS_SECOND = np.array([0, 2, 4]), np.array([3, 1, 5])  # rows by outcome
_OF_ONE, _OF_TWO = np.array([WINS, LOSSES, DRAWS]), np.array([LOSSES, WINS, DRAWS])

_CHUNK = 1000  # results that are converted at once: small parts stay in the processor's cache
_SHIFT = 32  # bits of the second bot's index in the key of a pair

T = TypeVar("T")


class Crosstable:
    """Numbers of matches by bots, sides and outcome; up to 250 bytes for each pair.

    A pair is two bots that have met, the one with the lower index first. Bots and pairs keep their
    indices.

    Attributes:
        matches: Number of matches.
    """

    def __init__(self) -> None:
        self.matches = 0
        self._index = _Numbering[str]()
        self._pairs = _Numbering[int]()  # by (first << _SHIFT) + second
        self._players = np.zeros((2, _CHUNK), np.int64)
        self._counts = np.zeros((FORFEITED + 1, _CHUNK), np.int64)
        self._totals = np.zeros((FORFEITS_LOST + 1, _CHUNK), np.int64)
        self._groups = np.arange(_CHUNK)

    @property
    def index(self) -> Mapping[str, int]:
        """The index of each bot, ascending from 0."""
        return self._index

    @property
    def players(self) -> Numbers:
        """The two bots of each pair, shape (2, pairs)."""
        return self._players[:, : len(self._pairs)]

    @property
    def counts(self) -> Numbers:
        """The results of each pair, shape (7, pairs): rows WON, LOST, DRAWN and FORFEITED."""
        return self._counts[:, : len(self._pairs)]

    @property
    def totals(self) -> Numbers:
        """The results of each bot, shape (4, bots): rows from WINS to FORFEITS_LOST."""
        return self._totals[:, : len(self._index)]

    @property
    def groups(self) -> Numbers:
        """A number for each bot, equal for bots that matches connect, directly or by others."""
        return self._groups[: len(self._index)]

    def find_pair(self, one: int, two: int) -> int | None:
        """Return the index of the pair of two bots in any order; None if they have not met."""
        return self._pairs.get((min(one, two) << _SHIFT) + max(one, two))

    def add(self, results: Collection[RatedResult], times: Collection[int] | None = None) -> None:
        """Count results.

        Args:
            results: The results.
            times: How often each of them is counted; None for once.
        """
        rest, rest_times = iter(results), iter([1] * len(results) if times is None else times)
        while chunk := [*islice(rest, _CHUNK)]:
            self._add(chunk, np.fromiter(rest_times, np.int64, len(chunk)))

    def _add(self, results: Sequence[RatedResult], times: Numbers) -> None:
        ones, twos, winners, terminations = zip(*results, strict=True)
        one, two = self._bot_indices(ones), self._bot_indices(twos)
        outcome = np.fromiter(map(_OUTCOMES.__getitem__, winners), np.int64, len(results))
        is_forfeit = np.fromiter(map(FORFEITS.__contains__, terminations), bool, len(results))
        pair = self._pair_indices(np.minimum(one, two), np.maximum(one, two))
        _count(
            self._counts, np.where(one <= two, _AS_FIRST[outcome], _AS_SECOND[outcome]), pair, times
        )
        _count(self._counts, FORFEITED, pair, times * is_forfeit)
        _count(self._totals, _OF_ONE[outcome], one, times)
        _count(self._totals, _OF_TWO[outcome], two, times)
        for loser, lost in ((one, _LOST), (two, _WON)):
            _count(self._totals, FORFEITS_LOST, loser, times * (is_forfeit & (outcome == lost)))
        self.matches += int(times.sum())

    def _bot_indices(self, bots: Sequence[str]) -> Numbers:
        indices = np.fromiter(map(self._index.__getitem__, bots), np.int64, len(bots))
        capacity = len(self._groups)
        if len(self._index) > capacity:
            self._totals = _grown(self._totals, len(self._index))
            self._groups = np.append(self._groups, np.arange(capacity, self._totals.shape[1]))
        return indices

    def _pair_indices(self, first: Numbers, second: Numbers) -> Numbers:
        before, keys = len(self._pairs), ((first << _SHIFT) + second).tolist()
        indices = np.fromiter(map(self._pairs.__getitem__, keys), np.int64, len(keys))
        if len(self._pairs) > self._players.shape[1]:
            self._players = _grown(self._players, len(self._pairs))
            self._counts = _grown(self._counts, len(self._pairs))
        is_new = indices >= before
        self._players[:, indices[is_new]] = first[is_new], second[is_new]
        self._connect(first[is_new], second[is_new])
        return indices

    def _connect(self, first: Numbers, second: Numbers) -> None:
        """Merge the groups of bots that have met."""
        groups = self._groups
        apart = groups[first] != groups[second]
        for one, two in zip(first[apart].tolist(), second[apart].tolist(), strict=True):
            if groups[one] != groups[two]:
                groups[groups == groups[two]] = groups[one]


class _Numbering(dict[T, int]):
    """Numbers from 0, given to keys in the order in which they are first looked up."""

    def __missing__(self, key: T) -> int:
        number = self[key] = len(self)
        return number


def _grown(array: Numbers, size: int) -> Numbers:
    """Return a copy with room for at least `size` columns, and for as many again as now."""
    grown = np.zeros((len(array), max(size, 2 * array.shape[1])), np.int64)
    grown[:, : array.shape[1]] = array
    return grown


def _count(counts: Numbers, row: Numbers | int, column: Numbers, times: Numbers) -> None:
    """Add to elements of a contiguous array, of which some may be the same."""
    np.add.at(counts.reshape(-1), row * counts.shape[1] + column, times)  # fast in one dimension
