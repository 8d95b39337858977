"""Verification of match records: the referee replays them. Pure.

The replay sends the referee the same moves at the same times. Sums of times are fractions, which
are exact, so that each clock has, to the last bit, the value that it had in the match.

The check of a game's records is here too: they are refereed, exported, imported and verified.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.match.reasons import (
    FAILED,
    MALFORMED_LIMIT,
    REMOVED,
    error_reason,
    loss,
    shorten_numbers,
)
from arena.match.referee import Referee
from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.model.time_control import Charge, Controls, TimeControl, parse_controls
from arena.protocol.player import Move, Resign
from arena.storage import jsonl, pgn
from arena.storage.record import check_tags
from core import GAMES

# Seconds: above the rounding error of a clock's reading, even years after the clock's start.
ROUNDING = 1e-6

GRACE_PERIOD = re.compile(r"was disconnected for (\d+(?:\.\d+)?(?:e[+-]?\d+)?) s", re.ASCII)
CONTROL, MOVE_SECONDS = "60+1", 0.25  # of a game, to check its records
FORMATS = {"JSON Lines": jsonl, "PGN-like text": pgn}


def find_differences(record: MatchRecord) -> list[str]:
    """Return the differences between a record and its replay by the referee.

    Args:
        record: A match with its moves and its fault.

    Returns:
        A text for each difference; none if the record agrees with the replay.

    Raises:
        UnknownGame: The game is not installed.
    """
    GAMES[record.pairing.game]  # raises an error for a game that is not installed
    try:
        check_tags(record.tags)
        controls = parse_controls(record.time_control)
    except ValueError as error:
        return [str(error)]
    if invalid := [*_invalid_times(record)]:
        return invalid
    return [*_Replay(record, controls).run()]


def _invalid_times(record: MatchRecord) -> Iterator[str]:
    for turn in record.turns:
        for name in Charge.__struct_fields__:
            seconds = getattr(turn, name)
            if not 0 <= seconds < math.inf:
                yield f"{name} at ply {turn.ply} is {seconds}"


def _start_differences(record: MatchRecord, error: str) -> Iterator[str]:
    """Compare a record with a match that is aborted because it cannot start."""
    aborted = MatchResult(Termination.ABORTED, None, error)
    recorded = replace(record.result, reason=shorten_numbers(record.result.reason))
    if recorded != aborted or [*record.turns]:
        yield _difference("start", record.result.termination, repr(error))


def _difference(name: str, recorded: object, replayed: object) -> str:
    texts = ["none" if value is None else str(value) for value in (recorded, replayed)]
    return f"{name} (recorded {texts[0]}, replayed {texts[1]})"


def _time_differences(recorded: PlayedMove | Fault, replayed: PlayedMove | Fault) -> Iterator[str]:
    for name in Charge.__struct_fields__:
        one, two = getattr(recorded, name), float(getattr(replayed, name))
        if abs(one - two) > ROUNDING:
            yield _difference(f"{name} at ply {recorded.ply}", one, two)


class _Replay:
    """Replay of a record by a referee, up to the first move that the referee rejects."""

    def __init__(self, record: MatchRecord, controls: Controls) -> None:
        self._record = record
        self._disconnection = GRACE_PERIOD.search(record.result.reason)
        grace = float(self._disconnection[1]) if self._disconnection else 0.0
        self._referee = Referee(
            str(record.id), record.pairing, controls[0], grace, second=controls[1]
        )
        self._now: Any = Fraction()  # used as a float, but exact

    def run(self) -> Iterator[str]:
        """Yield the differences."""
        try:
            self._referee.start(self._now)
        except Exception as error:  # a game may raise anything for an invalid setup
            yield from _start_differences(self._record, error_reason(error))
            return
        for turn in self._record.turns:
            if turn.ply != self._referee.ply:
                yield _difference("ply", turn.ply, self._referee.ply)
                return
            if isinstance(turn, PlayedMove):
                if not self._move(turn.move, turn):
                    reason = self._referee.result and repr(self._referee.result.reason)
                    yield _difference(f"move at ply {turn.ply}", turn.move, reason)
                    return
                yield from _time_differences(turn, self._referee.moves[-1])
        self._end()
        yield from self._result_differences()
        yield from self._fault_differences()

    def _move(self, move: int, turn: PlayedMove | Fault) -> bool:
        """Play a move at its recorded time; return whether the referee accepts it."""
        before = len(self._referee.moves)
        self._now += Fraction(turn.elapsed)
        self._referee.clock.limit_credit(turn.credit)
        message = Move(self._referee.id, turn.ply, move)
        try:
            self._referee.move(
                1 + turn.ply % 2, message, self._now, turn.credit, turn.lag, self._excuse(turn)
            )
        except Exception as error:  # as in the match, which the arena then aborts
            self._referee.abort(error_reason(error))
        return len(self._referee.moves) > before

    def _end(self) -> None:
        """Replay the end after the last move, unless that move ended the match."""
        referee, recorded = self._referee, self._record.result
        loser = 1 if recorded.winner == 2 else 2
        if self._record.fault:
            self._replay_fault(self._record.fault)
        elif recorded.termination.is_forfeit and (failure := self._failure(loser)):
            referee.fail(loser, failure, recorded.termination)
        elif recorded.termination is Termination.RESIGNATION:
            referee.resign(loser, Resign(referee.id))
        elif recorded.termination is Termination.MALFORMED:
            for _ in range(MALFORMED_LIMIT):
                referee.unreadable(loser)
        elif recorded.reason == self._removal(loser).reason:
            referee.remove(loser)
        elif recorded.termination is Termination.DISCONNECT:
            now: Any = self._now if self._disconnection else referee.deadline
            referee.disconnect(loser, -math.inf)
            referee.tick(now)
        elif recorded.termination is Termination.ABORTED:
            referee.abort(recorded.reason)

    def _removal(self, loser: int) -> MatchResult:
        return loss(self._record.pairing.players, loser, Termination.DISCONNECT, REMOVED)

    def _failure(self, loser: int) -> str:
        """Return how the loser's program failed; nothing if it did not."""
        name = self._record.pairing.players[loser - 1]
        prefix = f"player {loser} ({name}) {FAILED}"
        reason = self._record.result.reason
        return reason.removeprefix(prefix) if reason.startswith(prefix) else ""

    def _replay_fault(self, fault: Fault) -> None:
        if fault.move is not None:
            self._move(fault.move, fault)
            return
        self._referee.clock.limit_credit(fault.credit)
        now, deadline = self._now + Fraction(fault.elapsed), self._referee.deadline
        if deadline is not None and now < deadline <= now + ROUNDING:
            now = deadline  # which is a sum of floats, and may be just after the exact time
        if self._record.result.termination is Termination.DISCONNECT:
            self._referee.disconnect(1 + fault.ply % 2, self._now)
        self._referee.tick(now, fault.lag, self._excuse(fault))

    def _excuse(self, turn: PlayedMove | Fault) -> float:
        """Return the lag if it excused the player: the record does not say which lag does."""
        return turn.lag if self._record.result.is_aborted else 0.0

    def _result_differences(self) -> Iterator[str]:
        recorded, replayed = self._record.result, self._referee.result
        if replayed is None:
            yield _difference("termination", recorded.termination, None)
            return
        if recorded.termination is not replayed.termination:
            yield _difference("termination", recorded.termination, replayed.termination)
        if recorded.winner != replayed.winner:
            yield _difference("winner", recorded.winner, replayed.winner)
        # Records of earlier versions have all digits of a move.
        if shorten_numbers(recorded.reason) != shorten_numbers(replayed.reason):
            yield _difference("reason", repr(recorded.reason), repr(replayed.reason))

    def _fault_differences(self) -> Iterator[str]:
        recorded, replayed = self._record.fault, self._referee.fault
        if recorded and replayed:
            yield from _time_differences(recorded, replayed)
        elif recorded or replayed:
            plies = [fault and f"at ply {fault.ply}" for fault in (recorded, replayed)]
            yield _difference("fault", *plies)


