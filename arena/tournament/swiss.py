"""Swiss pairings: in each round, bots with similar points meet, without rematches.

A round is paired once all scores of the previous round are known, and depends only on the order of
the bots and on these scores. So the order in which scores arrive does not matter, and an
interrupted tournament is resumed by pairing it again.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from arena.tournament.encounters import Decision, Encounter
from arena.tournament.round_robin import MatchPair, Scores, check_bots
from arena.tournament.tie_breaks import Encounters, SwissStanding, rank

Bot = str | None  # None is the opponent of a bye
Opponents = tuple[Bot, Bot]
MayMeet = Callable[[Bot, Bot], bool]


def max_rounds(bots: int) -> int:
    """Return the number of rounds that can be paired without a rematch, for any results."""
    return (bots + 1) // 2


def swiss_size(bots: int, rounds: int, pairs: int) -> int:
    """Return the number of pairs of a Swiss tournament."""
    return rounds * pairs * (bots // 2)


def swiss(
    bots: Sequence[str], rounds: int, pairs: int, scores: Scores
) -> Iterator[MatchPair | None]:
    """Return the pairs of a Swiss tournament: see `Swiss` and `Swiss.match_pairs`."""
    return Swiss(bots, rounds, pairs, scores).match_pairs()


def swiss_standings(
    bots: Sequence[str], rounds: int, pairs: int, scores: Scores
) -> list[SwissStanding]:
    """Return the standings of a Swiss tournament, the best bot first: see `Swiss`."""
    return Swiss(bots, rounds, pairs, scores).standings()


class Swiss:
    """Swiss tournament, with the same openings for all bots of a round.

    With an odd number of bots, one has a bye in each round, worth as many points as a round has
    matches: the lowest-ranked bot without a bye so far, or rarely another one to avoid a rematch.
    """

    def __init__(self, bots: Sequence[str], rounds: int, pairs: int, scores: Scores) -> None:
        """Create a tournament.

        Args:
            bots: Names of the bots, in order of seeding.
            rounds: Number of rounds.
            pairs: Number of pairs between two bots that meet.
            scores: Scores of finished pairs by number; may grow later.

        Raises:
            ValueError: If there are fewer than 2 bots, a name occurs twice, or there are more
                rounds than `max_rounds`.
        """
        check_bots(bots)
        if rounds > max_rounds(len(bots)):
            raise ValueError(
                f"expected at most {max_rounds(len(bots))} rounds in a Swiss of {len(bots)} bots"
                f" without rematches, got {rounds}"
            )
        self._bots = tuple(bots)
        self._round_count = rounds
        self._pairs = pairs
        self._scores = scores
        self._rounds: list[list[Opponents]] = []  # the rounds paired so far, the leaders first
        self._met: set[frozenset[Bot]] = set()

    def match_pairs(self) -> Iterator[MatchPair | None]:
        """Yield all pairs, numbered without gaps; None while the next needs more scores."""
        for index in range(self._round_count):
            while not self._pair_rounds(index):
                yield None
            yield from self._round_pairs(index)

    def standings(self) -> list[SwissStanding]:
        """Return the current standings, the best bot first; see `tie_breaks.rank`.

        An opponent counts as met once the pair has a score; a bye counts as soon as its round is
        paired.
        """
        self._pair_rounds(self._round_count - 1)
        return rank(self._encounters(), 2 * self._pairs, len(self._rounds))

    def encounters(self) -> list[list[Encounter]]:
        """Return the encounters of each round paired so far, the leaders first."""
        self._pair_rounds(self._round_count - 1)
        return [self._round_encounters(index) for index in range(len(self._rounds))]

    def _round_encounters(self, index: int) -> list[Encounter]:
        points: dict[Bot, float] = dict.fromkeys(self._bots, 0.0)
        undecided: set[Bot] = set()
        for number, players, _ in self._round_pairs(index):
            score = self._scores.get(number)
            for bot, gained in zip(players, score or (0.0, 0.0), strict=True):
                points[bot] += gained
            if not score:
                undecided.update(players)
        encounters = []
        for one, two in self._rounds[index]:
            if two is None:
                bye = 2.0 * self._pairs, 0.0
                encounters.append(Encounter((one, None), bye, one, Decision.BYE))
            elif one in undecided:
                encounters.append(Encounter((one, two), (points[one], points[two])))
            else:
                lead = points[one] - points[two]
                winner = (one if lead > 0 else two) if lead else None
                reached = points[one], points[two]
                encounters.append(Encounter((one, two), reached, winner, Decision.PLAYED))
        return encounters

    def _pair_rounds(self, last: int) -> bool:
        """Pair the rounds up to `last` as far as scores allow; return whether `last` is paired."""
        while len(self._rounds) <= last and self._is_finished(len(self._rounds) - 1):
            self._rounds.append(self._pair_next_round())
            self._met.update(map(frozenset, self._rounds[-1]))
        return len(self._rounds) > last

    def _is_finished(self, index: int) -> bool:
        """Return whether all scores of a round are known; true for index -1."""
        size = self._pairs * (len(self._bots) // 2)
        numbers = range(max(0, index) * size + 1, (index + 1) * size + 1)
        return all(number in self._scores for number in numbers)

    def _round_pairs(self, index: int) -> Iterator[MatchPair]:
        """Yield the match pairs of a round; sides alternate."""
        boards = [
            (one, two) for one, two in self._rounds[index] if one is not None and two is not None
        ]
        for opening in range(index * self._pairs, (index + 1) * self._pairs):
            for board, (one, two) in enumerate(boards):
                players = (two, one) if (opening + board) % 2 else (one, two)
                yield MatchPair(opening * len(boards) + board + 1, players, opening)

    def _encounters(self) -> dict[str, Encounters]:
        """Return the points of each bot against each opponent, in the order of seeding."""
        found: dict[str, Encounters] = {bot: {} for bot in self._bots}
        for index in range(len(self._rounds)):
            for number, (one, two), _ in self._round_pairs(index):
                if score := self._scores.get(number):
                    found[one][two] = found[one].get(two, 0.0) + score[0]
                    found[two][one] = found[two].get(one, 0.0) + score[1]
        for bot in self._bots:
            if frozenset({bot, None}) in self._met:
                found[bot][None] = 2.0 * self._pairs
        return found

    def _points(self) -> dict[Bot, float]:
        """Return the points of each bot, the first to be paired first.

        Equal points are ordered by the points that the opponents have scored without byes. It is
        not the order of the standings, and must not change: an interrupted tournament is paired
        again.
        """
        encounters = self._encounters()
        points = {bot: sum(encounters[bot].values()) for bot in self._bots}
        scored = {bot: points[bot] - encounters[bot].get(None, 0.0) for bot in self._bots}
        strength = {
            bot: sum(scored[opponent] for opponent in encounters[bot] if opponent is not None)
            for bot in self._bots
        }
        order = sorted(self._bots, key=lambda bot: (-points[bot], -strength[bot]))
        return {bot: points[bot] for bot in order}

    def _pair_next_round(self) -> list[Opponents]:
        points = self._points()
        unpaired = [*points]
        paired: list[Opponents] = []
        if len(unpaired) % 2:
            bye = next(bot for bot in reversed(unpaired) if self._may_meet(bot, None))
            unpaired.remove(bye)
            paired.append((bye, None))
        floaters: list[Bot] = []
        for _, group in groupby(unpaired, points.__getitem__):
            folded, floaters = _pair_score_group(floaters, [*group], self._may_meet)
            paired += folded
        paired = _repair(paired, floaters, {**points, None: 0}, self._may_meet)
        ranking: list[Bot] = [*points, None]
        ranks = sorted(sorted(map(ranking.index, opponents)) for opponents in paired)
        return [(ranking[one], ranking[two]) for one, two in ranks]

    def _may_meet(self, one: Bot, two: Bot) -> bool:
        return frozenset({one, two}) not in self._met


def _pair_score_group(
    floaters: Sequence[Bot], group: list[Bot], may_meet: MayMeet
) -> tuple[list[Opponents], list[Bot]]:
    """Return the opponents in a score group, by rank, and the floaters to the next group.

    Floaters from the previous group meet the best of this one. The others are folded: the upper
    half meets the lower half, in order. To avoid a rematch, a bot meets the next lower one, or
    else the next higher one.
    """
    paired: list[Opponents] = []
    unpaired: list[Bot] = []

    def pair(one: Bot, opponents: Sequence[Bot]) -> None:
        two = next((two for two in opponents if may_meet(one, two)), None)
        if two is None:
            unpaired.append(one)
        else:
            group.remove(two)
            paired.append((one, two))

    for one in floaters:
        pair(one, group)
    while group:
        one = group.pop(0)
        half = (len(group) - 1) // 2
        pair(one, [*group[half:], *reversed(group[:half])])
    return paired, unpaired


def _repair(
    paired: list[Opponents], unpaired: Sequence[Bot], points: dict[Bot, float], may_meet: MayMeet
) -> list[Opponents]:
    """Return all opponents after swaps that pair the unpaired bots, which have all met each other.

    Each swap splits the two opponents for which the point differences grow least, and splits the
    bye only if no others can be split.

    A swap always exists. Count the bye as a bot, so that there are N. Before the last of at most
    N/2 rounds, each bot has met at most N/2 - 1 others and may meet at least N/2: by Dirac's
    theorem ("Some theorems on abstract graphs", 1952) the graph of bots that may meet has a
    Hamiltonian cycle, and every other edge of it makes two opponents. To find a swap, take two
    unpaired bots: they have met all other unpaired ones, so each may meet at least N/2 of the at
    most N - 2 paired bots. These are at least N possible edges to at most N/2 - 1 couples of
    opponents, so some couple has more than two of four: then one of the two unpaired bots may meet
    one bot of that couple, and the other one the other.
    """

    def difference(*formed: Opponents) -> float:
        return sum(abs(points[one] - points[two]) for one, two in formed)

    paired = [*paired]
    for one, two in zip(unpaired[::2], unpaired[1::2], strict=True):
        swaps = [
            (split, (one, x), (two, y))
            for split in paired
            for x, y in (split, split[::-1])
            if may_meet(one, x) and may_meet(two, y)
        ]
        split, *formed = min(
            swaps, key=lambda swap: (None in swap[0], difference(*swap[1:]) - difference(swap[0]))
        )
        paired.remove(split)
        paired += formed
    return paired
