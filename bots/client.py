"""WebSocket client of a bot: connects, reconnects, and answers turns with a strategy."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Literal, NamedTuple, NoReturn, Protocol, TypeVar, runtime_checkable
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidProxy, InvalidStatus
from websockets.frames import CloseCode

from arena.model.addresses import is_loopback, parsed_address
from arena.model.results import Info, Termination
from arena.protocol.codec import DecodeError, decode_from_arena, encode
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Error,
    Finished,
    Hello,
    Move,
    Resign,
    Turn,
    Welcome,
)
from core import GAMES
from core.game import Position

__all__ = [
    "Answer",
    "Choice",
    "Client",
    "ClockReading",
    "ConnectionRejected",
    "InformedStrategy",
    "ProgramFailed",
    "Strategy",
    "TurnStrategy",
    "clock_of",
    "limit_clock",
    "position_of",
    "run_in_thread",
]

TRANSIENT = {"tokens_unavailable"}  # codes of refusals after which the client tries again
FIRST_DELAY, LAST_DELAY = 0.1, 10.0  # seconds between connection attempts, doubled each time
# How long an answer waits for the next connection; later, most matches are over.
KEPT_SECONDS = 60.0
MAX_FRAME = 16 * 1024 * 1024  # bytes; a turn lists all moves of the match
HERE = {"localhost", "0.0.0.0", "::"}  # hosts that are this machine; more are its addresses

T = TypeVar("T")


class Choice(NamedTuple):
    """A move, and what the search for it found."""

    move: int
    info: Info


Answer = int | Choice | Move | Resign | None
"""A move, or None to resign; or more than that: with information, or as a message."""


class ProgramFailed(Exception):
    """A program could not be started or has ended. The text is the reason."""


class ClockReading(NamedTuple):
    """Clocks at the start of a turn, in seconds.

    Attributes:
        remaining: The bot's own time; with `per_move`, for this move only. Infinite in a match in
            process without a clock.
        opponent: The time of the opponent.
        increment: Time added after each move.
        per_move: Whether the clock is reset for each move.
        nodes: The most nodes to visit for this move; None without a limit.
    """

    remaining: float
    opponent: float
    increment: float
    per_move: bool = False
    nodes: int | None = None


class Strategy(Protocol):
    """Strategy of a bot. It is called in a separate thread and may modify the position.

    In process, one with a true attribute `is_pure` receives the position of the match itself, and
    no clocks: it leaves the position as it was.
    """

    def __call__(self, position: Position, clock: ClockReading) -> int | None:
        """Return one of `position.legal_moves()`, or None to resign."""


@runtime_checkable
class InformedStrategy(Protocol):
    """Strategy that also says what its search found. In process nothing asks for that."""

    def choose_with_info(self, position: Position, clock: ClockReading) -> Choice:
        """Return a move with information. It is called like a `Strategy`."""


@runtime_checkable
class TurnStrategy(Protocol):
    """Strategy that needs the whole turn, such as the setup, which a position lacks."""

    def answer(self, turn: Turn) -> "Answer":
        """Return an answer. It is called in a separate thread."""


class ConnectionRejected(Exception):
    """The arena rejected this bot. The text is the reason."""


def ignore(_message: str) -> None:
    """Report nothing."""


class PendingAnswer(NamedTuple):
    """A turn, and its answer.

    Attributes:
        turn: The turn.
        answer: The task that computes and sends it.
        askers: The connections on which the arena has sent the turn, of which the last is open.
    """

    turn: Turn
    answer: asyncio.Task[None]
    askers: asyncio.Queue[ClientConnection]


class Client:
    """A bot that plays in one arena."""

    def __init__(
        self,
        url: str,
        name: str,
        strategy: Strategy | TurnStrategy,
        games: Collection[str],
        matches: int = 1,
        token: str | None = None,
        casual: bool = False,
        think: float | None = None,
        report: Callable[[str], None] = ignore,
    ) -> None:
        """Prepare a client that is not connected.

        Args:
            url: The URL of the arena's /play.
            name: The name of the bot.
            strategy: Chooses the moves.
            games: The names of the games that it plays.
            matches: Maximum number of simultaneous matches.
            token: The token that authenticates the name, if it has one.
            casual: Whether it plays only casual matches, which are arranged by challenges.
            think: Maximum time for a move in seconds, as applied by `limit_clock`. A casual bot
                chooses its moves one after the other, and they share this time: otherwise players
                that answer at once in many matches would take all cores of the machine.
            report: Receives a line when the bot connects, when it has to wait for the arena and
                why, and when a match ends.

        Raises:
            ValueError: The name is invalid.
        """
        self._url = url
        self._hello = Hello(PROTOCOL_VERSION, name, [*games], matches, token=token, casual=casual)
        self._strategy = strategy
        self._think = think
        # A program of a TurnStrategy would fail in a small share of the time.
        self._shares_time = casual and not isinstance(strategy, TurnStrategy)
        self._choice = threading.Lock()
        self._session: str | None = None
        self._pending: dict[str, PendingAnswer] = {}  # by match
        self._delay = FIRST_DELAY
        self._report = report
        self._problem = ""  # why there is no connection; the one that was reported last
        self._opponents: dict[str, str] = {}  # by match

    async def play(self) -> None:
        """Play until the arena closes the connection normally.

        After a lost connection it reconnects, with a delay that doubles until the arena answers.

        Raises:
            ConnectionRejected: The arena rejected the bot.
            Exception: Any exception of the strategy.
        """
        try:
            async with asyncio.TaskGroup() as group:
                while not await self._play_while_connected(group):
                    await asyncio.sleep(self._delay)
                    self._delay = min(2 * self._delay, LAST_DELAY)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _play_while_connected(self, group: asyncio.TaskGroup) -> bool:
        """Play on one connection. Return False if it was lost, True after a normal end."""
        # A proxy of the environment may not lead to this machine.
        proxy: Literal[True] | None = None if is_here(urlsplit(self._url).hostname or "") else True
        try:
            async with await self._connect(proxy) as connection:
                await self._listen(connection, group)
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            if code == CloseCode.POLICY_VIOLATION:
                raise ConnectionRejected(closed.rcvd.reason if closed.rcvd else "") from None
            if code != CloseCode.NORMAL_CLOSURE:
                is_restart = code == CloseCode.SERVICE_RESTART
                return self._wait("the arena restarts" if is_restart else "connection lost")
            self._forget_matches()
            self._report("the arena is done")
            return True
        except InvalidStatus as error:
            status = error.response.status_code
            if status >= 500:
                return self._wait(f"HTTP status {status}")
            raise ConnectionRejected(f"no arena at {self._url}: HTTP status {status}") from None
        except (OSError, InvalidHandshake, TimeoutError) as error:
            return self._wait(_described(error))

    async def _connect(self, proxy: Literal[True] | None) -> ClientConnection:
        """Connect, through a proxy of the environment if there is one and it may be asked."""
        try:
            return await connect(self._url, proxy=proxy, compression=None, max_size=MAX_FRAME)
        except (InvalidProxy, ValueError, ImportError) as error:  # SOCKS needs another package
            raise ConnectionRejected(f"proxy of the environment: {error}") from None

    def _wait(self, problem: str) -> Literal[False]:
        """Report a new problem of the connection, and return False."""
        if problem != self._problem:
            self._report(f"waiting for the arena at {self._url}: {problem}")
        self._problem = problem
        return False

    async def _listen(self, connection: ClientConnection, group: asyncio.TaskGroup) -> NoReturn:
        hello = self._hello
        hello = Hello(
            hello.protocol,
            hello.name,
            hello.games,
            hello.matches,
            self._session,
            hello.token,
            hello.casual,
        )
        await connection.send(encode(hello))
        while True:
            try:
                message = decode_from_arena(await connection.recv())
            except DecodeError:
                continue  # a message type of a later version
            match message:
                case Welcome():
                    # An arena that was restarted may give the ids of its matches again.
                    if message.session != self._session:
                        self._forget_matches()
                    self._session = message.session
                    self._delay = FIRST_DELAY
                    self._problem = ""
                    self._report(f"connected to {self._url} as {hello.name}")
                case Turn():
                    self._opponents[message.match] = message.opponent
                    self._start_answer(message, connection, group)
                case Finished():
                    self._drop_answer(message.match)
                    self._report(_result(message, self._opponents.pop(message.match, None)))
                case Error(code, text) if self._session is None and code not in TRANSIENT:
                    raise ConnectionRejected(f"{text} ({code})")

    def _start_answer(
        self, turn: Turn, connection: ClientConnection, group: asyncio.TaskGroup
    ) -> None:
        """Start to compute the answer to a turn, unless that is in progress."""
        pending = self._pending.get(turn.match)
        if pending and pending.turn.moves == turn.moves:
            pending.askers.put_nowait(connection)
            return
        if pending:  # a takeback has changed the position
            pending.answer.cancel()
        askers: asyncio.Queue[ClientConnection] = asyncio.Queue()
        askers.put_nowait(connection)
        answer = group.create_task(self._answer(turn, askers))
        self._pending[turn.match] = PendingAnswer(turn, answer, askers)

    def _drop_answer(self, match: str) -> None:
        """Drop the answer in a match that is over: a turn may have waited for longer than that."""
        if pending := self._pending.pop(match, None):
            pending.answer.cancel()

    def _forget_matches(self) -> None:
        """Drop the answers in all matches, which do not go on."""
        for match in [*self._pending]:
            self._drop_answer(match)
        self._opponents.clear()

    async def _answer(self, turn: Turn, askers: asyncio.Queue[ClientConnection]) -> None:
        """Compute the answer to a turn, and send it on the next connection that asks for it."""
        try:
            frame = _answer_frame(turn, await run_in_thread(lambda: self._choose_move(turn)))
            is_sent = False
            with suppress(TimeoutError):
                while not is_sent:
                    async with asyncio.timeout(KEPT_SECONDS):
                        connection = await askers.get()
                    with suppress(ConnectionClosed):
                        await connection.send(frame)
                        is_sent = True
        finally:
            self._remove_pending(turn)

    def _remove_pending(self, turn: Turn) -> None:
        pending = self._pending.get(turn.match)
        if pending and pending.turn is turn:
            del self._pending[turn.match]

    def _choose_move(self, turn: Turn) -> Answer:
        if not (self._shares_time and self._think):
            return self._choose(turn, self._think)
        with self._choice:
            pending = self._pending.get(turn.match)
            if not pending or pending.turn is not turn:  # it was withdrawn while it waited
                return None
            return self._choose(turn, self._think / len(self._pending))

    def _choose(self, turn: Turn, think: float | None) -> Answer:
        if think:
            turn = limit_clock(turn, think)
        if isinstance(self._strategy, TurnStrategy):
            return self._strategy.answer(turn)
        if isinstance(self._strategy, InformedStrategy):
            return self._strategy.choose_with_info(position_of(turn), clock_of(turn))
        return self._strategy(position_of(turn), clock_of(turn))


def _result(message: Finished, opponent: str | None) -> str:
    """Return the end of a match in one line."""
    end = "drawn" if message.winner is None else "lost"
    if message.termination == Termination.ABORTED:
        end = "aborted"
    elif message.winner == message.you:
        end = "won"
    rival = f" against {opponent}" if opponent else ""
    return f"match {message.match}{rival}: {end}, {message.reason}"


def _described(error: Exception) -> str:
    """Return why a connection failed, in a few words."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and (error.errno or 0) > 0:
        return os.strerror(error.errno or 0)
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _answer_frame(turn: Turn, move: Answer) -> str:
    """Return the frame of an answer; that of a user's class may be no whole number."""
    if isinstance(move, Move | Resign):
        return encode(move)
    if isinstance(move, Choice):
        return encode(Move(turn.match, turn.ply, move.move, info=move.info))
    if move is None:
        return encode(Resign(turn.match))
    try:
        return encode(Move(turn.match, turn.ply, move))
    except Exception:
        kind: Any = type(move).__name__  # which the arena refuses as well
        return encode(Move(turn.match, turn.ply, kind))


