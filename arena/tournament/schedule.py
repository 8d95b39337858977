"""The plan of a tournament, what is still to be played of it, and the standings. Pure."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Self

from arena.model.results import Pairing, Tally, Termination
from arena.ratings.bradley_terry import Ratings
from arena.ratings.sprt import SequentialTest, Sprt
from arena.tournament.knockout import knockout, most_encounters
from arena.tournament.openings import Opening, draw
from arena.tournament.round_robin import (
    Encounter,
    gauntlet,
    gauntlet_size,
    round_robin,
    round_robin_size,
)
from arena.tournament.swiss import swiss, swiss_size

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")
LISTED = 10  # setups in words; of more, only the first and the last

Scores = dict[int, tuple[int, int]]  # of pairs: the wins of who begins as player 1, and the other's


@dataclass(frozen=True)
class Plan:
    """Everything that decides which matches are played: the same plan, the same schedule.

    `bots` says by name what each is, `time` is a time control as text. Openings are those of the
    `book` in turn or, without one, `opening_plies` random moves on each of the `setups` in turn,
    drawn from `seed`. In a round robin or a gauntlet, `rounds` is how often all of it is played,
    each time from other openings; the first `seeds` bots play the gauntlet. A Swiss tournament has
    so many `rounds`, and there as in a knockout bots meet for `pairs` pairs of matches. `sprt` is a
    sequential test as text, which may end it earlier.
    """

    game: str
    bots: Mapping[str, str]
    setups: tuple[Mapping[str, int], ...]
    time: str
    seed: int
    format: str = FORMATS[0]
    rounds: int = 1
    seeds: int = 1
    pairs: int = 1
    opening_plies: int = 0
    book: tuple[Opening, ...] = ()
    sprt: str | None = None

    @property
    def matches(self) -> int:
        """How many matches are planned; of a knockout or a sequential test, at most."""
        bots = len(self.bots)
        match self.format:
            case "round-robin":
                encounters = round_robin_size(bots, self.rounds, self.openings)
            case "gauntlet":
                rest = bots - self.seeds
                encounters = gauntlet_size(self.seeds, rest, self.rounds, self.openings)
            case "swiss":
                encounters = swiss_size(bots, self.rounds, self.pairs)
            case _:
                encounters = most_encounters(bots, self.pairs)
        return 2 * encounters

    @property
    def may_end_early(self) -> bool:
        """Whether `matches` is but a bound."""
        return self.format == "knockout" or self.sprt is not None

    @property
    def openings(self) -> int:
        """How many different openings each round of a round robin or a gauntlet has."""
        return len(self.book or self.setups)

    def opening(self, number: int) -> Opening:
        """The opening of some number, from 0."""
        if self.book:
            return self.book[number % len(self.book)]
        setup = self.setups[number % len(self.setups)]
        return draw(self.game, setup, self.opening_plies, Random(f"{self.seed}/{number}"))

    def encounters(self, scores: Scores) -> Iterator[Encounter | None]:
        """Who meets whom, in order; None where it depends on scores that are not there yet."""
        bots = [*self.bots]
        match self.format:
            case "round-robin":
                return round_robin(bots, self.rounds, self.openings)
            case "gauntlet":
                seeds, rest = bots[: self.seeds], bots[self.seeds :]
                return gauntlet(seeds, rest, self.rounds, self.openings)
            case "swiss":
                return swiss(bots, self.rounds, self.pairs, scores)
            case _:
                return knockout(bots, self.pairs, scores)

    def to_json(self) -> str:
        """The plan as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plan that `to_json` wrote."""
        facts: dict[str, Any] = json.loads(text)
        facts["setups"] = tuple(facts["setups"])
        facts["book"] = tuple(Opening(setup, tuple(moves)) for setup, moves in facts["book"])
        return cls(**facts)

    def differences(self, other: "Plan") -> list[str]:
        """The parameters in which another plan differs, in words."""
        mine, theirs = json.loads(self.to_json()), json.loads(other.to_json())
        return [
            _difference(name, mine[name], theirs[name])
            for name in mine
            if json.dumps(mine[name]) != json.dumps(theirs[name])  # the order of bots matters
        ]


def _difference(name: str, mine: Any, theirs: Any) -> str:
    was, now = _words(name, mine), _words(name, theirs)
    return f"{name} was {was} and is now {now if now != was else f'another, also {now}'}"


def _words(name: str, value: Any) -> str:
    match name:
        case "bots":
            return ", ".join(bot if bot == what else f"{bot}={what}" for bot, what in value.items())
        case "setups":
            each = [" ".join(f"{key} {number}" for key, number in setup.items()) for setup in value]
            if len(each) > LISTED:
                return f"{each[0]} to {each[-1]}, {len(each)} in all"
            return ", ".join(each) or "none"
        case "book":
            return f"one of {len(value)} openings" if value else "none"
        case _:
            return "none" if value is None else str(value)


class Schedule:
    """What is still to be played, as results come in."""

    def __init__(self, plan: Plan, finished: Iterable[tuple[int, tuple[str, str], int]]) -> None:
        """`finished` tells of matches the number, the players, and who won, 1 or 2."""
        self.plan = plan
        self.scores: Scores = {}
        self.test = SequentialTest(Sprt.parse(plan.sprt.split())) if plan.sprt else None
        self._finished = _Numbers()
        self._halves: dict[int, tuple[int, int]] = {}  # scores of pairs with one match to go
        self._coming: list[tuple[int, Encounter]] = []
        self._ahead: Pairing | None = None
        self._opening = 0, plan.opening(0)
        for number, players, winner in finished:
            self.finish(number, players, winner)
        self._encounters = plan.encounters(self.scores)

    @property
    def finished(self) -> int:
        """How many matches are finished."""
        return len(self._finished)

    @property
    def is_decided(self) -> bool:
        """Whether a sequential test has ended the tournament."""
        return self.test is not None and self.test.verdict is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing can be played, if nothing is being played."""
        self._ahead = self.next()
        return self._ahead is None

    def next(self) -> Pairing | None:
        """The next pairing; None if there is none, for good or before more results are in."""
        if self.is_decided:
            return None
        pairing, self._ahead = self._ahead or self._find(), None
        return pairing

    def _find(self) -> Pairing | None:
        while True:
            if not self._coming:
                encounter = next(self._encounters, None)
                if encounter is None:
                    return None
                self._coming = [(2 * encounter.number - leg, encounter) for leg in (0, 1)]
            number, encounter = self._coming.pop()
            if number not in self._finished:
                return self._pairing(number, encounter)

    def _pairing(self, number: int, encounter: Encounter) -> Pairing:
        one, two = encounter.players
        if self._opening[0] != encounter.opening:  # most encounters have that of the one before
            self._opening = encounter.opening, self.plan.opening(encounter.opening)
        opening = self._opening[1]
        return Pairing(
            number,
            (one, two) if number % 2 else (two, one),
            self.plan.game,
            opening.setup,
            opening.moves,
        )

    def finish(self, number: int, players: tuple[str, str], winner: int) -> None:
        """A match has been won by player 1 or 2."""
        self._finished.add(number)
        pair = (number + 1) // 2
        first = int((winner == 1) == (number % 2 == 1))  # whether who began the pair has won
        if pair not in self._halves:
            self._halves[pair] = first, 1 - first
            return
        wins, losses = self._halves.pop(pair)
        score = wins + first, losses + 1 - first
        if self.plan.format in {"swiss", "knockout"}:
            self.scores[pair] = score
        if self.test:
            began = players[0] if number % 2 else players[1]
            self.test.add(pair, score[0] if began == next(iter(self.plan.bots)) else score[1])


