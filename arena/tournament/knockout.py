"""Knockout brackets: the loser of an encounter is eliminated, until one bot is left.

The bracket depends only on the order of the bots and on the scores. So the order in which scores
arrive does not matter, and an interrupted tournament is resumed by computing the bracket again.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from arena.model.results import Points
from arena.tournament.encounters import Decision, Encounter
from arena.tournament.round_robin import MatchPair, Scores, check_bots

T = TypeVar("T")


def max_match_pairs(bots: int, pairs: int) -> int:
    """Return the maximum number of pairs, which is also the highest pair number."""
    return (bots - 1) * 2 * pairs


def knockout(bots: Sequence[str], pairs: int, scores: Scores) -> Iterator[MatchPair | None]:
    """Return the pairs of a knockout: see `Knockout` and `Knockout.match_pairs`."""
    return Knockout(bots, pairs, scores).match_pairs()


def bracket(bots: Sequence[str], pairs: int, scores: Scores) -> list[list[Encounter]]:
    """Return the encounters of each round, the final last: see `Knockout`."""
    return Knockout(bots, pairs, scores).bracket()


class Knockout:
    """Knockout tournament.

    The two best seeds can meet only in the final, the best four only in the semifinals, and so on.
    If the number of bots is not a power of two, the best seeds have a bye in the first round.

    An encounter is the best of `pairs` pairs and ends as soon as the lead cannot be made up. If
    it is level after them, the next pair that is not level decides (sudden death). Since perfect
    bots would stay level for ever, the better seed advances after `pairs` more pairs.
    """

    def __init__(self, bots: Sequence[str], pairs: int, scores: Scores) -> None:
        """Create a tournament.

        Args:
            bots: Names of the bots, in order of seeding.
            pairs: Number of pairs in an encounter, without sudden death.
            scores: Scores of finished pairs by number; may grow later.

        Raises:
            ValueError: If there are fewer than 2 bots, or a name occurs twice.
        """
        check_bots(bots)
        self._seeds = {bot: seed for seed, bot in enumerate(bots)}
        self._pairs = pairs
        self._scores = scores
        self._rounds = _first_bracket(bots)
        contested = [
            (round_index, index)
            for round_index, round_ in enumerate(self._rounds)
            for index, encounter in enumerate(round_)
            if not encounter.decided
        ]
        self._numbers = {
            key: range(block * 2 * pairs + 1, (block + 1) * 2 * pairs + 1)
            for block, key in enumerate(contested)
        }
        # The pairs of each encounter that are required for any outcome of the missing ones.
        self._required: dict[tuple[int, int], list[MatchPair]] = {key: [] for key in contested}

    def match_pairs(self) -> Iterator[MatchPair | None]:
        """Yield all pairs; None while the next ones depend on missing scores.

        Encounters run in parallel, each as soon as its players are known, and so do the pairs of
        an encounter that are required in any case. Each encounter has a range of numbers
        for all pairs that it may need, so the numbers have gaps. All encounters of a round have
        the same openings.
        """
        yielded = dict.fromkeys(self._required, 0)
        while True:
            is_over = self._update()
            new = [
                match_pair
                for key, required in self._required.items()
                for match_pair in required[yielded[key] :]
            ]
            yielded = {key: len(required) for key, required in self._required.items()}
            yield from new
            if is_over:
                return
            if not new:
                yield None

    def bracket(self) -> list[list[Encounter]]:
        """Return the current encounters of each round, the final last."""
        self._update()
        return [[*round_] for round_ in self._rounds]

    def _update(self) -> bool:
        """Update the bracket from the scores; return whether there is a champion."""
        for round_index, index in self._numbers:
            encounter = self._rounds[round_index][index]
            if round_index and not encounter.decided:
                above, below = self._rounds[round_index - 1][2 * index : 2 * index + 2]
                encounter = Encounter((above.winner, below.winner))
            one, two = encounter.players
            if not encounter.decided and one is not None and two is not None:
                encounter = self._score_encounter(round_index, index, (one, two))
            self._rounds[round_index][index] = encounter
        return self._rounds[-1][0].decided is not None

    def _score_encounter(self, round_index: int, index: int, players: tuple[str, str]) -> Encounter:
        """Return the current encounter, after adding the pairs that it requires."""
        numbers = self._numbers[round_index, index]
        scores = [
            score and _swap_sides(score, pair)
            for pair, score in enumerate(map(self._scores.get, numbers))
        ]
        count, lead = _required_pairs(scores)
        required = self._required[round_index, index]
        for pair in range(len(required), count):
            opening = round_index * 2 * self._pairs + pair
            required.append(MatchPair(numbers[pair], _swap_sides(players, pair), opening))
        known = [score for score in scores if score]
        points = sum(one for one, _ in known), sum(two for _, two in known)
        if None in scores[:count]:
            return Encounter(players, points)
        if not lead:
            better_seed = min(players, key=self._seeds.__getitem__)
            return Encounter(players, points, better_seed, Decision.SEED)
        decided = Decision.SUDDEN_DEATH if count > self._pairs else Decision.PLAYED
        return Encounter(players, points, players[lead < 0], decided)


def _first_bracket(bots: Sequence[str]) -> list[list[Encounter]]:
    """Return the rounds of a bracket without scores: only the first one has its players."""
    seeds = [0]
    while len(seeds) < len(bots):
        worst = 2 * len(seeds) - 1
        seeds = [seed for better in seeds for seed in (better, worst - better)]
    first = [
        Encounter((bots[better], bots[worse]))
        if worse < len(bots)
        else Encounter((bots[better], None), winner=bots[better], decided=Decision.BYE)
        for better, worse in zip(seeds[::2], seeds[1::2], strict=True)
    ]
    rounds = [first]
    while len(rounds[-1]) > 1:
        rounds.append([Encounter((None, None))] * (len(rounds[-1]) // 2))
    return rounds


def _swap_sides(values: tuple[T, T], pair: int) -> tuple[T, T]:
    """Return the values of both players, swapped in every other pair of an encounter."""
    return (values[1], values[0]) if pair % 2 else values


def _required_pairs(scores: Sequence[Points | None]) -> tuple[int, float]:
    """Return how many pairs of an encounter are certainly played, and the first bot's lead.

    The lead is in points, after the scores before the first missing one.
    """
    pairs = len(scores) // 2
    lead, required = 0.0, min(pairs // 2 + 1, len(scores))
    for played, score in enumerate(scores, 1):
        if score is None or played > required:
            break
        lead += score[0] - score[1]
        # One more pair adds at most 2 to the lead, and lowers the possible gain of the rest by 2.
        certain = int((2 * max(0, pairs - played) - abs(lead)) // 4) + 1
        required = min(played + certain, len(scores))
    return required, lead
