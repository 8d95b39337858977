"""Referee of one match: a state machine without input, output or a clock of its own (sans I/O).

Each event is a method call with the time `now` at which it happened, and returns the messages to
send as a list of (player, message). After `result` is set, events are ignored. The caller sends
the end of the match (`finished_message`) once the result is stored.

The reason of a result is stored with it and compared when a record is verified: its wording is part
of the record format.
"""

import re
from collections.abc import Callable, Collection
from functools import wraps
from typing import Concatenate, ParamSpec

from arena.model.clock import MAX_CREDIT, Charge, Clock
from arena.model.results import (
    GAME_TERMINATIONS,
    Fault,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.model.time_control import TimeControl
from arena.protocol.player import Error, Finished, FromArena, Move, Resign, TakeBackAsked, Turn
from core import GAMES
from core.game import IllegalMove, Outcome, Position

MALFORMED_LIMIT = 3  # unreadable messages with which a player loses a match
MAX_LAG = 0.1  # seconds; a timeout after this much lag of the event loop aborts the match

MOVE_LIMIT = 2**63  # a database stores 64 bits
MAX_DIGITS = 20  # of a number in a text; beyond it is no integer of 64 bits
SHOWN_DIGITS = 10  # of a longer number
LONG_NUMBER = re.compile(rf"\d{{{MAX_DIGITS + 1},}}", re.ASCII)
PLAYER = re.compile(r"\bplayer ([12])\b")  # in the reason of an outcome

Outgoing = list[tuple[int, FromArena]]
P = ParamSpec("P")


def _while_running(
    method: Callable[Concatenate["Referee", P], Outgoing],
) -> Callable[Concatenate["Referee", P], Outgoing]:
    """Make a method of Referee do nothing after the end of the match."""

    @wraps(method)
    def guarded(self: "Referee", /, *args: P.args, **kwargs: P.kwargs) -> Outgoing:
        return [] if self.result else method(self, *args, **kwargs)

    return guarded


class Referee:
    """Rules and clock of one match between players 1 and 2.

    It has one method for each event that a match can have.

    Attributes:
        id: The id of the match in messages.
        pairing: The players, the game and the opening.
        result: How the match ended; None until then.
        moves: The moves of the players, without those of the opening.
        fault: The turn that ended the match by an illegal move or a timeout, if one did.
        takeback_requested_by: The player whose takeback request is pending, if one is.
    """

    _position: Position  # set by `start`

    def __init__(
        self,
        match_id: str,
        pairing: Pairing,
        control: TimeControl,
        grace: float,
        grants_takebacks: Collection[int] = (),
    ) -> None:
        """Prepare a match that has not started.

        Args:
            match_id: The id of the match in messages.
            pairing: The players, the game and the opening.
            control: The time control.
            grace: How long a player may be disconnected while its clock lasts. Seconds.
            grants_takebacks: The players that grant every takeback request automatically.
        """
        self.id = match_id
        self.pairing = pairing
        self.result: MatchResult | None = None
        self.moves: list[PlayedMove] = []
        self.fault: Fault | None = None
        self.takeback_requested_by: int | None = None
        self._clock = Clock(control)
        self._grace = grace
        self._grants_takebacks = grants_takebacks
        self._disconnected_at: dict[int, float] = {}  # by player
        self._unreadable_messages = {1: 0, 2: 0}

    @property
    def ply(self) -> int:
        """The number of moves made, those of the opening included."""
        return len(self.pairing.opening) + len(self.moves)

    @property
    def turn_started_at(self) -> float:
        """The time at which the current or last turn started."""
        return self._clock.started_at

    @property
    def deadline(self) -> float | None:
        """The time at which to call `tick`, or None after the end of the match."""
        if self.result:
            return None
        times = [since + self._grace for since in self._disconnected_at.values()]
        if self._clock.deadline is not None:
            times.append(self._clock.deadline)
        return min(times, default=None)

    @_while_running
    def start(self, now: float) -> Outgoing:
        """Start the match.

        Raises:
            ValueError: The game rejects the setup.
            IllegalMove: The opening is not legal.
        """
        game = GAMES[self.pairing.game]
        self._position = game.position(**self.pairing.setup, moves=self.pairing.opening)
        return self._next_turn(now)

    @_while_running
    def move(
        self, player: int, message: Move, now: float, credit: float = 0.0, lag: float = 0.0
    ) -> Outgoing:
        """Process a move.

        Args:
            player: The sender, 1 or 2.
            message: The message.
            now: The time at which it was received.
            credit: Measured network delay of the sender. Seconds.
            lag: Largest lag of the arena's event loop since the turn was sent. Seconds.

        Raises:
            ValueError: The game has a move or an outcome that no game may have; it may also raise
                anything else. The match is to be aborted.
        """
        if message.ply != self.ply:
            text = shorten_numbers(f"expected ply {self.ply}, got {message.ply}")
            return self._reject(player, "wrong_ply", text)
        if player != self._position.player_to_move:
            return self._reject(
                player, "not_your_turn", f"player {3 - player} is to move at ply {message.ply}"
            )
        if self.takeback_requested_by == 3 - player and player in self._grants_takebacks:
            return self._grant_takeback(now)
        charge = self._clock.stop(now, credit, lag)
        if self._clock.overdrawn is not None:
            return self._run_out_of_time(player, message.move, charge)
        try:
            self._position.play(message.move)
        except IllegalMove as error:
            self.fault = Fault(self.ply, message.move, *charge)
            cause = f"made an {shorten_numbers(str(error))}"
            return self._lose(player, Termination.ILLEGAL_MOVE, cause)
        if not -MOVE_LIMIT <= message.move < MOVE_LIMIT:
            raise ValueError(f"legal move {message.move} has more than 64 bits")
        self.moves.append(PlayedMove(message.ply, message.move, *charge))
        self.takeback_requested_by = None
        return self._next_turn(now)

    @_while_running
    def take_back(self, player: int, now: float) -> Outgoing:
        """Process a player's request to take back its last move, or its consent to the opponent's.

        The opponent is asked once; its next move declines the request. An opponent that grants
        takebacks automatically is not asked. If such an opponent is to move, the takeback is
        granted when its move arrives, and that move is ignored: otherwise it could be mistaken for
        the answer to a later turn with the same ply.
        """
        if not self.pairing.casual:
            return self._reject(player, "not_casual", "takebacks are not allowed in a rated match")
        opponent = 3 - player
        if self.takeback_requested_by == opponent:
            return self._grant_takeback(now)
        is_to_move = player == self._position.player_to_move
        if len(self.moves) < 1 + is_to_move:
            return self._reject(player, "nothing_to_take_back", "you have not made a move yet")
        if self.takeback_requested_by == player:
            return []
        self.takeback_requested_by = player
        if opponent not in self._grants_takebacks:
            return [(opponent, TakeBackAsked(self.id))]
        return self._grant_takeback(now) if is_to_move else []

    @_while_running
    def resign(self, player: int, _message: Resign) -> Outgoing:
        """Process a resignation, whichever player is to move."""
        return self._lose(player, Termination.RESIGNATION, "resigned")

    @_while_running
    def unreadable(self, player: int) -> Outgoing:
        """Process a message that could not be decoded."""
        self._unreadable_messages[player] += 1
        if self._unreadable_messages[player] < MALFORMED_LIMIT:
            return []
        reason = f"sent {MALFORMED_LIMIT} unreadable messages"
        return self._lose(player, Termination.MALFORMED, reason)

    @_while_running
    def disconnect(self, player: int, now: float) -> Outgoing:
        """Process the loss of a player's connection. Its clock keeps running."""
        self._disconnected_at[player] = now
        return []

    @_while_running
    def reconnect(self, player: int, now: float) -> Outgoing:
        """Process a reconnection: send the player's turn and a pending takeback request again."""
        self._disconnected_at.pop(player, None)
        outgoing: Outgoing = []
        if player == self._position.player_to_move:
            outgoing.append(self._turn_message(now))
        if self.takeback_requested_by == 3 - player and player not in self._grants_takebacks:
            outgoing.append((player, TakeBackAsked(self.id)))
        return outgoing

    @_while_running
    def tick(self, now: float, lag: float = 0.0) -> Outgoing:
        """Check the clock and the grace period of disconnected players."""
        player = self._position.player_to_move
        if self._clock.deadline is not None and now >= self._clock.deadline:
            return self._run_out_of_time(player, None, self._clock.stop(now, MAX_CREDIT, lag))
        for player, since in self._disconnected_at.items():
            if now >= since + self._grace:
                reason = f"was disconnected for {self._grace:g} s"
                return self._lose(player, Termination.DISCONNECT, reason)
        return []

    def abort(self, cause: str) -> None:
        """End the match without a winner, because of a fault of the arena."""
        if not self.result:
            self.result = MatchResult(Termination.ABORTED, None, cause)

    def finished_message(self, player: int) -> Finished:
        """Return the message about the end of the match for a player."""
        assert self.result is not None, "the match is not over"
        return Finished(
            match=self.id,
            you=player,
            winner=self.result.winner,
            termination=self.result.termination,
            reason=self.result.reason,
            moves=[*self.pairing.opening, *(played.move for played in self.moves)],
        )

    def _grant_takeback(self, now: float) -> Outgoing:
        """Undo the moves since the last one of the player that requested it."""
        moves = 2 if self.takeback_requested_by == self._position.player_to_move else 1
        for _ in range(moves):
            self._position.undo()
        del self.moves[-moves:]
        self._clock.refund(moves)
        self.takeback_requested_by = None
        return self._next_turn(now)

    def _next_turn(self, now: float) -> Outgoing:
        player = self._position.player_to_move
        if outcome := self._position.outcome:
            _check_outcome(outcome)
            reason = PLAYER.sub(self._with_name, outcome.reason)
            self.result = MatchResult(Termination(outcome.termination), outcome.winner, reason)
            return []
        self._clock.start(player, now)
        return [self._turn_message(now)]

    def _turn_message(self, now: float) -> tuple[int, FromArena]:
        player = self._position.player_to_move
        remaining = (self._clock.remaining(1, now), self._clock.remaining(2, now))
        return player, Turn(
            match=self.id,
            game=self.pairing.game,
            setup=self.pairing.setup,
            moves=self._position.moves,
            ply=self.ply,
            you=player,
            clocks_ms=(int(1000 * remaining[0]), int(1000 * remaining[1])),
            increment_ms=int(1000 * self._clock.control.increment),
            opponent=self.pairing.players[2 - player],
            per_move=self._clock.control.per_move,
        )

    def _run_out_of_time(self, player: int, move: int | None, charge: Charge) -> Outgoing:
        """End the match by a timeout, or abort it if the lag of the arena may have caused that."""
        self.fault = Fault(self.ply, move, *charge)
        if charge.lag >= MAX_LAG and charge.lag >= (self._clock.overdrawn or 0):
            self.abort(f"the arena was late by {charge.lag:.3f} s when a flag fell")
            return []
        if player in self._disconnected_at:
            return self._lose(player, Termination.DISCONNECT, "was gone when its time ran out")
        return self._lose(player, Termination.TIMEOUT, "has used up its time")

    def _reject(self, player: int, code: str, text: str) -> Outgoing:
        return [(player, Error(code, f"match {self.id}: {text}", self.id))]

    def _with_name(self, player: re.Match[str]) -> str:
        return f"{player[0]} ({self.pairing.players[int(player[1]) - 1]})"

    def _lose(self, player: int, termination: Termination, cause: str) -> Outgoing:
        reason = f"player {player} ({self.pairing.players[player - 1]}) {cause}"
        self.result = MatchResult(termination, 3 - player, reason)
        return []


def shorten_numbers(text: str) -> str:
    """Return a text with the first digits of each number of more than `MAX_DIGITS` digits."""
    return LONG_NUMBER.sub(_shortened, text)


def _shortened(number: re.Match[str]) -> str:
    return f"{number[0][:SHOWN_DIGITS]}... ({len(number[0])} digits)"


def error_reason(error: Exception) -> str:
    """Return the reason of a match that is aborted by an error of its game, as one line."""
    text = shorten_numbers(f"{type(error).__name__}: {error}")
    return text if text.isprintable() else ascii(text)[1:-1]


def _check_outcome(outcome: Outcome) -> None:
    """Raise ValueError for an outcome that no game may have: a package's game is not trusted."""
    winner, reason, termination = outcome
    if winner not in (1, 2, None):
        raise ValueError(f"the winner of an outcome must be 1, 2 or None, not {winner!r:.60}")
    if termination not in GAME_TERMINATIONS:
        raise ValueError(f"an outcome cannot have the termination {termination!r:.60}")
    if winner is None and termination == Termination.NO_LEGAL_MOVE:
        raise ValueError(f"an outcome with the termination {termination} must have a winner")
    if not reason.isprintable():
        raise ValueError(f"the reason of an outcome must be one line of text, not {reason!r:.60}")
