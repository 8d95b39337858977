"""Matches that were played in process, thousands a second: records are made of few of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, repeat
from typing import Annotated

from msgspec import Meta, Struct

from arena.model.results import (
    GAME_TERMINATIONS,
    MAX_LOG,
    Fault,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)

# What a database holds: no infinite time, and integers of 64 bits.
Seconds = Annotated[float, Meta(ge=-1e12, le=1e12)]
Integer = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Player = Annotated[int, Meta(ge=1, le=2)]

_result = lru_cache(MatchResult)  # most matches end in one of a few ways


class PlayedFault(Struct, array_like=True):
    """The turn that ended a match, as in `Fault`; the move as text, as it may have any length."""

    move: str | None
    elapsed: Seconds
    credit: Seconds


class PlayedMatch(Struct, array_like=True, gc=False):
    """A record without its pairing. The moves are consecutive, and nothing but time is charged.

    Attributes:
        game: The identity of the game (`arena.storage.tallies.game_identity`); 0 if not rated.
        moves: The players' moves.
        elapsed: The time of each move.
    """

    started_at: Seconds
    finished_at: Seconds
    termination: Termination
    winner: Player | None
    reason: str
    game: Integer
    moves: list[Integer]
    elapsed: list[Seconds]
    fault: PlayedFault | None
    log: Annotated[str, Meta(max_length=MAX_LOG)] = ""

    @property
    def is_rated(self) -> bool:
        """Whether the match counts, as it was not aborted."""
        return self.termination is not Termination.ABORTED


@dataclass(frozen=True, slots=True)
class PlayedMatches:
    """Matches that have ended.

    Attributes:
        pairings: Their pairings.
        time_control: The time control of the pairings without one of their own, as text.
        matches: What was played, for each pairing.
        first: The id of the first match, which the others follow; 0 until they are stored.
    """

    pairings: Sequence[Pairing]
    time_control: str
    matches: Sequence[PlayedMatch]
    first: int = 0

    def __len__(self) -> int:
        return len(self.matches)

    def __iter__(self) -> Iterator[tuple[Pairing, PlayedMatch]]:
        return zip(self.pairings, self.matches, strict=True)

    @property
    def rated(self) -> int:
        """The number of matches that count."""
        return sum(match.is_rated for match in self.matches)

    def records(self, begin: int = 0) -> list[MatchRecord]:
        """Return the records, from a place on; counted from the end if it is negative."""
        return [self._record(place) for place in range(len(self))[begin:]]

    def irregular_records(self) -> Iterator[MatchRecord]:
        """Yield the records of the matches that did not end on the board."""
        for place, match in enumerate(self.matches):
            if match.termination not in GAME_TERMINATIONS:
                yield self._record(place)

    def detailed_records(self) -> Iterator[MatchRecord]:
        """Yield the records that have more than moves: tags, a fault or a log."""
        for place, (pairing, match) in enumerate(self):
            if pairing.tags or match.fault or match.log:
                yield self._record(place)

    def _record(self, place: int) -> MatchRecord:
        pairing, match = self.pairings[place], self.matches[place]
        first, elapsed = len(pairing.opening), match.elapsed
        columns = count(first), match.moves, elapsed, repeat(0.0), elapsed, repeat(0.0)
        return MatchRecord(
            self.first + place,
            pairing,
            pairing.time or self.time_control,
            match.started_at,
            match.finished_at,
            _result(match.termination, match.winner, match.reason),
            tuple(map(PlayedMove, *columns)),
            _fault(first + len(match.moves), match.fault) if match.fault else None,
            match.log,
        )


def _fault(ply: int, fault: PlayedFault) -> Fault:
    move = None if fault.move is None else int(fault.move)
    charged = fault.elapsed - fault.credit
    return Fault(ply, move, fault.elapsed, fault.credit, charged, 0.0)