def keeps_records(sample: Sample) -> None:
    """Check that a finished game has the result of its outcome, and that its record is kept."""
    record = _play(sample)
    outcome, result = sample.position().outcome, record.result
    assert outcome, "check 6 has found one"
    ending = f"the winner {outcome.winner} by {outcome.termination}"
    received = f"the winner {result.winner} by {result.termination}"
    require(ending == received, f"{ending} from the referee", received)
    for name, form in FORMATS.items():
        _, records = form.parse(form.format_record(record).splitlines())
        [(_, imported)] = records
        require(imported == record, f"the same record from {name}", "another")
    differences = "; ".join(find_differences(record))
    require(not differences, "a record that a replay agrees with", differences)


def _play(sample: Sample) -> MatchRecord:
    """Play the moves of a sample through the referee; return the record of the match."""
    pairing = Pairing(1, ("Ann", "Bob"), sample.game.name, sample.setup)
    referee = Referee("1", pairing, TimeControl.parse(CONTROL), grace=0.0)
    referee.start(0.0)
    for ply, move in enumerate(sample.moves):
        referee.move(1 + ply % 2, Move("1", ply, move), (ply + 1) * MOVE_SECONDS)
    seconds = len(sample.moves) * MOVE_SECONDS
    assert referee.result
    moves = tuple(referee.moves)
    return MatchRecord(1, pairing, CONTROL, 0.0, seconds, referee.result, moves)


RECORD_CHECK = GameCheck(21, "keeps its records", keeps_records, "finished games", (4, 6))
