"""Results between every two bots that have met, match by match and pair by pair, in arrays.

Intervals are based on pairs of matches as the independent observations. The two matches of a pair
have the same opening, so that they are not independent; pairs are, unless they are copies: programs
without randomness repeat their games on an opening that comes again. All pairs of the same two
games are therefore one *cluster*. A match without a partner counts as a pair with one match.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arena.model.results import FORFEITS, MISSING, PairScore

Numbers = NDArray[np.int64]

Result = tuple[str, str, int | None, str]
"""The fields of a RatedResult."""

# Results of the first bot of a pair, as player 1 and as player 2, and the forfeits of both bots.
WON, LOST, DRAWN, FORFEITED = slice(0, 2), slice(2, 4), slice(4, 6), 6
WINS, LOSSES, DRAWS, FORFEITS_LOST = range(4)  # totals of each bot

_WON, _LOST, _DRAWN = range(3)  # outcome for player 1
_OUTCOMES = {1: _WON, 2: _LOST, None: _DRAWN}  # by winner
_AS_FIRST, _AS_SECOND = np.array([0, 2, 4]), np.array([3, 1, 5])  # rows by outcome
_OF_ONE, _OF_TWO = np.array([WINS, LOSSES, DRAWS]), np.array([LOSSES, WINS, DRAWS])

_SCORES = 4  # MISSING, 0, 1 or 2 half points

_CHUNK = 1000  # results that are converted at once: small parts stay in the processor's cache
_PENDING_CHUNKS = 1000
_SHIFT, _SECOND = 32, 2**32 - 1  # bits of the second bot's index in the key of a pair, and its mask


class Crosstable:
    """Numbers of matches by bots, sides and outcome; up to 150 bytes for each pair.

    A pair is two bots that have met, the one with the lower index first. Bots and pairs keep their
    indices.

    Attributes:
        matches: Number of matches.
    """

    def __init__(self) -> None:
        self.matches = 0
        self._index = _Numbering()
        # The keys of the pairs, (first << _SHIFT) + second, ascending, and the index of each.
        self._keys, self._key_pairs = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._players = np.zeros((2, _CHUNK), np.int64)
        self._counts = np.zeros((FORFEITED + 1, _CHUNK), np.int64)
        self._totals = np.zeros((FORFEITS_LOST + 1, _CHUNK), np.int64)
        self._groups = np.arange(_CHUNK)
        self._pending: list[tuple[Numbers, Numbers, Numbers, Numbers, Numbers]] = []

    @property
    def index(self) -> Mapping[str, int]:
        """The index of each bot, ascending from 0."""
        return self._index

    @property
    def players(self) -> Numbers:
        """The two bots of each pair, shape (2, pairs)."""
        self._count_pending()
        return self._players[:, : len(self._keys)]

    @property
    def counts(self) -> Numbers:
        """The results of each pair, shape (7, pairs): rows WON, LOST, DRAWN and FORFEITED."""
        self._count_pending()
        return self._counts[:, : len(self._keys)]

    @property
    def totals(self) -> Numbers:
        """The results of each bot, shape (4, bots): rows from WINS to FORFEITS_LOST."""
        self._count_pending()
        return self._totals[:, : len(self._index)]

    @property
    def groups(self) -> Numbers:
        """A number for each bot, equal for bots that matches connect, directly or by others."""
        self._count_pending()
        return self._groups[: len(self._index)]

    def find_pairs(self, one: Numbers, two: Numbers) -> Numbers:
        """Return the index of the pair of each two bots in any order; -1 if they have not met."""
        self._count_pending()
        return self._find((np.minimum(one, two) << _SHIFT) + np.maximum(one, two))

    def add(self, results: Collection[Result], times: Collection[int] | None = None) -> None:
        """Count results.

        Args:
            results: The results.
            times: How often each of them is counted; None for once.
        """
        rest, rest_times = iter(results), iter([1] * len(results) if times is None else times)
        while chunk := [*islice(rest, _CHUNK)]:
            ones, twos, winners, terminations = zip(*chunk, strict=True)
            size, counted = len(chunk), np.fromiter(rest_times, np.int64, len(chunk))
            outcome = np.fromiter(map(_OUTCOMES.__getitem__, winners), np.int64, size)
            is_forfeit = np.fromiter(map(FORFEITS.__contains__, terminations), np.int64, size)
            one, two = self._bot_indices(ones), self._bot_indices(twos)
            self._pending.append((one, two, outcome, is_forfeit, counted))
            self.matches += int(counted.sum())
            if len(self._pending) == _PENDING_CHUNKS:
                self._count_pending()

    def _count_pending(self) -> None:
        """Count the added results: a million together, as they share most of the work."""
        if not self._pending:
            return
        one, two, outcome, is_forfeit, times = map(np.concatenate, zip(*self._pending, strict=True))
        self._pending.clear()
        pair = self._pair_indices(np.minimum(one, two), np.maximum(one, two))
        row = np.where(one <= two, _AS_FIRST[outcome], _AS_SECOND[outcome])
        _count(self._counts, row, pair, times)
        _count(self._counts, FORFEITED, pair, times * is_forfeit)
        _count(self._totals, _OF_ONE[outcome], one, times)
        _count(self._totals, _OF_TWO[outcome], two, times)
        for loser, lost in ((one, _LOST), (two, _WON)):
            _count(self._totals, FORFEITS_LOST, loser, times * is_forfeit * (outcome == lost))

    def _bot_indices(self, bots: Sequence[str]) -> Numbers:
        indices = np.fromiter(map(self._index.__getitem__, bots), np.int64, len(bots))
        capacity = len(self._groups)
        if len(self._index) > capacity:
            self._totals = _grown(self._totals, len(self._index))
            self._groups = np.append(self._groups, np.arange(capacity, self._totals.shape[1]))
        return indices

    def _find(self, keys: Numbers) -> Numbers:
        """Return the index of the pair of each key, or -1."""
        if not len(self._keys):
            return np.full(len(keys), -1)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[places] == keys, self._key_pairs[places], -1)

    def _pair_indices(self, first: Numbers, second: Numbers) -> Numbers:
        keys, places = np.unique((first << _SHIFT) + second, return_inverse=True)
        indices = self._find(keys)
        is_new = indices < 0
        self._add_pairs(keys[is_new])
        indices[is_new] = np.arange(len(self._keys) - is_new.sum(), len(self._keys))
        return indices[places]

    def _add_pairs(self, keys: Numbers) -> None:
        """Give the next indices to pairs by their keys, which are ascending."""
        before = len(self._keys)
        begin_at = np.searchsorted(self._keys, keys)
        self._keys = np.insert(self._keys, begin_at, keys)
        pairs = np.arange(before, len(self._keys))
        self._key_pairs = np.insert(self._key_pairs, begin_at, pairs)
        if len(self._keys) > self._players.shape[1]:
            self._players = _grown(self._players, len(self._keys))
            self._counts = _grown(self._counts, len(self._keys))
        self._players[:, before : len(self._keys)] = keys >> _SHIFT, keys & _SECOND
        self._connect(before)

    def _connect(self, begin: int) -> None:
        """Merge the groups of the bots of the pairs from an index on."""
        groups = self._groups
        for part in range(begin, len(self._keys), _CHUNK):
            first, second = self._players[:, part : min(part + _CHUNK, len(self._keys))]
            apart = groups[first] != groups[second]
            for one, two in zip(first[apart].tolist(), second[apart].tolist(), strict=True):
                if groups[one] != groups[two]:
                    groups[groups == groups[two]] = groups[one]


class _Numbering(dict[str, int]):
    """Numbers from 0, given to bots in the order in which they are first looked up."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


