"""The plan of a tournament, its schedule, and the standings that follow from results. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Self

from arena.pairing import round_robin
from arena.results import MatchRecord, Pairing, Termination
from core import GAMES


@dataclass(frozen=True)
class Plan:
    """Everything that decides which matches are played: the same plan, the same schedule.

    `time` is a time control as text. `rounds` is how often the whole round robin is played, each
    time from other openings of `opening_plies` random moves, drawn from `seed`.
    """

    game: str
    bots: tuple[str, ...]
    setups: tuple[Mapping[str, int], ...]
    time: str
    seed: int
    rounds: int = 1
    opening_plies: int = 0

    @property
    def matches(self) -> int:
        """How many matches are planned."""
        return self.rounds * len(self.setups) * len(self.bots) * (len(self.bots) - 1)

    def schedule(self) -> Iterator[Pairing]:
        """All matches in order, numbered from 1: on each setup every pair meets on both sides."""
        number = 0
        for turn in range(self.rounds):
            for place, setup in enumerate(self.setups):
                opening = self._opening(setup, Random(f"{self.seed}/{turn}/{place}"))
                for players in round_robin(self.bots):
                    number += 1
                    yield Pairing(number, players, self.game, setup, opening)

    def _opening(self, setup: Mapping[str, int], random: Random) -> tuple[int, ...]:
        """Random legal moves that leave at least one; fewer if they lead where there is none."""
        position = GAMES[self.game].position(**setup)
        for _ in range(self.opening_plies):
            moves = position.legal_moves()
            random.shuffle(moves)
            for move in moves:
                position.take(move)
                if not position.is_over:
                    break
                position.undo()
            else:
                break
        return tuple(position.taken)

    def to_json(self) -> str:
        """The plan as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plan that `to_json` wrote."""
        facts: dict[str, Any] = json.loads(text)
        return cls(**{**facts, "bots": tuple(facts["bots"]), "setups": tuple(facts["setups"])})

    def differences(self, other: "Plan") -> list[str]:
        """The parameters in which another plan differs, in words."""
        mine, theirs = asdict(self), asdict(other)
        return [
            f"{name} was {_words(mine[name])} and is now {_words(theirs[name])}"
            for name in mine
            if mine[name] != theirs[name]
        ]


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name} {number}" for name, number in value.items()) or "the only one"
    return ", ".join(map(_words, value)) if isinstance(value, tuple) else str(value)


@dataclass
class Standing:
    """One bot's line in the table. `beaten` counts its wins over each other bot by name."""

    bot: str
    wins: int = 0
    losses: int = 0
    beaten: Counter[str] = field(default_factory=Counter)
    forfeits: Counter[Termination] = field(default_factory=Counter)

    @property
    def played(self) -> int:
        """How many matches the bot has finished."""
        return self.wins + self.losses


def standings(records: Iterable[MatchRecord], bots: Iterable[str] = ()) -> list[Standing]:
    """The table after these matches, best first; `bots` are in it even if they have not played.

    Ordered by the share of matches won, then by wins, then by name. Aborted matches count for
    nobody.
    """
    table = {bot: Standing(bot) for bot in bots}
    for record in records:
        winner, loser = record.winner, record.loser
        if winner is None or loser is None:
            continue
        won = table.setdefault(winner, Standing(winner))
        lost = table.setdefault(loser, Standing(loser))
        won.wins += 1
        won.beaten[loser] += 1
        lost.losses += 1
        if record.result.termination.is_forfeit:
            lost.forfeits[record.result.termination] += 1

    def rank(line: Standing) -> tuple[float, int, str]:
        return -line.wins / max(1, line.played), -line.wins, line.bot

    return sorted(table.values(), key=rank)
