"""Whether a match can have been as its record says: the referee judges it once more. Pure.

The replay tells the referee the same moves at the same times. Sums of times are kept as fractions,
which lose nothing, so that each clock shows to the last bit what it showed then.
"""

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from arena.match.referee import MALFORMED_LIMIT, Referee
from arena.model.clock import Charge, TimeControl
from arena.model.results import Fault, MatchRecord, MatchResult, PlayedMove, Termination
from arena.protocol.player import Move, Resign
from arena.storage.pgn import turns
from core import GAMES

# Seconds: more than the rounding of a clock's reading comes to, even years after the clock began.
ROUNDING = 1e-6

GRACE = re.compile(r"was disconnected for (\d+(?:\.\d+)?(?:e[+-]?\d+)?) s", re.ASCII)


def differences(record: MatchRecord) -> list[str]:
    """In what a record differs from what the referee makes of it, in words; empty if it agrees."""
    if record.pairing.game not in GAMES:
        return [f"there is no game {record.pairing.game!r}"]
    try:
        control = TimeControl.parse(record.time_control)
    except ValueError as error:
        return [str(error)]
    if impossible := [*_impossible_times(record)]:
        return impossible
    try:
        return [*_Replay(record, control).run()]
    except Exception as error:  # a game may raise anything at a setup that it does not know
        return [*_beginning(record, f"{type(error).__name__}: {error}")]


def _impossible_times(record: MatchRecord) -> Iterator[str]:
    for turn in turns(record):
        for name in Charge._fields:
            seconds = getattr(turn, name)
            if not 0 <= seconds < math.inf:
                yield f"{name} at ply {turn.ply} is {seconds}"


def _beginning(record: MatchRecord, error: str) -> Iterator[str]:
    """What differs from a match that the arena has to abort, as it cannot begin."""
    aborted = MatchResult(Termination.ABORTED, None, error)
    if record.result != aborted or [*turns(record)]:
        yield _differing("beginning", record.result.termination, repr(error))


def _differing(what: str, recorded: object, replayed: object) -> str:
    shown = ["none" if value is None else str(value) for value in (recorded, replayed)]
    return f"{what} (recorded {shown[0]}, replayed {shown[1]})"


def _times(recorded: PlayedMove | Fault, replayed: PlayedMove | Fault) -> Iterator[str]:
    for name in Charge._fields:
        one, two = getattr(recorded, name), float(getattr(replayed, name))
        if abs(one - two) > ROUNDING:
            yield _differing(f"{name} at ply {recorded.ply}", one, two)


class _Replay:
    """A match that goes as it is recorded, as far as the referee lets it."""

    def __init__(self, record: MatchRecord, control: TimeControl) -> None:
        self._record = record
        self._absence = GRACE.search(record.result.reason)
        grace = float(self._absence[1]) if self._absence else 0.0
        self._match = Referee(str(record.id), record.pairing, control, grace)
        self._now: Any = Fraction()  # goes for a float, and loses nothing

    def run(self) -> Iterator[str]:
        """What differs. Raises what the game raises at the setup or the opening."""
        self._match.start(self._now)
        for turn in turns(self._record):
            if turn.ply != self._match.ply:
                yield _differing("ply", turn.ply, self._match.ply)
                return
            if isinstance(turn, PlayedMove):
                if not self._move(turn.move, turn):
                    told = self._match.result and repr(self._match.result.reason)
                    yield _differing(f"move at ply {turn.ply}", turn.move, told)
                    return
                yield from _times(turn, self._match.moves[-1])
        self._end()
        yield from self._result()
        yield from self._fault()

    def _move(self, move: int, turn: PlayedMove | Fault) -> bool:
        """Let a move arrive when it did. Returns whether it is made, and did not lose."""
        known = len(self._match.moves)
        self._now += Fraction(turn.elapsed)
        message = Move(self._match.id, turn.ply, move)
        self._match.move(1 + turn.ply % 2, message, self._now, turn.credit, turn.lag)
        return len(self._match.moves) > known

    def _end(self) -> None:
        """Let happen what came after the last move, unless that one ended the match."""
        match, recorded = self._match, self._record.result
        loser = 1 if recorded.winner == 2 else 2
        if self._record.fault:
            self._commit(self._record.fault)
        elif recorded.termination is Termination.RESIGNATION:
            match.resign(loser, Resign(match.id))
        elif recorded.termination is Termination.MALFORMED:
            for _ in range(MALFORMED_LIMIT):
                match.unreadable(loser)
        elif recorded.termination is Termination.DISCONNECT:
            until: Any = self._now if self._absence else match.deadline
            match.disconnected(loser, -math.inf)
            match.tick(until)
        elif recorded.termination is Termination.ABORTED:
            match.abort(recorded.reason)

    def _commit(self, fault: Fault) -> None:
        if fault.move is not None:
            self._move(fault.move, fault)
            return
        now, due = self._now + Fraction(fault.elapsed), self._match.deadline
        if due is not None and now < due <= now + ROUNDING:
            now = due  # sums of floats, which it is compared with, may be beyond it
        if self._record.result.termination is Termination.DISCONNECT:
            self._match.disconnected(1 + fault.ply % 2, self._now)
        self._match.tick(now, fault.lag)

    def _result(self) -> Iterator[str]:
        recorded, replayed = self._record.result, self._match.result
        if replayed is None:
            yield _differing("termination", recorded.termination, None)
            return
        if recorded.termination is not replayed.termination:
            yield _differing("termination", recorded.termination, replayed.termination)
        if recorded.winner != replayed.winner:
            yield _differing("winner", recorded.winner, replayed.winner)
        if recorded.reason != replayed.reason:
            yield _differing("reason", repr(recorded.reason), repr(replayed.reason))

    def _fault(self) -> Iterator[str]:
        recorded, replayed = self._record.fault, self._match.fault
        if recorded and replayed:
            yield from _times(recorded, replayed)
        elif recorded or replayed:
            plies = [fault and f"at ply {fault.ply}" for fault in (recorded, replayed)]
            yield _differing("fault", *plies)
