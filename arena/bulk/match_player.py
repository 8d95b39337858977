"""Matches in process: two bots are asked by function calls.

The rules, the clock and the record are the same as over connections. There is no network: no
move has a credit, and no lag excuses a timeout.
"""

import time
from collections.abc import Callable
from functools import lru_cache, partial
from operator import index
from typing import Any

from arena.bulk.players import Player
from arena.bulk.turn_watch import TimeUp, TurnWatch
from arena.match.adjudicator import Adjudicator
from arena.match.reasons import FAILED, RESIGNED, UNREADABLE, error_reason
from arena.model.results import MAX_LOG, MatchRecord, Pairing, Termination
from arena.model.time_control import parse_controls
from arena.protocol.player import Move, Resign
from bots.client import ProgramFailed
from bots.python_bot import BotFailed

MAX_BITS = 14_000  # of a move; Python writes no longer one as text
MAX_FAILURE = 300  # characters of an exception

_parse_controls = lru_cache(parse_controls)


def play_match(
    pairing: Pairing, time_control: str, create: Callable[[str, int], Player], watch: TurnWatch
) -> MatchRecord:
    """Play a match and return its record, with the id 0.

    Args:
        pairing: The match to play; it has a number.
        time_control: The time control as text, if the pairing has none.
        create: Creates the bot of a name for the number of a match.
        watch: Ends turns that take too long.
    """
    assert pairing.number, "a match in bulk has a number"
    text = pairing.time or time_control
    started_at, started = time.time(), time.monotonic()
    watch.begin_match(pairing.number)
    control, second = _parse_controls(text)
    match = Adjudicator(pairing, control, second=second)
    log = _Match(match, watch).play(create)
    result, moves = match.result, tuple(match.moves)
    assert result, "the match is over"
    finished_at = started_at + time.monotonic() - started  # time.time() may jump
    return MatchRecord(0, pairing, text, started_at, finished_at, result, moves, match.fault, log)


class _Match:
    """A match in progress."""

    def __init__(self, match: Adjudicator, watch: TurnWatch) -> None:
        self._match = match
        self._watch = watch
        self._players: list[Player] = []
        self._log = ""

    def play(self, create: Callable[[str, int], Player]) -> str:
        """Play to the end, and return the last output of a program that has lost by a fault."""
        match = self._match
        try:
            match.set_up()
            failure = None if match.position.is_over else self._create_players(create)
            match.begin_turn(time.perf_counter())
            if failure:
                self._fail(*failure)
            self._take_turns()
        except Exception as error:  # of the game: the arena's fault
            match.abort(error_reason(error))
        return self._log

    def _create_players(
        self, create: Callable[[str, int], Player]
    ) -> tuple[int, BaseException] | None:
        """Create both bots, before a clock runs; return the first one that fails."""
        pairing = self._match.pairing
        for player, name in enumerate(pairing.players, 1):
            bot, error = self._ask(player, partial(create, name, pairing.number or 0))
            if error:
                return player, error
            self._players.append(bot)
        return None

    def _take_turns(self) -> None:
        match = self._match
        turns = [partial(player, match) for player in self._players]
        while not match.result:
            player = match.player_to_move
            answer, error = self._ask(player, turns[player - 1])
            if error:
                self._fail(player, error)
                return
            now = time.perf_counter()
            move = answer if type(answer) is int else _number(answer)
            if move is not None and move.bit_length() <= MAX_BITS:
                match.play(move, now)
            elif answer is None:
                match.lose(player, Termination.RESIGNATION, RESIGNED)
            else:
                self._take_message(player, answer, now)

    def _take_message(self, player: int, answer: Any, now: float) -> None:
        """Process the answer of a program, or of a user's class that has returned no number."""
        match = self._match
        move = _number(answer.move) if isinstance(answer, Move) else None
        if move is not None and move.bit_length() <= MAX_BITS:
            match.play(move, now)
            if match.fault:
                self._log = answer.log or ""
        elif isinstance(answer, Resign) and answer.failure:
            failure = answer.failure
            self._log = failure.log
            cause = f"{FAILED}{failure.reason}"
            match.lose(player, Termination(failure.termination), cause)
        else:
            match.lose(player, Termination.MALFORMED, UNREADABLE)

    def _ask(self, player: int, ask: Callable[[], Any]) -> tuple[Any, BaseException | None]:
        """Return what a player answers, or the exception that has ended its turn."""
        watch = self._watch
        try:
            watch.begin_turn(player, self._match)
            try:
                answer = ask()
            finally:
                watch.end_turn()
        except BaseException as error:  # a bot may even raise KeyboardInterrupt
            watch.end_turn()  # if the time was up just before
            return None, error
        if watch.expiry:  # the bot has caught that its time was up
            return None, TimeUp()
        return answer, None

    def _fail(self, player: int, error: BaseException) -> None:
        """End the match by an exception of a bot, or because its turn took too long."""
        expiry = self._watch.expiry
        failure = expiry or _failure(error)
        self._log = _notes(error)
        if expiry:
            self._match.check_clock(time.perf_counter())
        if not self._match.result:  # also without a clock
            self._match.lose(player, Termination.DISCONNECT, f"{FAILED}{failure}")


def _notes(error: BaseException) -> str:
    """Return the notes of an exception, where the last output of a program is.

    The time of a turn may have run out once more while the first exception was being handled.
    """
    try:
        notes: list[str] = getattr(error, "__notes__", [])
        if not notes and error.__context__:
            notes = getattr(error.__context__, "__notes__", [])
        text = "\n".join(notes)[-MAX_LOG:]
        return text.encode(errors="replace").decode()
    except BaseException:  # of a user's class
        return ""


def _number(answer: Any) -> int | None:
    """Return an answer that is no int as a number, or None."""
    try:
        return None if isinstance(answer, bool) else int(index(answer))
    except BaseException:  # of a user's class
        return None


def _failure(error: BaseException) -> str:
    """Return an exception in one line."""
    try:
        is_described = isinstance(error, (BotFailed, ProgramFailed))
        name = "" if is_described else f"{type(error).__name__}: "
        text = " ".join(f"{name}{error}".removesuffix(": ").split())
    except BaseException:  # of a user's class
        text = "an exception without a text"
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text[:MAX_FAILURE]
