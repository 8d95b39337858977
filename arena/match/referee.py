"""Referee of one match: a state machine without input, output or a clock of its own (sans I/O).

It is the adjudicator with the messages around it, the players' connections and takebacks. Each
event is a method call with the time `now` at which it happened, and returns the messages to
send as a list of (player, message). After `result` is set, events are ignored. The caller sends
the end of the match (`finished_message`) once the result is stored.
"""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Concatenate, ParamSpec

from arena.match.adjudicator import Adjudicator
from arena.match.reasons import (
    FAILED,
    MALFORMED_LIMIT,
    REMOVED,
    RESIGNED,
    UNREADABLE,
    loss,
    shorten_numbers,
)
from arena.model.results import NOTHING, Info, Pairing, Termination
from arena.model.time_control import TimeControl, milliseconds
from arena.protocol.player import (
    Claim,
    Error,
    Finished,
    FromArena,
    Move,
    OpponentBack,
    OpponentLeft,
    Resign,
    TakeBackAsked,
    TakeBackDeclined,
    Turn,
)

CLAIM_SHARE = 0.5  # of the grace, after which the opponent of a disconnected player may claim

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


class Referee(Adjudicator):
    """Rules, clock and messages of one match between players 1 and 2.

    It has one method for each event that a match can have.

    Attributes:
        id: The id of the match in messages.
        takeback_requested_by: The player with a pending takeback request, if any.
        log: The last output of the program that lost the match, if its bot sent it.
        infos: The information that bots sent with their moves, by ply.
    """

    __slots__ = (
        "_disconnected_at",
        "_grace",
        "_grants_takebacks",
        "_unreadable_messages",
        "id",
        "infos",
        "log",
        "takeback_requested_by",
    )

    def __init__(
        self,
        match_id: str,
        pairing: Pairing,
        control: TimeControl,
        grace: float,
        grants_takebacks: Collection[int] = (),
        second: TimeControl | None = None,
        max_credit: float = 0.0,
    ) -> None:
        """Prepare a match that has not started.

        Args:
            match_id: The id of the match in messages.
            pairing: The players, the game and the opening.
            control: The time control of both players, or of player 1.
            grace: How long a player may be disconnected while its clock lasts. Seconds.
            grants_takebacks: The players that grant every takeback request automatically.
            second: The time control of player 2, if it has another one.
            max_credit: The network credit that each player has in reserve. Seconds.
        """
        self._disconnected_at: dict[int, float] = {}  # by player
        super().__init__(pairing, control, self._disconnected_at, second, max_credit)
        self.id = match_id
        self.takeback_requested_by: int | None = None
        self.log = ""
        self.infos: dict[int, Info] = {}
        self._grace = grace
        self._grants_takebacks = grants_takebacks
        self._unreadable_messages = {1: 0, 2: 0}

    @property
    def turn_started_at(self) -> float:
        """The time at which the current or last turn started."""
        return self.clock.started_at

    @property
    def deadline(self) -> float | None:
        """The time at which to call `tick`, or None after the end of the match."""
        if self.result:
            return None
        deadline = self.clock.deadline
        if not self._disconnected_at:
            return deadline
        absence = min(self._disconnected_at.values()) + self._grace
        return absence if deadline is None else min(deadline, absence)

    @_while_running
    def start(self, now: float) -> Outgoing:
        """Start the match.

        Raises:
            ValueError: The game rejects the setup.
            IllegalMove: The opening is not legal.
        """
        self.set_up()
        self.begin_turn(now)
        return self._next_turn(now)

    def move(
        self,
        player: int,
        message: Move,
        now: float,
        credit: float = 0.0,
        lag: float = 0.0,
        excuse: float = 0.0,
    ) -> Outgoing:
        """Process a move.

        Args:
            player: The sender, 1 or 2.
            message: The message.
            now: The time at which it was received.
            credit: Measured network delay of the sender. Seconds.
            lag: Largest lag of the arena's event loop since the turn was sent. Seconds.
            excuse: The lag that can excuse the player if its time has run out. Seconds.

        Raises:
            ValueError: The game has a move or an outcome that no game may have; it may also raise
                anything else. The match is to be aborted.
        """
        if self.result:  # asked here, as `_while_running` costs a third of a microsecond
            return []
        if message.ply != self.ply:
            text = shorten_numbers(f"expected ply {self.ply}, got {message.ply}")
            return self._reject(player, "wrong_ply", text)
        if player != self.player_to_move:
            return self._reject(
                player, "not_your_turn", f"player {3 - player} is to move at ply {message.ply}"
            )
        if self.takeback_requested_by == 3 - player and player in self._grants_takebacks:
            return self._grant_takeback(now)
        self.play(message.move, now, credit, lag, excuse)
        if self.fault:
            self.log = message.log or ""
        else:
            self.takeback_requested_by = None
            if message.info not in (None, NOTHING):
                self.infos[message.ply] = message.info
        return self._next_turn(now)

    @_while_running
    def take_back(self, player: int, now: float, accept: bool = True) -> Outgoing:
        """Process a player's request to take back its last move, or its answer to the opponent's.

        Without `accept` it declines the request of the opponent, if there is one.

        The opponent is asked once; its next move declines the request. An opponent that grants
        takebacks automatically is not asked. If such an opponent is to move, the takeback is
        granted when its move arrives, and that move is ignored: otherwise it could be mistaken for
        the answer to a later turn with the same ply.
        """
        if not self.pairing.casual:
            return self._reject(player, "not_casual", "takebacks are not allowed in a rated match")
        opponent = 3 - player
        if not accept:
            return self._decline_takeback(opponent)
        if self.takeback_requested_by == opponent:
            return self._grant_takeback(now)
        is_to_move = player == self.player_to_move
        if len(self.moves) < 1 + is_to_move:
            return self._reject(player, "nothing_to_take_back", "you have not made a move yet")
        if self.takeback_requested_by == player:
            return []
        self.takeback_requested_by = player
        if opponent not in self._grants_takebacks:
            return [(opponent, TakeBackAsked(self.id))]
        return self._grant_takeback(now) if is_to_move else []

    @_while_running
    def resign(self, player: int, message: Resign) -> Outgoing:
        """Process a resignation, whichever player is to move."""
        if failure := message.failure:
            self.log = failure.log
            return self.fail(player, failure.reason, Termination(failure.termination))
        return self._lose(player, Termination.RESIGNATION, RESIGNED)

    @_while_running
    def unreadable(self, player: int) -> Outgoing:
        """Process a message that could not be decoded."""
        self._unreadable_messages[player] += 1
        if self._unreadable_messages[player] < MALFORMED_LIMIT:
            return []
        return self._lose(player, Termination.MALFORMED, UNREADABLE)

    @_while_running
    def disconnect(self, player: int, now: float) -> Outgoing:
        """Process the loss of a player's connection. Its clock keeps running."""
        self._disconnected_at[player] = now
        return self._report_absence(player, now)

    @_while_running
    def remove(self, player: int) -> Outgoing:
        """Process the removal of a player by the operator: there is no time to come back."""
        return self._lose(player, Termination.DISCONNECT, REMOVED)

    @_while_running
    def reconnect(self, player: int, now: float) -> Outgoing:
        """Process a reconnection: send the player all that it may have missed again."""
        outgoing = self._report_absence(3 - player, now)
        if self._disconnected_at.pop(player, None) is not None and self.pairing.casual:
            outgoing.append((3 - player, OpponentBack(self.id)))
        if player == self.player_to_move:
            outgoing.append(self._turn_message(now))
        if self.takeback_requested_by == 3 - player and player not in self._grants_takebacks:
            outgoing.append((player, TakeBackAsked(self.id)))
        return outgoing

    @_while_running
    def claim(self, player: int, message: Claim, now: float) -> Outgoing:
        """Process the claim that a casual match is over, as the opponent has been disconnected."""
        if not self.pairing.casual:
            return self._reject(player, "not_casual", "nothing can be claimed in a rated match")
        opponent = 3 - player
        absence = now - self._disconnected_at.get(opponent, now)
        least = CLAIM_SHARE * self._grace
        if absence < least:
            text = f"the opponent must have been disconnected for {least:g} s"
            return self._reject(player, "nothing_to_claim", text)
        cause = f"was disconnected for {absence:.0f} s"
        if message.result == "win":
            return self._lose(opponent, Termination.DISCONNECT, cause)
        left = loss(self.pairing.players, opponent, Termination.DISCONNECT, cause)
        self.abort(f"called off: {left.reason}")
        return []

    @_while_running
    def tick(self, now: float, lag: float = 0.0, excuse: float = 0.0) -> Outgoing:
        """Check the clock and the grace period of disconnected players.

        Args:
            now: The present time.
            lag: Largest lag of the arena's event loop since the turn was sent. Seconds.
            excuse: The lag that can excuse the player if its time has run out. Seconds.
        """
        self.check_clock(now, lag, excuse)
        if self.result:
            return []
        for player, since in self._disconnected_at.items():
            if now >= since + self._grace:
                reason = f"was disconnected for {self._grace:g} s"
                return self._lose(player, Termination.DISCONNECT, reason)
        return []

    @_while_running
    def fail(
        self, player: int, failure: str, termination: Termination = Termination.DISCONNECT
    ) -> Outgoing:
        """Process the failure of a player's program.

        Args:
            player: The player, 1 or 2.
            failure: How it failed, in one line.
            termination: The kind of failure: disconnect, malformed or timeout.
        """
        return self._lose(player, termination, f"{FAILED}{failure}")

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

    def _report_absence(self, player: int, now: float) -> Outgoing:
        """Tell the opponent of a disconnected casual player what it can do, and when."""
        since = self._disconnected_at.get(player)
        if since is None or not self.pairing.casual:
            return []
        absence = now - since
        waits = (share * self._grace - absence for share in (CLAIM_SHARE, 1))
        left = (int(milliseconds(max(0.0, wait))) for wait in waits)
        return [(3 - player, OpponentLeft(self.id, *left))]

    def _decline_takeback(self, opponent: int) -> Outgoing:
        if self.takeback_requested_by != opponent:
            return []
        self.takeback_requested_by = None
        return [(opponent, TakeBackDeclined(self.id))]

    def _grant_takeback(self, now: float) -> Outgoing:
        """Undo the moves since the last one of the player that requested it."""
        moves = 2 if self.takeback_requested_by == self.player_to_move else 1
        self.undo(moves, now)
        self.infos = {ply: info for ply, info in self.infos.items() if ply < self.ply}
        self.takeback_requested_by = None
        return self._next_turn(now)

    def _next_turn(self, now: float) -> Outgoing:
        return [] if self.result else [self._turn_message(now)]

    def _turn_message(self, now: float) -> tuple[int, FromArena]:
        return self.player_to_move, turn_of(self, self.id, now)

    def _reject(self, player: int, code: str, text: str) -> Outgoing:
        return [(player, Error(code, f"match {self.id}: {text}", self.id))]

    def _lose(self, player: int, termination: Termination, cause: str) -> Outgoing:
        self.lose(player, termination, cause)
        return []


def turn_of(match: Adjudicator, match_id: str, now: float) -> Turn:
    """Return the request for a move to the player to move.

    Args:
        match: The match, which is not over.
        match_id: Its id in messages.
        now: The time at which the clocks are read.
    """
    player, pairing, clock = match.player_to_move, match.pairing, match.clock
    own, other = clock.controls[player - 1], clock.controls[2 - player]
    return Turn(  # by position, which takes half the time
        match_id,
        pairing.game,
        pairing.setup,
        match.position.moves,
        match.ply,
        player,
        (int(milliseconds(clock.remaining(1, now))), int(milliseconds(clock.remaining(2, now)))),
        int(1000 * own.increment),
        pairing.players[2 - player],
        own.per_move,
        int(1000 * other.increment),
        other.per_move,
    )