class _Numbers:
    """A set of numbers from 1 that takes no room for its unbroken run."""

    def __init__(self) -> None:
        self._run = 0
        self._beyond: set[int] = set()

    def __len__(self) -> int:
        return self._run + len(self._beyond)

    def __contains__(self, number: int) -> bool:
        return number <= self._run or number in self._beyond

    def add(self, number: int) -> None:
        """Add one that is not there."""
        assert number not in self, f"match {number} has finished before"
        self._beyond.add(number)
        while self._run + 1 in self._beyond:
            self._run += 1
            self._beyond.remove(self._run)


@dataclass
class Standing:
    """One bot's line in the table."""

    bot: str
    wins: int = 0
    losses: int = 0
    forfeits: Counter[Termination] = field(default_factory=Counter)

    @property
    def played(self) -> int:
        """How many matches the bot has finished."""
        return self.wins + self.losses


def standings(tally: Tally, ratings: Ratings, bots: Iterable[str] = ()) -> list[Standing]:
    """The table, best first; `bots` are in it even if they have not played.

    Ordered by rating, then by wins, then by name.
    """
    table = {bot: Standing(bot) for bot in bots}
    for outcome, times in tally.items():
        players = outcome.one, outcome.two
        winner, loser = players[outcome.winner - 1], players[2 - outcome.winner]
        won = table.setdefault(winner, Standing(winner))
        lost = table.setdefault(loser, Standing(loser))
        won.wins += times
        lost.losses += times
        if outcome.termination.is_forfeit:
            lost.forfeits[outcome.termination] += times

    def rank(line: Standing) -> tuple[float, int, str]:
        elo = round(ratings.elo.get(line.bot, -math.inf), 3)  # beyond, it is noise
        return -elo, -line.wins, line.bot

    return sorted(table.values(), key=rank)
