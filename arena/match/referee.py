"""The referee of one match: a state machine that knows the rules and the clocks, and no socket.

Whatever happens comes in by a method, with the time `now` at which it happened; what the players
are to be told comes out as a list of (player, message). Once `result` is set nothing changes any
more. The referee tells nobody of the end: that waits until the result is stored.
"""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Concatenate, ParamSpec

from arena.model.clock import MAX_CREDIT, Charge, Clock, TimeControl
from arena.model.results import Fault, MatchResult, Pairing, PlayedMove, Termination
from arena.protocol.player import Error, Finished, FromArena, Move, Resign, TakeBackAsked, Turn
from core import GAMES
from core.game import IllegalMove, Position

MALFORMED_LIMIT = 3  # unreadable messages from one player in one match
LATE = 0.1  # seconds of the arena's own lag from which on a flag that it lets fall is its own fault

Outgoing = list[tuple[int, FromArena]]
P = ParamSpec("P")


def _while_running(
    method: Callable[Concatenate["Match", P], Outgoing],
) -> Callable[Concatenate["Match", P], Outgoing]:
    """Let a method of Match do nothing once there is a result."""

    @wraps(method)
    def guarded(self: "Match", /, *args: P.args, **kwargs: P.kwargs) -> Outgoing:
        return [] if self.result else method(self, *args, **kwargs)

    return guarded


