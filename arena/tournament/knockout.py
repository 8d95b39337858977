"""Knockout brackets: the loser of an encounter is eliminated, until one bot is left.

The bracket depends only on the order of the bots and on the scores. So the order in which scores
arrive does not matter, and an interrupted tournament is resumed by computing the bracket again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        # How many pairs of each encounter are required for any outcome of the missing ones.
        self._required = dict.fromkeys(contested, 0)

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
            before, yielded = yielded, {**self._required}
            for key, required in yielded.items():
                yield from self._encounter_pairs(key, range(before[key], required))
            if is_over:
                return
            if before == yielded:
                yield None

    def bracket(self) -> list[list[Encounter]]:
        """Return the current encounters of each round, the final last."""
        self._update()
        return [[*round_] for round_ in self._rounds]

    def _update(self) -> bool:
        """Update the bracket from the scores; return whether there is a champion."""
        scores = self._scores_by_encounter()
        for round_index, index in self._numbers:
            encounter = self._rounds[round_index][index]
            if round_index and not encounter.decided:
                above, below = self._rounds[round_index - 1][2 * index : 2 * index + 2]
                encounter = Encounter((above.winner, below.winner))
            one, two = encounter.players
            if not encounter.decided and one is not None and two is not None:
                key = round_index, index
                encounter = self._score_encounter(key, (one, two), scores[key])
            self._rounds[round_index][index] = encounter
        return self._rounds[-1][0].decided is not None

    def _scores_by_encounter(self) -> dict[tuple[int, int], dict[int, Points]]:
        """Return the scores of each encounter by the pair, from 0, in the order of its players."""
        found: dict[tuple[int, int], dict[int, Points]] = {key: {} for key in self._numbers}
        keys = [*found]
        for number, score in self._scores.items():
            block, pair = divmod(number - 1, 2 * self._pairs)
            found[keys[block]][pair] = _swap_sides(score, pair)
        return found

    def _encounter_pairs(self, key: tuple[int, int], pairs: Iterable[int]) -> Iterator[MatchPair]:
        """Yield some pairs of an encounter, given by their indexes."""
        one, two = self._rounds[key[0]][key[1]].players
        for pair in pairs:
            assert one is not None, "an encounter without its players requires no pair"
            assert two is not None
            opening = key[0] * 2 * self._pairs + pair
            yield MatchPair(self._numbers[key][pair], _swap_sides((one, two), pair), opening)

    def _score_encounter(
        self, key: tuple[int, int], players: tuple[str, str], scores: Mapping[int, Points]
    ) -> Encounter:
        """Return the current encounter, after noting how many pairs it requires."""
        count, lead = _required_pairs(self._pairs, scores)
        self._required[key] = count  # which more scores never lower
        points = sum(one for one, _ in scores.values()), sum(two for _, two in scores.values())
        if sum(pair < count for pair in scores) < count:
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


def _required_pairs(pairs: int, scores: Mapping[int, Points]) -> tuple[int, float]:
    """Return how many pairs of an encounter are certainly played, and the first bot's lead.

    The lead is in points, after the scores before the first missing one.
    """
    lead, required, played = 0.0, min(pairs // 2 + 1, 2 * pairs), 0
    while played < required and (score := scores.get(played)):
        played += 1
        lead += score[0] - score[1]
        # One more pair adds at most 2 to the lead, and lowers the possible gain of the rest by 2.
        certain = int((2 * max(0, pairs - played) - abs(lead)) // 4) + 1
        required = min(played + certain, 2 * pairs)
    return required, lead
