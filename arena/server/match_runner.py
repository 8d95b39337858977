"""Running matches: each connects a referee with two sessions, a timer and the database.

Events go to the referee of a match, its messages go to the players, and its result is stored
before it is announced.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import ParamSpec

from arena.match.adjudicator import MAX_LAG
from arena.match.reasons import error_reason
from arena.match.referee import Outgoing, Referee
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, Termination
from arena.model.time_control import Controls, TimeControl, parse_controls
from arena.network.budget import Budgets
from arena.protocol.player import Claim, Move, Resign, Started, TakeBack
from arena.server.completions import Completions
from arena.server.loop_lag import LoopLag
from arena.server.sessions import Session
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter

EXCUSES = 2  # of a player or an address, to which the lag of the arena can be an excuse at once
EXCUSES_PER_SECOND = 1 / 600
CASUAL_GRACE = 60.0  # seconds: people reload the page, and their phones fall asleep

P = ParamSpec("P")


OutputTail = Callable[[str, float], str]
"""Returns the last output of a bot's processes, by its name, since a Unix time."""


def no_output(_name: str, _since: float) -> str:
    """Return nothing: bots that connect by themselves write elsewhere."""
    return ""


class RunningMatch:
    """A match in progress: its referee, its two sessions, and the timer of the next deadline."""

    __slots__ = ("delayed_until", "id", "over", "referee", "sessions", "timer", "wakes_at")

    def __init__(self, referee: Referee, sessions: Sequence[Session]) -> None:
        self.id = int(referee.id)
        self.referee = referee
        self.sessions = sessions
        self.over = asyncio.Event()
        self.timer: asyncio.TimerHandle | None = None
        self.wakes_at = math.inf  # the timer's time
        self.delayed_until = 0.0  # the deadline, because of the lag of the arena

    def end_on_failure(self, start: asyncio.Future[None]) -> None:
        """End the match if its start could not be stored."""
        if start.exception():
            self.over.set()


