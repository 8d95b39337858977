"""Adjudicator of one match: its rules, its clock and its moves, without messages or connections.

Each event is a method call with the time `now` at which it happened. After `result` is set, the
match is over, and no further event may follow. It is the referee's silent part, and the whole
referee of a match in process, where it is most of the cost except the bots: one call for each
move, which makes one object.
"""

from collections.abc import Container

from arena.match.reasons import loss, result_of, shorten_numbers
from arena.model.results import Fault, MatchResult, Pairing, PlayedMove, Termination
from arena.model.time_control import Charge, Clock, TimeControl
from core import GAMES
from core.game import IllegalMove, Position

MAX_LAG = 0.1  # seconds; from this lag of the event loop on it can excuse a timeout

LEAST_MOVE, LARGEST_MOVE = -(2**63), 2**63 - 1  # a database stores 64 bits


class Adjudicator:
    """Rules and clock of one match between players 1 and 2.

    Attributes:
        pairing: The players, the game and the opening.
        clock: The clock of both players.
        position: The position, from `set_up` on; only the adjudicator changes it for good.
        player_to_move: The player to move, also at the end of the match.
        moves: The moves of the players, without the opening's.
        result: How the match ended; None until then.
        fault: The turn that ended the match by an illegal move or a timeout, if one did.
        is_excused: Whether the match was aborted because the arena was late when a flag fell.
    """

    __slots__ = (
        "_disconnected",
        "_first_ply",
        "clock",
        "fault",
        "is_excused",
        "moves",
        "pairing",
        "player_to_move",
        "position",
        "result",
    )
    position: Position
    player_to_move: int

    def __init__(
        self,
        pairing: Pairing,
        control: TimeControl,
        disconnected: Container[int] = (),
        second: TimeControl | None = None,
        max_credit: float = 0.0,
    ) -> None:
        """Prepare a match that has not started.

        Args:
            pairing: The players, the game and the opening.
            control: The time control of both players, or of player 1.
            disconnected: The players without a connection; it may change during the match.
            second: The time control of player 2, if it has another one.
            max_credit: The network credit that each player has in reserve. Seconds.
        """
        self.pairing = pairing
        self.clock = Clock(control, second, max_credit)
        self.moves: list[PlayedMove] = []
        self.result: MatchResult | None = None
        self.fault: Fault | None = None
        self.is_excused = False
        self._first_ply = len(pairing.opening)
        self._disconnected = disconnected

    @property
    def ply(self) -> int:
        """The number of moves made, including the opening's."""
        return self._first_ply + len(self.moves)

    def set_up(self) -> None:
        """Set up the position after the opening.

        Raises:
            ValueError: The game rejects the setup.
            IllegalMove: The opening is not legal.
        """
        pairing = self.pairing
        game = GAMES[pairing.game]
        self.position = game.position(**pairing.setup, moves=pairing.opening)

    def begin_turn(self, now: float) -> None:
        """Start the clock of the player to move; end the match if the game is over.

        The caller begins the first turn, after `set_up`. Raises ValueError as `play` does.
        """
        position = self.position
        player = self.player_to_move = position.player_to_move
        if outcome := position.outcome:
            self.result = result_of(outcome, self.pairing.players)
        else:
            self.clock.start(player, now)

    def play(
        self, move: int, now: float, credit: float = 0.0, lag: float = 0.0, excuse: float = 0.0
    ) -> None:
        """Process the move of the player to move.

        Args:
            move: The move.
            now: The time at which it was received.
            credit: Measured network delay of the sender. Seconds.
            lag: Largest lag of the arena's event loop since the turn began. Seconds.
            excuse: The lag that can excuse the player if its time has run out. Seconds.

        Raises:
            ValueError: The game has a move or an outcome that no game may have; it may also raise
                anything else. The match is to be aborted.
        """
        clock = self.clock
        charge = clock.stop(now, credit, lag)
        if clock.overdrawn is not None:
            self._run_out_of_time(move, charge, excuse)
            return
        try:
            self.position.play(move)
        except IllegalMove as error:
            self._note_fault(move, charge)
            cause = f"made an {shorten_numbers(str(error))}"
            self.lose(self.player_to_move, Termination.ILLEGAL_MOVE, cause)
            return
        if not LEAST_MOVE <= move <= LARGEST_MOVE:
            raise ValueError(f"legal move {move} has more than 64 bits")
        moves = self.moves
        ply = self._first_ply + len(moves)
        moves.append(
            PlayedMove(ply, move, charge.elapsed, charge.credit, charge.charged, charge.lag)
        )
        self.begin_turn(now)

    def check_clock(self, now: float, lag: float = 0.0, excuse: float = 0.0) -> None:
        """End the match if the player to move cannot be in time any more; arguments as `play`."""
        deadline = self.clock.deadline
        if deadline is not None and now >= deadline:
            self._run_out_of_time(None, self.clock.stop(now, self.clock.max_credit, lag), excuse)

    def undo(self, moves: int, now: float) -> None:
        """Undo the last moves and their charges, and begin the turn before them again."""
        for _ in range(moves):
            self.position.undo()
        del self.moves[-moves:]
        self.clock.refund(moves)
        self.begin_turn(now)

    def lose(self, player: int, termination: Termination, cause: str) -> None:
        """End the match by the loss of a player, who "resigned", for example."""
        self.result = loss(self.pairing.players, player, termination, cause)

    def abort(self, cause: str) -> None:
        """End the match without a winner, for instance because of a fault of the arena."""
        if not self.result:
            self.result = MatchResult(Termination.ABORTED, None, cause)

    def _run_out_of_time(self, move: int | None, charge: Charge, excuse: float) -> None:
        """End the match by a timeout, or abort it if the lag of the arena may have caused that."""
        self._note_fault(move, charge)
        if excuse >= max(MAX_LAG, self.clock.overdrawn or 0):
            self.is_excused = True
            self.abort(f"the arena was late by {charge.lag:.3f} s when a flag fell")
        elif self.player_to_move in self._disconnected:
            cause = "was gone when its time ran out"
            self.lose(self.player_to_move, Termination.DISCONNECT, cause)
        else:
            self.lose(self.player_to_move, Termination.TIMEOUT, "has used up its time")

    def _note_fault(self, move: int | None, charge: Charge) -> None:
        self.fault = Fault(
            self.ply, move, charge.elapsed, charge.credit, charge.charged, charge.lag
        )
