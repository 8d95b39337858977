"""Matches between bots while they are played: the referee, the clock on the wall, the database.

Reports go to the referee of a match, what it says goes to the bots, and what it decides is stored
before anybody hears of it.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.protocol import State

from arena.match.referee import Outgoing, Referee
from arena.model.clock import TimeControl
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.protocol.codec import encode
from arena.protocol.player import FromArena, Move, Resign, Started
from arena.server.loop_lag import Lag
from arena.storage.writer import DatabaseWriter

WELCOME_SECONDS = 5.0  # without an answer to the first ping, after which a welcome counts as lost
CASUAL_GRACE = 60.0  # seconds: persons load the page anew, and their phones fall asleep


class Bot:
    """A bot by name: here, or gone for a while.

    Who is `casual` plays only what a challenge asks for; who `yields` lets others take back.
    """

    def __init__(self, name: str, now: float, casual: bool = False) -> None:
        self.name = name
        self.session = ""
        self.games: frozenset[str] = frozenset()  # of the arena's, those that it plays
        self.capacity = 1  # matches at once
        self.casual = casual
        self.yields = False
        self.connection: ServerConnection | None = None
        self.here_since = self.gone_since = now
        self.booked = 0  # matches that are being played or prepared
        self.matches: dict[str, Live] = {}

    @property
    def is_free(self) -> bool:
        """Whether another match may begin."""
        return self.booked < self.capacity

    def has_its_key(self, now: float) -> bool:
        """Whether the bot that is connected can have read its session key.

        What answers the ping that follows the welcome has read the welcome. Who has not could not
        come back by any other means, before its dead connection is noticed.
        """
        assert self.connection
        is_open = self.connection.state is State.OPEN
        is_new = now < self.here_since + WELCOME_SECONDS
        return is_open and bool(self.connection.latency or is_new)

    def send(self, message: FromArena) -> None:
        """Hand a message to the socket, without waiting."""
        if self.connection:
            broadcast([self.connection], encode(message))


class Live:
    """A match in progress, with the bots that play it."""

    def __init__(self, match: Referee, bots: Sequence[Bot]) -> None:
        self.match = match
        self.bots = bots
        self.over = asyncio.Event()
        self.timer: asyncio.TimerHandle | None = None

    def player(self, bot: Bot) -> int:
        """1 or 2."""
        return self.bots.index(bot) + 1


class Playing:
    """All matches that are being played.

    `grace` is how many seconds a bot may be gone in a match that counts. The observer hears of the
    matches; what it raises is given to `failed`.
    """

    def __init__(
        self,
        store: DatabaseWriter,
        control: TimeControl,
        grace: float,
        observer: Observer,
        failed: Callable[[Exception], None],
    ) -> None:
        self._store = store
        self._control = control
        self._control_text = str(control)
        self._grace = grace
        self._observer = observer
        self._failed = failed
        self._lag = Lag()
        self._count = 0

    async def play(self, pairing: Pairing, bots: Sequence[Bot]) -> MatchRecord:
        """Play a match to its end, store it, then tell the bots. Returns its record.

        Raises DatabaseError, and ValueError if the pairing's time is none. When it is cancelled, and
        when anything else goes wrong, a match that has begun is stored as aborted.
        """
        time_control, control = self._control_text, self._control
        if pairing.time:
            time_control, control = pairing.time, TimeControl.parse(pairing.time)
        grace = CASUAL_GRACE if pairing.casual else self._grace
        yielding = [player for player, bot in enumerate(bots, 1) if bot.yields]
        started_at = time.time()
        number = await asyncio.wrap_future(
            self._store.begin_match(pairing, time_control, started_at)
        )
        match = Referee(str(number), pairing, control, grace, yielding)
        live = Live(match, bots)

        try:
            try:
                self.show(partial(self._observer.started, number, pairing))
                self._begin(live)
                await live.over.wait()
            except asyncio.CancelledError:
                match.abort("the arena was stopped")
                raise
            finally:
                assert match.result
                record = MatchRecord(
                    number,
                    pairing,
                    time_control,
                    started_at,
                    time.time(),
                    match.result,
                    tuple(match.moves),
                    match.fault,
                )
                stored = self._store.finish_match(record)
            await asyncio.wrap_future(stored)
        finally:
            self._end(live)
        self.show(partial(self._observer.finished, record))
        for player, bot in enumerate(bots, 1):
            bot.send(match.finished(player))
        return record

    def _begin(self, live: Live) -> None:
        self._lag.start()
        self._count += 1
        now = asyncio.get_running_loop().time()
        for player, bot in enumerate(live.bots, 1):
            bot.matches[live.match.id] = live
            if bot.connection is None:
                live.match.disconnected(player, bot.gone_since)
            if bot.casual:
                bot.send(_started(live, player))
        self._tell(live, partial(live.match.start, now))

    def _end(self, live: Live) -> None:
        self._count -= 1
        if not self._count:
            self._lag.stop()
        if live.timer:
            live.timer.cancel()
        for bot in live.bots:
            bot.matches.pop(live.match.id, None)

    def _tell(self, live: Live, report: Callable[[], Outgoing]) -> None:
        """Report to the referee, send what it says, and wake it when it wants to see the clock.

        Whatever goes wrong with the referee is the arena's own fault, and no player's.
        """
        known = len(live.match.moves)
        try:
            outgoing = report()
        except Exception as error:
            live.match.abort(f"{type(error).__name__}: {error}")
            outgoing = []
        for player, message in outgoing:
            live.bots[player - 1].send(message)
        for move in live.match.moves[known:]:
            self.show(partial(self._observer.moved, int(live.match.id), move))
        if len(live.match.moves) < known:
            self.show(partial(self._observer.taken_back, int(live.match.id), live.match.ply))
        deadline = live.match.deadline
        if deadline is None:
            live.over.set()
        # A timer that is too early stays: most turns are over before it, which spares setting one.
        elif live.timer is None or deadline < live.timer.when():
            if live.timer:
                live.timer.cancel()
            live.timer = asyncio.get_running_loop().call_at(deadline, self._tick, live)

    def _tick(self, live: Live) -> None:
        live.timer = None
        now = asyncio.get_running_loop().time()
        lag = self._lag.since(live.match.turn_since, now)
        self._tell(live, partial(live.match.tick, now, lag))

    def show(self, show: Callable[[], None]) -> None:
        """Let the observer hear; what it raises is given to `failed`."""
        try:
            show()
        except Exception as error:
            self._failed(error)

    # What bots do

    def receive(
        self, bot: Bot, live: Live, message: Move | Resign, now: float, credit: float
    ) -> bool:
        """A bot has moved or resigned. Returns whether that was of any use."""
        player, ply = live.player(bot), live.match.ply
        if isinstance(message, Move):
            lag = self._lag.since(live.match.turn_since, now)
            self._tell(live, partial(live.match.move, player, message, now, credit, lag))
        else:
            self._tell(live, partial(live.match.resign, player, message))
        return live.match.ply != ply or live.match.result is not None

    def take_back(self, bot: Bot, live: Live, now: float) -> bool:
        """A bot wants its last move back, or lets the other. Returns whether that was of use."""
        before = live.match.ply, live.match.wish
        self._tell(live, partial(live.match.take_back, live.player(bot), now))
        return (live.match.ply, live.match.wish) != before

    def unreadable(self, bot: Bot) -> None:
        """A bot has sent something that is no message, in whichever of its matches."""
        for live in [*bot.matches.values()]:
            self._tell(live, partial(live.match.unreadable, live.player(bot)))

    def gone(self, bot: Bot, now: float) -> None:
        """A bot's connection has been lost."""
        for live in [*bot.matches.values()]:
            self._tell(live, partial(live.match.disconnected, live.player(bot), now))

    def back(self, bot: Bot, now: float) -> None:
        """A bot has a connection again."""
        for live in [*bot.matches.values()]:
            self._tell(live, partial(live.match.reconnected, live.player(bot), now))


def _started(live: Live, player: int) -> Started:
    """What a casual player is told before its first turn."""
    pairing = live.match.pairing
    opponent = pairing.players[2 - player]
    return Started(live.match.id, pairing.game, pairing.setup, player, opponent)
