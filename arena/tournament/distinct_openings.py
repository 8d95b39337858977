"""Openings drawn without replacement: each leads to another position, until all were drawn.

The positions of a small game are enumerated and shuffled. A large game has too many: its openings
are random moves, but none leads to a position drawn before. Both happen on demand, so that
a plan of any length starts at once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from arena.tournament.openings import Opening
from core import GAMES
from core.game import Position

MAX_LISTED = 200_000  # positions that are enumerated, of all setups together
LEAST_LISTED = 100  # positions of a setup that are enumerated in any case
MAX_MISSES = 2_000  # draws in a row without a new position, after which all count as drawn

Moves = tuple[int, ...]
SetupKey = tuple[tuple[str, int], ...]


class DistinctOpenings:
    """Openings of several setups, used in turn. They repeat once all of a setup were drawn."""

    def __init__(
        self, game: str, setups: Sequence[Mapping[str, int]], plies: int, seed: int
    ) -> None:
        """Draw nothing yet.

        Args:
            game: Name of the game.
            setups: Setups of the game.
            plies: Number of moves; as many as a game can have before its end if these are fewer.
            seed: Seed of the draws.
        """
        self._game = game
        self._setups = setups
        self._plies = plies
        self._seed = seed
        self._times: Counter[SetupKey] = Counter()  # that a setup occurs
        self._places: list[tuple[SetupKey, int]] = []  # of each setup, among its equals
        for setup in setups:
            key = _setup_key(setup)
            self._places.append((key, self._times[key]))
            self._times[key] += 1
        self._draws: dict[SetupKey, _Draws] = {}

    def opening(self, number: int) -> Opening:
        """Return the opening with this number, from 0."""
        key, index = self._find(number)
        return Opening(self._setups[number % len(self._setups)], self._draws[key].moves(index))

    def count(self, number: int) -> int:
        """Return how many of the first `number` openings are different."""
        found = {}
        for last in range(max(0, number - len(self._setups)), number):  # of each setup
            key, index = self._find(last)
            found[key] = self._draws[key].count(index + 1)
        return sum(found.values())

    def count_before_repeat(self, number: int) -> int:
        """Return how many of the first `number` openings come before the first repeated one."""
        for place in range(number):
            key, index = self._find(place)
            if self._draws[key].count(index + 1) == index:
                return place
        return number

    def _find(self, number: int) -> tuple[SetupKey, int]:
        """Return the setup of an opening, and its index among those of the setup."""
        turn, place = divmod(number, len(self._setups))
        key, among_equals = self._places[place]
        if key not in self._draws:
            self._draws[key] = _Draws(self._drawn(key))
        return key, turn * self._times[key] + among_equals

    def _drawn(self, key: SetupKey) -> Iterator[Moves]:
        """Yield all openings of a setup, each once."""
        start = GAMES[self._game].position(**dict(key))
        # Without defaults: a plan from before a parameter keeps its openings.
        defaults = GAMES[self._game].completed({}).items()
        setup = {name: value for name, value in key if (name, value) not in defaults}
        random = Random(f"{self._seed}/{self._plies}/{setup}")
        limit = max(LEAST_LISTED, MAX_LISTED // len(self._times))
        listed = enumerate_openings(start, self._plies, limit)
        if listed is None:
            yield from _draw(start, self._plies, random)
        else:
            random.shuffle(listed)
            yield from listed


class _Draws:
    """Openings of one setup that were drawn so far, and the source of more."""

    def __init__(self, source: Iterator[Moves]) -> None:
        self._source = source
        self._drawn: list[Moves] = []

    def count(self, number: int) -> int:
        """Draw up to `number` openings, and return how many there are."""
        self._drawn += islice(self._source, max(0, number - len(self._drawn)))
        return min(number, len(self._drawn))

    def moves(self, index: int) -> Moves:
        """Return the moves of the opening with this index, after the last again of the first."""
        self.count(index + 1)
        return self._drawn[index % len(self._drawn)]


def enumerate_openings(start: Position, plies: int, limit: int) -> list[Moves] | None:
    """Return the moves to each position after some plies in which the game is not over.

    Args:
        start: The position before the moves, which is unchanged afterwards.
        plies: Number of moves; as many as a game can have before its end if these are fewer.
        limit: Maximum number of positions.

    Returns:
        The moves to each position, once; None if there are more than `limit` positions after these
        or fewer plies.
    """
    layer: list[Moves] = [()]
    for _ in range(plies):
        following: dict[int, Moves] = {}  # by hash: equal positions have the same one
        for moves in layer:
            for move in moves:
                start.play(move)
            for move in start.legal_moves():
                start.play(move)
                if not start.is_over:
                    following.setdefault(hash(start), (*moves, move))
                start.undo()
            for _ in moves:
                start.undo()
            if len(following) > limit:
                return None
        if not following:
            break
        layer = [*following.values()]
    return layer


def _draw(start: Position, plies: int, random: Random) -> Iterator[Moves]:
    """Yield random moves that lead to different positions where the game is not over.

    It ends after `MAX_MISSES` games without a new position. If none of so many games has enough
    plies, the longest has the length of an opening.
    """
    seen: set[int] = set()
    longest = misses = 0
    while misses < MAX_MISSES:
        misses += 1
        length = _play_randomly(start, plies, random)
        if length == plies and hash(start) not in seen:
            seen.add(hash(start))
            misses = 0
            yield tuple(start.moves)
        for _ in range(length):
            start.undo()
        longest = max(longest, length)
        if misses == MAX_MISSES and not seen:
            plies, misses = longest, 0


def _play_randomly(position: Position, plies: int, random: Random) -> int:
    """Play random moves before the end of the game; return their number, at most `plies`."""
    for ply in range(plies):
        moves = position.legal_moves()
        position.play(moves[int(random.random() * len(moves))])
        if position.is_over:
            position.undo()
            return ply
    return plies


def count_distinct(game: str, openings: Iterable[Opening]) -> int:
    """Return the number of different positions that openings lead to."""
    return len({opening_key(game, opening) for opening in openings})


def opening_key(game: str, opening: Opening) -> tuple[SetupKey, int]:
    """Return a key that openings share if they lead to the same position."""
    setup, moves = opening
    position = hash(GAMES[game].position(**setup, moves=moves)) if moves else 0
    return _setup_key(setup), position


def _setup_key(setup: Mapping[str, int]) -> SetupKey:
    return tuple(sorted(setup.items()))