class MatchRunner:
    """Runs all matches of an arena.

    Attributes:
        running: The matches in progress, by match id.
        lag: The lag of the event loop while matches are in progress.
    """

    def __init__(
        self,
        writer: DatabaseWriter,
        control: TimeControl,
        grace: float,
        max_credit: float,
        observer: Observer,
        on_observer_error: Callable[[Exception], None],
        output_tail: OutputTail,
    ) -> None:
        """Create a runner without matches.

        Args:
            writer: Database that stores the matches.
            control: Time control of pairings without one.
            grace: Seconds that a player of a rated match may stay disconnected.
            max_credit: Network credit that each player of a match has in reserve. Seconds.
            observer: Receives the events of all matches.
            on_observer_error: Called with each exception that the observer raises.
            output_tail: For the record of a match that the bot has forfeited without sending a log.
        """
        self.running: dict[str, RunningMatch] = {}
        self._writer = writer
        self._completions = Completions()
        self._control = control
        self._control_text = str(control)
        self._grace = grace
        self._max_credit = max_credit
        self._observer = observer
        self._on_observer_error = on_observer_error
        self.lag = LoopLag()
        self._output_tail = output_tail
        self._excuses = Budgets(EXCUSES, EXCUSES_PER_SECOND)

    async def play(self, pairing: Pairing, sessions: Sequence[Session]) -> MatchRecord:
        """Play a match to its end, store it, then announce the result.

        It does not wait until its start is stored. If that fails, the match is aborted at once. A
        match that has begun is stored as aborted when this is cancelled or anything else fails.

        Args:
            pairing: The match to play.
            sessions: The sessions of players 1 and 2.

        Returns:
            The stored record.

        Raises:
            DatabaseError: The match could not be stored.
            ValueError: The pairing's time control is invalid.
        """
        controls = parse_controls(pairing.time) if pairing.time else (self._control, self._control)
        control_text = pairing.time or self._control_text
        started_at, started = time.time(), time.monotonic()
        match_id, begun = self._writer.begin_match(pairing, control_text, started_at)
        start = self._completions.wait(begun)
        referee = self._new_referee(match_id, pairing, controls, sessions)
        running = RunningMatch(referee, sessions)
        start.add_done_callback(running.end_on_failure)
        try:
            try:
                self.notify(self._observer.started, match_id, pairing)
                self._begin(running)
                await running.over.wait()
                if start.done():
                    start.result()
            except asyncio.CancelledError:
                referee.abort("the arena was stopped")
                raise
            except DatabaseError:
                # An end of its own is announced only if it is stored.
                told = () if referee.result else sessions
                referee.abort("the start of the match could not be stored")
                _announce(referee, told)
                raise
            finally:
                finished_at = started_at + time.monotonic() - started  # time.time() may jump
                record = self._record(referee, control_text, started_at, finished_at)
                stored = self._writer.finish_match(record)
            await self._completions.wait(stored)
        finally:
            self._end(running)
        self.notify(self._observer.finished, record)
        _announce(referee, sessions)
        return record

    def tolerances(self, casual: bool) -> tuple[float, float]:
        """Return the grace and the margin of rated or of casual matches, in seconds.

        A casual match can have a margin of its own, in the time control of the challenge.
        """
        return (CASUAL_GRACE, 0.0) if casual else (self._grace, self._control.margin)

    def notify(self, event: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call a method of the observer; report its exception to `on_observer_error`."""
        try:
            event(*args, **kwargs)
        except Exception as error:
            self._on_observer_error(error)

    def receive(
        self,
        session: Session,
        message: Move | Resign | TakeBack | Claim,
        now: float,
        credit: float,
    ) -> bool:
        """Process a player's message in one of its running matches.

        Args:
            session: The sender, which plays the match that the message names.
            message: The message.
            now: Time of the event loop at which the message arrived.
            credit: Measured network delay of the sender, in seconds.

        Returns:
            Whether the message changed the match.
        """
        player, running = session.matches[message.match], self.running[message.match]
        referee = running.referee
        if isinstance(message, Move):
            lag, excuse = self._measure_lag(running, now)
            return self._report(running, referee.move, player, message, now, credit, lag, excuse)
        if isinstance(message, TakeBack):
            return self._report(running, referee.take_back, player, now, message.accept)
        if isinstance(message, Claim):
            return self._report(running, referee.claim, player, message, now)
        return self._report(running, referee.resign, player, message)

    def receive_unreadable(self, session: Session) -> None:
        """Report an unreadable message to all matches of its sender."""
        for match_id, player in [*session.matches.items()]:
            running = self.running[match_id]
            self._report(running, running.referee.unreadable, player)

    def disconnect(self, session: Session, now: float) -> None:
        """Report a lost connection to all matches of the session."""
        for match_id, player in [*session.matches.items()]:
            running = self.running[match_id]
            self._report(running, running.referee.disconnect, player, now)

    def remove(self, session: Session) -> None:
        """Let a session lose all its matches, as the operator has removed it."""
        for match_id, player in [*session.matches.items()]:
            running = self.running[match_id]
            self._report(running, running.referee.remove, player)

    def reconnect(self, session: Session, now: float) -> None:
        """Report a new connection to all matches of the session."""
        for match_id, player in [*session.matches.items()]:
            running = self.running[match_id]
            if session.casual:  # it may have missed the start, and learns which matches go on
                session.send(_started(running.referee, player))
            self._report(running, running.referee.reconnect, player, now)

    def _record(
        self, referee: Referee, control: str, started_at: float, finished_at: float
    ) -> MatchRecord:
        """Return the record of a match that ends now."""
        result = referee.result
        assert result, "the match is not over"
        log = referee.log
        if not log and result.termination.is_forfeit and result.winner:
            loser = referee.pairing.players[2 - result.winner]
            # A bot that is absent has written why before the match.
            is_gone = result.termination is Termination.DISCONNECT
            log = self._output_tail(loser, 0.0 if is_gone else started_at)
        return MatchRecord(
            int(referee.id),
            referee.pairing,
            control,
            started_at,
            finished_at,
            result,
            tuple(referee.moves),
            referee.fault,
            log,
            dict(referee.infos),
        )

    def _new_referee(
        self, match_id: int, pairing: Pairing, controls: Controls, sessions: Sequence[Session]
    ) -> Referee:
        grace, _ = self.tolerances(pairing.casual)
        granting = [
            player for player, session in enumerate(sessions, 1) if session.grants_takebacks
        ]
        return Referee(
            str(match_id), pairing, controls[0], grace, granting, controls[1], self._max_credit
        )

    def _begin(self, running: RunningMatch) -> None:
        self.lag.start()
        referee = running.referee
        self.running[referee.id] = running
        now = asyncio.get_running_loop().time()
        for player, session in enumerate(running.sessions, 1):
            session.matches[referee.id] = player
            if session.casual:
                session.send(_started(referee, player))
        self._report(running, referee.start, now)
        for player, session in enumerate(running.sessions, 1):
            if session.connection is None:
                # The time in which a person has waited for an opponent does not count.
                since = now if session.casual else session.disconnected_at
                self._report(running, referee.disconnect, player, since)

    def _end(self, running: RunningMatch) -> None:
        self.running.pop(running.referee.id, None)
        if not self.running:
            self.lag.stop()
        if running.timer:
            running.timer.cancel()
        for session in running.sessions:
            session.matches.pop(running.referee.id, None)

    def _report(
        self,
        running: RunningMatch,
        event: Callable[P, Outgoing],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> bool:
        """Report an event to the referee, send its messages, and set the timer to its deadline.

        An exception of the referee is the arena's fault and aborts the match.

        Returns:
            Whether the event has changed the match.
        """
        referee = running.referee
        if referee.result:  # being stored; an excuse of it counts once
            return False
        known, requested_by = len(referee.moves), referee.takeback_requested_by
        try:
            outgoing = event(*args, **kwargs)
        except Exception as error:
            referee.abort(error_reason(error))
            outgoing = []
        for player, message in outgoing:
            running.sessions[player - 1].send(message)
        moves = len(referee.moves)
        if moves > known:  # by one
            self.notify(self._observer.moved, running.id, referee.moves[-1])
        elif moves < known:
            self.notify(self._observer.taken_back, running.id, referee.ply)
        deadline = referee.deadline
        if deadline is None:
            if referee.is_excused:
                self._count_excuse(running)
            running.over.set()
            return True
        when = max(deadline, running.delayed_until)
        # A timer that is too early stays: most turns end before it, which saves setting a new one.
        if when < running.wakes_at:
            self._set_timer(running, when)
        return moves != known or referee.takeback_requested_by != requested_by

    def _set_timer(self, running: RunningMatch, when: float) -> None:
        if running.timer:
            running.timer.cancel()
        running.timer = asyncio.get_running_loop().call_at(when, self._tick, running)
        running.wakes_at = when

    def _tick(self, running: RunningMatch) -> None:
        """Let the referee check its deadline.

        After a lag this happens later by as much: a move that had arrived in time is read until
        then, and one that has not even arrived then is too late whatever the lag.
        """
        running.timer = None
        running.wakes_at = math.inf
        now = asyncio.get_running_loop().time()
        deadline = running.referee.deadline
        if deadline is None:  # over, and being stored
            return
        lag, excuse = self._measure_lag(running, now)
        if running.delayed_until < deadline <= now and excuse >= max(MAX_LAG, now - deadline):
            running.delayed_until = now + excuse
            self._set_timer(running, running.delayed_until)
        else:
            self._report(running, running.referee.tick, now, lag, excuse)

    def _measure_lag(self, running: RunningMatch, now: float) -> tuple[float, float]:
        """Return the worst lag of the current turn, and the part that can excuse its player.

        Lag does not excuse a client that has caused it, nor any client again and again: a player
        must not be able to void its losses.
        """
        begin = running.referee.turn_started_at
        lag = self.lag.worst_between(begin, now)
        if lag < MAX_LAG:
            return lag, lag
        deadline = running.referee.deadline
        if deadline is None or now + self._max_credit < deadline:  # no excuse is needed
            return lag, lag
        session = running.sessions[running.referee.player_to_move - 1]
        if not all(self._excuses.has_unit(key, now) for key in _excused(session)):
            return lag, 0.0
        return lag, self.lag.worst_between(begin, now, session.source)

    def _count_excuse(self, running: RunningMatch) -> None:
        """Count a match that was aborted because the arena was late."""
        session = running.sessions[running.referee.player_to_move - 1]
        now = asyncio.get_running_loop().time()
        for key in _excused(session):
            self._excuses.try_spend(key, now)


def _announce(referee: Referee, sessions: Sequence[Session]) -> None:
    """Tell the players the end of their match."""
    for player, session in enumerate(sessions, 1):
        session.send(referee.finished_message(player))


def _excused(session: Session) -> tuple[str, str]:
    """Return the keys that an excuse is counted under: the player and its address."""
    return f"name {session.name}", f"source {session.source}"


def _started(referee: Referee, player: int) -> Started:
    """Return the message that a casual player receives before its first turn."""
    pairing = referee.pairing
    opponent = pairing.players[2 - player]
    return Started(referee.id, pairing.game, pairing.setup, player, opponent)
