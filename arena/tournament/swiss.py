"""The Swiss system: in every round, bots meet others that have done as well, and nobody twice.

A round is paired once all scores of the one before are in, from nothing but the bots in order and
those scores. So the order in which scores arrive does not matter, and a tournament is resumed by
pairing it anew. Pure.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from arena.tournament.round_robin import Encounter, Scores, check_bots

Bot = str | None  # None is the place that stands for a bye
Pair = tuple[Bot, Bot]
MayMeet = Callable[[Bot, Bot], bool]


class SwissStanding(NamedTuple):
    """One bot's line in the table: `points` are the matches won and those given for `byes`.

    `buchholz` is the sum of what the opponents met have won. Byes do not count in it, neither the
    bot's own nor those of its opponents.
    """

    bot: str
    points: int
    buchholz: int
    byes: int


def most_rounds(bots: int) -> int:
    """How many rounds can always be paired without a rematch, whatever the results."""
    return (bots + 1) // 2


def swiss_size(bots: int, rounds: int, pairs: int) -> int:
    """The number of encounters of a Swiss."""
    return rounds * pairs * (bots // 2)


def swiss(
    bots: Sequence[str], rounds: int, pairs: int, scores: Scores
) -> Iterator[Encounter | None]:
    """The encounters of a Swiss; None says that the next depend on scores that are not in yet.

    See `Swiss` for the rules and the ValueErrors.
    """
    return Swiss(bots, rounds, pairs, scores).encounters()


def swiss_table(
    bots: Sequence[str], rounds: int, pairs: int, scores: Scores
) -> list[SwissStanding]:
    """The table of a Swiss after these scores, best first. See `Swiss`."""
    return Swiss(bots, rounds, pairs, scores).standings()


class Swiss:
    """A Swiss of bots in order of seeding, who play `pairs` encounters in each of the rounds.

    All bots play the same openings in a round, each round has its own. `scores` may grow meanwhile.
    Of an odd number of bots one has a bye, worth as many points as a round has matches: the lowest
    placed that has had none, or rarely another to spare a rematch. ValueError for fewer than 2
    bots, a name that is there twice, or more rounds than `most_rounds`.
    """

    def __init__(self, bots: Sequence[str], rounds: int, pairs: int, scores: Scores) -> None:
        check_bots(bots)
        if rounds > most_rounds(len(bots)):
            raise ValueError(
                f"{rounds} rounds are too many for a Swiss of {len(bots)} bots:"
                f" without rematches, {most_rounds(len(bots))} at most"
            )
        self._bots = tuple(bots)
        self._rounds = rounds
        self._pairs = pairs
        self._scores = scores
        self._drawn: list[list[Pair]] = []  # for each round, those who meet, the leaders first
        self._met: set[frozenset[Bot]] = set()

    def encounters(self) -> Iterator[Encounter | None]:
        """All encounters, numbered without gaps; None while the next depend on missing scores."""
        for turn in range(self._rounds):
            while not self._is_drawn(turn):
                yield None
            yield from self._round(turn)

    def standings(self) -> list[SwissStanding]:
        """The table after the scores so far, best first.

        Ordered by points, then Buchholz, then seeding. An opponent has been met once there is a
        score of it; a bye counts as soon as the round is paired.
        """
        self._is_drawn(self._rounds - 1)
        return self._table()

    def _is_drawn(self, turn: int) -> bool:
        """Pair the rounds up to this one as far as scores allow. Returns whether it is paired."""
        while len(self._drawn) <= turn and self._is_finished(len(self._drawn) - 1):
            self._drawn.append(self._draw())
            self._met.update(map(frozenset, self._drawn[-1]))
        return len(self._drawn) > turn

    def _is_finished(self, turn: int) -> bool:
        """Whether all scores of a round are in; before the first there are none to wait for."""
        size = self._pairs * (len(self._bots) // 2)
        numbers = range(max(0, turn) * size + 1, (turn + 1) * size + 1)
        return all(number in self._scores for number in numbers)

    def _round(self, turn: int) -> Iterator[Encounter]:
        """The encounters of a round that is paired; who is first alternates."""
        meetings = [
            (one, two) for one, two in self._drawn[turn] if one is not None and two is not None
        ]
        for opening in range(turn * self._pairs, (turn + 1) * self._pairs):
            for board, (one, two) in enumerate(meetings):
                players = (two, one) if (opening + board) % 2 else (one, two)
                yield Encounter(opening * len(meetings) + board + 1, players, opening)

    def _table(self) -> list[SwissStanding]:
        """The standings after the rounds that are paired."""
        won: Counter[str] = Counter()
        opponents: dict[str, set[str]] = {bot: set() for bot in self._bots}
        for turn in range(len(self._drawn)):
            for number, (one, two), _ in self._round(turn):
                if score := self._scores.get(number):
                    won.update({one: score[0], two: score[1]})
                    opponents[one].add(two)
                    opponents[two].add(one)
        table = []
        for bot in self._bots:
            byes = int(frozenset({bot, None}) in self._met)
            buchholz = sum(won[opponent] for opponent in opponents[bot])
            table.append(SwissStanding(bot, won[bot] + 2 * self._pairs * byes, buchholz, byes))
        return sorted(table, key=lambda line: (-line.points, -line.buchholz))

    def _draw(self) -> list[Pair]:
        """Who meets whom in the next round."""
        points: dict[Bot, int] = {line.bot: line.points for line in self._table()}
        field = [*points]
        pairs: list[Pair] = []
        if len(field) % 2:
            exempt = next(bot for bot in reversed(field) if self._may_meet(bot, None))
            field.remove(exempt)
            pairs.append((exempt, None))
        floats: list[Bot] = []
        for _, group in groupby(field, points.__getitem__):
            folded, floats = _fold(floats, [*group], self._may_meet)
            pairs += folded
        pairs = _repair(pairs, floats, {**points, None: 0}, self._may_meet)
        ranked: list[Bot] = [*points, None]
        places = sorted(sorted(map(ranked.index, pair)) for pair in pairs)
        return [(ranked[one], ranked[two]) for one, two in places]

    def _may_meet(self, one: Bot, two: Bot) -> bool:
        return frozenset({one, two}) not in self._met


def _fold(
    floats: Sequence[Bot], group: list[Bot], may_meet: MayMeet
) -> tuple[list[Pair], list[Bot]]:
    """The pairs of a score group, best placed first, and those that float down to the next.

    Those that have floated into it meet the best placed of it. The others are folded: the upper
    half meets the lower half, the best of the one the best of the other. Who may not meet its
    opponent takes the next below, or else the next above.
    """
    pairs: list[Pair] = []
    left: list[Bot] = []

    def place(one: Bot, opponents: Sequence[Bot]) -> None:
        two = next((two for two in opponents if may_meet(one, two)), None)
        if two is None:
            left.append(one)
        else:
            group.remove(two)
            pairs.append((one, two))

    for one in floats:
        place(one, group)
    while group:
        one = group.pop(0)
        half = (len(group) - 1) // 2
        place(one, [*group[half:], *reversed(group[:half])])
    return pairs, left


def _repair(
    pairs: list[Pair], left: Sequence[Bot], points: dict[Bot, int], may_meet: MayMeet
) -> list[Pair]:
    """These pairs and pairs of those left, who have all met, by swaps that mix the least points.

    There is always a swap. Before the last of at most N/2 rounds, each of N places, a bye's among
    them, has met at most N/2 - 1 others, so that it may meet N/2 or more: by Dirac's theorem ("Some
    theorems on abstract graphs", 1952) there is a cycle through all places, and every other step
    of it is a pair. To find one, take two of those left: they may meet none of the others left, so
    each may meet N/2 or more of the at most N - 2 places in pairs. That is N or more for at most
    N/2 - 1 pairs, so of some pair they may meet more than two ends out of four: then one of them
    may meet one end and the other the other. The bye's pair is parted only if no other can be.
    """

    def mixed(*formed: Pair) -> int:
        return sum(abs(points[one] - points[two]) for one, two in formed)

    pairs = [*pairs]
    for one, two in zip(left[::2], left[1::2], strict=True):
        swaps = [
            (parted, (one, x), (two, y))
            for parted in pairs
            for x, y in (parted, parted[::-1])
            if may_meet(one, x) and may_meet(two, y)
        ]
        parted, *formed = min(
            swaps, key=lambda swap: (None in swap[0], mixed(*swap[1:]) - mixed(swap[0]))
        )
        pairs.remove(parted)
        pairs += formed
    return pairs
