"""Simulated matchmaking, without sockets or a clock: honest bots, and others that forfeit."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from arena.lobby.matchmaking import FreeBot, Leg, Matchmaker
from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination

MATCH_SECONDS = 0.3  # of a match that is played to its end
FORFEIT_SECONDS = 0.001  # of a match that is forfeited at once
GAME = "go"
HONEST = "abcdefgh"

Behaviour = Callable[[int], bool]
"""Returns whether a bot forfeits its match number 0, 1, 2, ... at once."""


class Attacker(NamedTuple):
    """An attacker.

    Attributes:
        forfeits: Its behaviour, from its first match or, with a new name, from each new name.
        address: Its address.
        renames: Whether it comes back under a new name after each forfeit.
        first_name: The beginning of its name.
        matches: How many matches it plays at once.
        seconds: How long a match with it lasts, if it does not forfeit.
    """

    forfeits: Behaviour
    address: str
    renames: bool = False
    first_name: str = "x"
    matches: int = 1
    seconds: float = MATCH_SECONDS


class Simulation:
    """Matches of HONEST bots, each at an address of its own, beside attackers.

    Attributes:
        matches: The number of matches started.
        honest_matches: The number of matches without an attacker.
        forfeits: The number of matches that an attacker forfeited.
    """

    def __init__(self, attackers: list[Attacker], matchmaker: Matchmaker | None = None) -> None:
        self.matches = self.honest_matches = self.forfeits = 0
        self._matchmaker = matchmaker or Matchmaker()
        self._numbers = count()
        self._attackers = {self._new_name(attacker): attacker for attacker in attackers}
        self._played: dict[str, int] = dict.fromkeys(self._attackers, 0)
        self._playing: Counter[str] = Counter()
        self._ends: list[tuple[float, int, MatchRecord]] = []

    def run(self, seconds: float) -> float:
        """Simulate for a time; return the share of the matches that attackers forfeited."""
        now = 0.0
        while now < seconds:
            while leg := self._matchmaker.choose(self._free(), now):
                self._start(leg, now)
            retry = self._matchmaker.next_retry(now)
            end = self._ends[0][0] if self._ends else seconds
            now = min(end, seconds if retry is None else retry)
            for record in self._pop_ended(now):
                self._finish(record, now)
        return self.forfeits / self.matches

    def _new_name(self, attacker: Attacker) -> str:
        return f"{attacker.first_name}{next(self._numbers)}"

    def _free(self) -> dict[str, FreeBot]:
        bots = {name: (1, f"address of {name}") for name in HONEST}
        bots |= {
            name: (attacker.matches, attacker.address) for name, attacker in self._attackers.items()
        }
        return {
            name: FreeBot([GAME], address, self._playing[name])
            for name, (matches, address) in bots.items()
            if self._playing[name] < matches
        }

    def _start(self, leg: Leg, now: float) -> None:
        self._matchmaker.start(leg)
        self._playing.update(leg[:2])
        self.matches += 1
        attackers = self._attackers.keys() & leg[:2]
        self.honest_matches += not attackers
        loser = next((name for name in leg[:2] if self._forfeits(name)), None)
        for name in attackers:
            self._played[name] += 1
        if loser:
            self.forfeits += 1
            result = MatchResult(Termination.RESIGNATION, 2 - leg.index(loser), "")
        else:
            result = MatchResult(Termination.NO_LEGAL_MOVE, 1 + self.matches % 2, "")
        moves = () if loser else tuple(PlayedMove(ply, 1, 0, 0, 0, 0) for ply in range(20))
        pairing = Pairing(None, leg[:2], leg[2], {})
        record = MatchRecord(self.matches, pairing, "5", 0.0, 0.0, result, moves)
        lasts = max((self._attackers[name].seconds for name in attackers), default=MATCH_SECONDS)
        end = now + (FORFEIT_SECONDS if loser else lasts)
        heapq.heappush(self._ends, (end, self.matches, record))

    def _forfeits(self, name: str) -> bool:
        attacker = self._attackers.get(name)
        return attacker is not None and attacker.forfeits(self._played[name])

    def _pop_ended(self, now: float) -> Iterator[MatchRecord]:
        while self._ends and self._ends[0][0] <= now:
            yield heapq.heappop(self._ends)[2]

    def _finish(self, record: MatchRecord, now: float) -> None:
        self._playing.subtract(record.pairing.players)
        self._matchmaker.finish(record, now)
        loser = record.loser
        attacker = self._attackers.get(loser or "")
        if loser and attacker and attacker.renames and not record.moves:
            del self._attackers[loser], self._played[loser]
            name = self._new_name(attacker)
            self._attackers[name], self._played[name] = attacker, 0