def is_here(host: str) -> bool:
    """Return whether a host is this machine, as far as it is known without a look-up of its name.

    A socket can be bound to an address of this machine, and to no other.
    """
    if host in HERE or is_loopback(host):
        return True
    if not (address := parsed_address(host)):
        return False
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


def limit_clock(turn: Turn, seconds: float) -> Turn:
    """Return the turn with a clock of at most `seconds` for this move alone.

    The turn stays as it is if the clock allows less: with a clock per move all of its time, else
    half of it, so that time is left for the next moves.
    """
    remaining = turn.clocks_ms[turn.you - 1] / 1000
    if seconds >= (remaining if turn.per_move else remaining / 2):
        return turn
    mine, other = int(1000 * seconds), turn.clocks_ms[2 - turn.you]
    return Turn(
        turn.match,
        turn.game,
        turn.setup,
        turn.moves,
        turn.ply,
        turn.you,
        clocks_ms=(mine, other) if turn.you == 1 else (other, mine),
        increment_ms=0,
        opponent=turn.opponent,
        per_move=True,
        opponent_increment_ms=turn.opponent_increment_ms,
        opponent_per_move=turn.opponent_per_move,
    )


def position_of(turn: Turn) -> Position:
    """Return the position of a turn."""
    return GAMES[turn.game].position(**turn.setup, moves=turn.moves)


def clock_of(turn: Turn) -> ClockReading:
    """Return the clocks from the view of the player to move."""
    clocks = [milliseconds / 1000 for milliseconds in turn.clocks_ms]
    mine, other = clocks[turn.you - 1], clocks[2 - turn.you]
    return ClockReading(mine, other, turn.increment_ms / 1000, turn.per_move)


async def run_in_thread(function: Callable[[], T]) -> T:
    """Run a function in a daemon thread, and return its result or raise its exception.

    Meanwhile the event loop answers pings. A daemon thread does not delay the end of the process.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: T | None = None
        error: BaseException | None = None
        try:
            result = function()
        except StopIteration as raised:  # a future cannot hold it
            error = RuntimeError(f"{function} raised {raised!r}")
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future
