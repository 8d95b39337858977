"""The schedule of a tournament: pairings that are still to be played, as results come in."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.model.results import Pairing, Points, match_points
from arena.ratings.sprt import SequentialTest, Sprt
from arena.tournament.openings import Opening
from arena.tournament.plan import Plan
from arena.tournament.round_robin import MatchPair
from core import GAMES

MAX_ATTEMPTS = 4  # of a pairing that is aborted, which is the fault of the arena alone

FinishedMatch = tuple[int, tuple[str, str], int | None]
"""Number, players, and winner of a finished match (1 or 2, or None for a draw)."""


class Part(NamedTuple):
    """One of several parts of a schedule: every pair whose number has its remainder.

    Attributes:
        number: The part, from 1.
        total: The number of parts.
    """

    number: int
    total: int

    def has_pair(self, pair: int) -> bool:
        """Return whether the pair with this number, from 1, belongs to the part."""
        return (pair - self.number) % self.total == 0


WHOLE = Part(1, 1)


class Schedule:
    """Pairings of a plan that are still to be played.

    Match numbers start at 1: pair k consists of the matches 2k - 1 and 2k, with the sides
    swapped. An interrupted tournament continues from the results of its finished matches, in any
    order.

    Attributes:
        plan: The plan of the tournament.
        part: The part of the plan that is played.
        scores: Scores of finished pairs by number, as `Plan.match_pairs` needs them.
        test: The sequential test, fed with all finished pairs, or None.
    """

    def __init__(
        self,
        plan: Plan,
        finished: Iterable[FinishedMatch],
        part: Part = WHOLE,
        tags: Mapping[str, str] | None = None,
        numbers: Iterable[int] = (),
    ) -> None:
        """Create the schedule of a plan.

        Args:
            plan: The plan of the tournament.
            finished: The matches finished so far, also those of other parts.
            part: The part to play; several are possible where no pair depends on results.
            tags: Tags of all matches, such as Event; with any, matches have the tag Round too.
            numbers: Numbers of finished matches, if the plan needs no results.

        Raises:
            UnknownGame: The game of the plan is not installed.
        """
        GAMES[plan.game]  # raises an error for a game that is not installed
        self.plan = plan
        self.part = part
        self._tags = dict(tags or {})
        self._finished_in_part = 0
        self.scores: dict[int, Points] = {}
        self.test = SequentialTest(Sprt.parse(plan.sprt.split())) if plan.sprt else None
        self._finished = NumberSet()
        self._half_finished: dict[int, Points] = {}  # scores after one match of the pair
        self._upcoming: list[tuple[int, MatchPair]] = []
        self._peeked: Pairing | None = None
        self._cached_opening: tuple[int, Opening] | None = None
        for number, players, winner in finished:
            self.add_result(number, players, winner)
        for number in numbers:
            self._add_number(number)
        first = 1 if plan.needs_results else self._finished.contiguous // 2 + 1
        self._match_pairs = plan.match_pairs(self.scores, first)

    @property
    def finished_count(self) -> int:
        """Number of finished matches of the part."""
        return self._finished_in_part

    @property
    def matches(self) -> int:
        """Number of matches of the part; an upper bound if the tournament may end early."""
        return 2 * len(range(self.part.number, self.plan.matches // 2 + 1, self.part.total))

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has ended the tournament."""
        return self.test is not None and self.test.accepted is not None

    @property
    def is_over(self) -> bool:
        """Whether no pairing is left, provided that no match is in progress."""
        self._peeked = self.next_pairing()
        return self._peeked is None

    @property
    def lacks_openings(self) -> bool:
        """Whether a finished sequential test is undecided because its openings were used up."""
        is_undecided = self.plan.distinct_only and not self.is_decided
        return is_undecided and self.finished_count < self.plan.matches

    def next_pairing(self) -> Pairing | None:
        """Return the next pairing, or None until there are further results."""
        if self.is_decided:
            return None
        pairing, self._peeked = self._peeked or self._find_pairing(), None
        return pairing

    def _find_pairing(self) -> Pairing | None:
        while True:
            if not self._upcoming:
                match_pair = next(self._match_pairs, None)
                if match_pair is None:
                    return None
                if not self.part.has_pair(match_pair.number):
                    continue
                self._upcoming = [(2 * match_pair.number - leg, match_pair) for leg in (0, 1)]
            number, match_pair = self._upcoming.pop()
            if number not in self._finished:
                return self._pairing(number, match_pair)

    def _pairing(self, number: int, match_pair: MatchPair) -> Pairing:
        one, two = match_pair.players
        players = (one, two) if number % 2 else (two, one)
        place = {"Round": str(self.plan.round_of(match_pair))} if self._tags else {}
        opening_number = self.plan.opening_of(match_pair)
        if not self._cached_opening or self._cached_opening[0] != opening_number:
            # Most pairs repeat the last one.
            self._cached_opening = opening_number, self.plan.opening(opening_number)
        opening = self._cached_opening[1]
        return Pairing(
            number,
            players,
            self.plan.game,
            opening.setup,
            opening.moves,
            tags=self._tags | place,
            time=self.plan.times(players),
        )

    def add_result(self, number: int, players: tuple[str, str], winner: int | None) -> None:
        """Add the result of a match.

        Args:
            number: Number of the match.
            players: Names of player 1 and player 2.
            winner: The player who has won, 1 or 2; None for a draw.
        """
        pair = self._add_number(number)
        if not self.plan.needs_results:
            return
        points = match_points(winner)
        if number % 2 == 0:  # the sides are swapped in the pair's second match
            points = points[::-1]
        if pair not in self._half_finished:
            self._half_finished[pair] = points
            return
        other = self._half_finished.pop(pair)
        score = points[0] + other[0], points[1] + other[1]
        if self.plan.format in {"swiss", "knockout"}:
            self.scores[pair] = score
        if self.test:
            first_player = players[0] if number % 2 else players[1]
            tested = next(iter(self.plan.bots))
            self.test.add(pair, score[0] if first_player == tested else score[1])

    def _add_number(self, number: int) -> int:
        """Count a match as finished; return the number of its pair."""
        pair = (number + 1) // 2
        self._finished.add(number)
        self._finished_in_part += self.part.has_pair(pair)
        return pair


class NumberSet:
    """Set of numbers from 1; the contiguous start takes no memory.

    Attributes:
        contiguous: The last number of the contiguous start, 0 if 1 is missing.
    """

    def __init__(self) -> None:
        self.contiguous = 0
        self._others: set[int] = set()

    def __contains__(self, number: int) -> bool:
        return number <= self.contiguous or number in self._others

    def add(self, number: int) -> None:
        """Add a number that is not in the set."""
        assert number not in self, f"match {number} has already finished"
        if number == self.contiguous + 1 and not self._others:
            self.contiguous = number
            return
        self._others.add(number)
        while self.contiguous + 1 in self._others:
            self.contiguous += 1
            self._others.remove(self.contiguous)