def _grown(array: Numbers, size: int) -> Numbers:
    """Return a copy with room for at least `size` columns, and for as many again as now."""
    grown = np.zeros((len(array), max(size, 2 * array.shape[1])), np.int64)
    grown[:, : array.shape[1]] = array
    return grown


def _count(counts: Numbers, row: Numbers | int, column: Numbers, times: Numbers) -> None:
    """Add to elements of a contiguous array, some of them several times."""
    np.add.at(counts.reshape(-1), row * counts.shape[1] + column, times)  # fast in one dimension


class PairScores:
    """Numbers of pairs by bots and score, in arrays; a new number replaces the former one.

    An element stands for two bots and a score. The first bot is the one with the lower index in a
    crosstable.
    """

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.int64)  # ascending
        self._numbers: Numbers = np.zeros((3, 0), np.int64)

    def copy(self) -> Self:
        """Return a copy, which later changes leave as it is."""
        return copy(self)  # its arrays are replaced, never changed

    def replace(self, crosstable: Crosstable, scores: Sequence[PairScore]) -> None:
        """Replace numbers of pairs.

        Args:
            crosstable: A crosstable with at least one match between the two bots of each score.
            scores: The new numbers, of different bots or scores.
        """
        if not scores:
            return
        ones, twos, *numbers = zip(*scores, strict=True)
        index = crosstable.index
        one = np.fromiter(map(index.__getitem__, ones), np.int64, len(scores))
        two = np.fromiter(map(index.__getitem__, twos), np.int64, len(scores))
        first, second = np.array(numbers[0], np.int64), np.array(numbers[1], np.int64)
        is_mirrored = one > two
        first, second = (
            np.where(is_mirrored, _opposite(second), first),
            np.where(is_mirrored, _opposite(first), second),
        )
        bots = crosstable.find_pairs(np.minimum(one, two), np.maximum(one, two))
        keys = (bots * _SCORES + first - MISSING) * _SCORES + second - MISSING
        kept = ~np.isin(self._keys, keys)
        all_keys = np.concatenate([self._keys[kept], keys])
        all_numbers = np.hstack([self._numbers[:, kept], np.array(numbers[2:], np.int64)])
        order = np.argsort(all_keys, kind="stable")
        self._keys, self._numbers = all_keys[order], all_numbers[:, order]

    @property
    def bots(self) -> Numbers:
        """The index of the two bots of each element."""
        return self._keys // _SCORES**2

    @property
    def half_points(self) -> Numbers:
        """Half points of the first bot as player 1 and as player 2, or MISSING."""
        scores = self._keys % _SCORES**2
        return np.stack([scores // _SCORES, scores % _SCORES]) + MISSING

    @property
    def pairs(self) -> Numbers:
        """The number of pairs of each element."""
        pairs: Numbers = self._numbers[0]
        return pairs

    @property
    def clusters(self) -> Numbers:
        """The number of clusters of each element."""
        clusters: Numbers = self._numbers[1]
        return clusters

    @property
    def squares(self) -> Numbers:
        """The sum over clusters of the square of their number of pairs."""
        squares: Numbers = self._numbers[2]
        return squares

    def results(self, crosstable: Crosstable) -> Numbers:
        """Return the numbers of pairs that each bot has won, tied and lost, shape (3, bots)."""
        players, half_points = crosstable.players[:, self.bots], self.half_points
        is_pair = (half_points != MISSING).all(0)
        outcome = 1 - np.sign(half_points.sum(0) - 2)  # 0: won, 1: tied, 2: lost
        results = np.zeros((3, len(crosstable.index)), np.int64)
        for bot, row in ((players[0], outcome), (players[1], 2 - outcome)):
            np.add.at(results, (row[is_pair], bot[is_pair]), self.pairs[is_pair])
        return results


def _opposite(half_points: Numbers) -> Numbers:
    """Return the half points of the opponent."""
    return np.where(half_points == MISSING, MISSING, 2 - half_points)