class Match:
    """One match between players 1 and 2, from the position after the pairing's opening.

    The position is there from `start` on. `grace` is how many seconds a player may stay
    disconnected, as long as its clock lasts. Who is `yielding` always lets the other take back; the
    `wish` is that of the player, if there is one, whose take-back has not been granted yet.
    """

    _position: Position

    def __init__(
        self,
        match_id: str,
        pairing: Pairing,
        control: TimeControl,
        grace: float,
        yielding: Collection[int] = (),
    ) -> None:
        self.id = match_id
        self.pairing = pairing
        self.result: MatchResult | None = None
        self.moves: list[PlayedMove] = []
        self.fault: Fault | None = None
        self.wish: int | None = None
        self._clock = Clock(control)
        self._grace = grace
        self._yielding = yielding
        self._gone: dict[int, float] = {}  # player -> since when
        self._unreadable = {1: 0, 2: 0}

    @property
    def ply(self) -> int:
        """How many moves have been made, the opening's included."""
        return len(self.pairing.opening) + len(self.moves)

    @property
    def turn_since(self) -> float:
        """When the clock that runs, or that ran last, was started."""
        return self._clock.since

    @property
    def deadline(self) -> float | None:
        """When `tick` has to be called, or None once the match is over."""
        if self.result:
            return None
        times = [since + self._grace for since in self._gone.values()]
        if self._clock.deadline is not None:
            times.append(self._clock.deadline)
        return min(times, default=None)

    @_while_running
    def start(self, now: float) -> Outgoing:
        """Begin the match. Raises what the game raises at a setup or an opening."""
        game = GAMES[self.pairing.game]
        self._position = game.position(**self.pairing.setup, taken=self.pairing.opening)
        return self._next_turn(now)

    @_while_running
    def move(
        self, player: int, message: Move, now: float, credit: float = 0.0, lag: float = 0.0
    ) -> Outgoing:
        """A player's move has arrived; the network is known to take `credit` seconds of it.

        Since the turn was sent, the arena has been late by `lag` seconds at worst.
        """
        if message.ply != self.ply:
            text = f"ply {message.ply} is not the next, which is {self.ply}"
            return self._refuse(player, "wrong_ply", text)
        if player != self._position.player_to_move:
            return self._refuse(player, "not_your_turn", f"ply {message.ply} is not yours")
        if self.wish == 3 - player and player in self._yielding:
            return self._undo(now)
        charge = self._clock.stop(now, credit, lag)
        if self._clock.overdrawn is not None:
            return self._fall(player, message.move, charge)
        try:
            self._position.take(message.move)
        except IllegalMove as error:
            self.fault = Fault(self.ply, message.move, *charge)
            return self._lose(player, Termination.ILLEGAL_MOVE, f"made an {error}")
        self.moves.append(PlayedMove(message.ply, message.move, *charge))
        self.wish = None
        return self._next_turn(now)

    @_while_running
    def take_back(self, player: int, now: float) -> Outgoing:
        """A player wants its last move undone with what was played since, or lets the other.

        The other is asked once, and whoever moves then has put an end to it. Who is yielding is not
        asked; but if it is to move its answer is awaited first, and goes for nothing: it could not
        be told from the answer to another turn at the same ply.
        """
        if not self.pairing.casual:
            return self._refuse(player, "not_casual", "a move in a match that counts is final")
        other = 3 - player
        if self.wish == other:
            return self._undo(now)
        is_to_move = player == self._position.player_to_move
        if len(self.moves) < 1 + is_to_move:
            return self._refuse(player, "nothing_to_take_back", "you have not moved yet")
        if self.wish == player:
            return []
        self.wish = player
        if other not in self._yielding:
            return [(other, TakeBackAsked(self.id))]
        return self._undo(now) if is_to_move else []

    @_while_running
    def resign(self, player: int, _message: Resign) -> Outgoing:
        """A player gives up, in its turn or not."""
        return self._lose(player, Termination.RESIGNATION, "resigned")

    @_while_running
    def unreadable(self, player: int) -> Outgoing:
        """A player has sent something that is no message."""
        self._unreadable[player] += 1
        if self._unreadable[player] < MALFORMED_LIMIT:
            return []
        reason = f"sent {MALFORMED_LIMIT} unreadable messages"
        return self._lose(player, Termination.MALFORMED, reason)

    @_while_running
    def disconnected(self, player: int, now: float) -> Outgoing:
        """A player's connection is gone. Its clock goes on."""
        self._gone[player] = now
        return []

    @_while_running
    def reconnected(self, player: int, now: float) -> Outgoing:
        """A player is back: it is told again if it is its turn, and if it has to agree."""
        self._gone.pop(player, None)
        told: Outgoing = []
        if player == self._position.player_to_move:
            told.append(self._turn(now))
        if self.wish == 3 - player and player not in self._yielding:
            told.append((player, TakeBackAsked(self.id)))
        return told

    @_while_running
    def tick(self, now: float, lag: float = 0.0) -> Outgoing:
        """The time is `now`: a flag may have fallen, a player may be gone for too long."""
        player = self._position.player_to_move
        if self._clock.deadline is not None and now >= self._clock.deadline:
            return self._fall(player, None, self._clock.stop(now, MAX_CREDIT, lag))
        for player, since in self._gone.items():
            if now >= since + self._grace:
                reason = f"was disconnected for {self._grace:g} s"
                return self._lose(player, Termination.DISCONNECT, reason)
        return []

    def abort(self, cause: str) -> None:
        """End the match through no fault of its players."""
        if not self.result:
            self.result = MatchResult(Termination.ABORTED, None, cause)

    def finished(self, player: int) -> Finished:
        """What a player is told of the end."""
        assert self.result is not None, "the match is not over"
        return Finished(
            match=self.id,
            you=player,
            winner=self.result.winner,
            termination=self.result.termination,
            reason=self.result.reason,
            moves=[*self.pairing.opening, *(played.move for played in self.moves)],
        )

    def _undo(self, now: float) -> Outgoing:
        """Grant the wish."""
        moves = 2 if self.wish == self._position.player_to_move else 1
        for _ in range(moves):
            self._position.undo()
        del self.moves[-moves:]
        self._clock.give_back(moves)
        self.wish = None
        return self._next_turn(now)

    def _next_turn(self, now: float) -> Outgoing:
        player = self._position.player_to_move
        if self._position.is_over:
            return self._lose(player, Termination.NO_LEGAL_MOVE, "cannot move")
        self._clock.start(player, now)
        return [self._turn(now)]

    def _turn(self, now: float) -> tuple[int, FromArena]:
        player = self._position.player_to_move
        remaining = (self._clock.remaining(1, now), self._clock.remaining(2, now))
        return player, Turn(
            match=self.id,
            game=self.pairing.game,
            setup=self.pairing.setup,
            moves=self._position.taken,
            ply=self.ply,
            you=player,
            clocks_ms=(int(1000 * remaining[0]), int(1000 * remaining[1])),
            increment_ms=int(1000 * self._clock.control.increment),
            opponent=self.pairing.players[2 - player],
            per_move=self._clock.control.per_move,
        )

    def _fall(self, player: int, move: int | None, charge: Charge) -> Outgoing:
        """A flag has fallen: the player's fault, unless the arena was late itself."""
        self.fault = Fault(self.ply, move, *charge)
        if charge.lag >= LATE and charge.lag >= (self._clock.overdrawn or 0):
            self.abort(f"the arena was late by {charge.lag:.3f} s when a flag fell")
            return []
        if player in self._gone:
            return self._lose(player, Termination.DISCONNECT, "was gone when its time ran out")
        return self._lose(player, Termination.TIMEOUT, "has used up its time")

    def _refuse(self, player: int, code: str, text: str) -> Outgoing:
        return [(player, Error(code, f"match {self.id}: {text}", self.id))]

    def _lose(self, player: int, termination: Termination, what: str) -> Outgoing:
        reason = f"player {player} ({self.pairing.players[player - 1]}) {what}"
        self.result = MatchResult(termination, 3 - player, reason)
        return []
