"""A bot's side of the protocol: connect, come back, and the loop around choose."""

import asyncio
import threading
from collections.abc import Callable, Collection
from typing import NamedTuple, NoReturn, Protocol, TypeVar, runtime_checkable
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.frames import CloseCode

from arena.protocol.codec import DecodeError, decode_from_arena, encode
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Move, Resign, Turn, Welcome
from core import GAMES
from core.game import Position

FIRST_DELAY, LAST_DELAY = 0.1, 10.0  # seconds between attempts to connect: doubled each time
MAX_FRAME = 16 * 1024 * 1024  # bytes; a turn lists all moves of the match

T = TypeVar("T")


class Clock(NamedTuple):
    """What is left to a bot when it is its turn, in seconds.

    With `per_move` it is for this move alone, and the clock starts anew with the next.
    """

    remaining: float
    opponent: float
    increment: float
    per_move: bool = False


class Choose(Protocol):
    """A bot's mind. It is called in a thread of its own and may change the position."""

    def __call__(self, position: Position, clock: Clock) -> int | None:
        """The move to make, one of position.legal_moves(), or None to resign."""


@runtime_checkable
class TurnReader(Protocol):
    """A bot's mind that wants the turn as it came: a position does not tell the setup."""

    def answer(self, turn: Turn) -> int | None:
        """The move to make, or None to resign. It is called in a thread of its own."""


class RefusedByArena(Exception):
    """The arena does not want this bot; the text says why."""


class Thought(NamedTuple):
    """A turn that is being thought about, and the task that answers it."""

    turn: Turn
    answer: asyncio.Task[None]


class Client:
    """One bot in one arena.

    `casual`: it plays only what somebody asks for with a challenge. `think` is the most seconds
    that it is to spend on a move, whatever the clock allows, see `hurried`.
    """

    def __init__(
        self,
        url: str,
        name: str,
        mind: Choose | TurnReader,
        games: Collection[str],
        matches: int = 1,
        token: str | None = None,
        casual: bool = False,
        think: float | None = None,
    ) -> None:
        self._url = url
        self._hello = Hello(PROTOCOL_VERSION, name, [*games], matches, token=token, casual=casual)
        self._mind = mind
        self._think = think
        self._session: str | None = None
        self._connection: ClientConnection | None = None
        self._thinking: dict[str, Thought] = {}  # by match
        self._delay = FIRST_DELAY

    async def play(self) -> None:
        """Play until the arena says that it is over. Raises RefusedByArena and what a mind raises.

        A lost connection is made again, after a delay that grows until the arena answers.
        """
        try:
            async with asyncio.TaskGroup() as group:
                while not await self._play_while_connected(group):
                    await asyncio.sleep(self._delay)
                    self._delay = min(2 * self._delay, LAST_DELAY)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _play_while_connected(self, group: asyncio.TaskGroup) -> bool:
        """Play on one connection. Returns whether that was all."""
        is_local = urlsplit(self._url).hostname in {"127.0.0.1", "::1", "localhost"}
        try:
            async with connect(
                self._url, proxy=None if is_local else True, compression=None, max_size=MAX_FRAME
            ) as connection:
                self._connection = connection
                await self._listen(connection, group)
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            if code == CloseCode.POLICY_VIOLATION:
                raise RefusedByArena(closed.rcvd.reason if closed.rcvd else "") from None
            if code != CloseCode.NORMAL_CLOSURE:
                return False
            for thought in self._thinking.values():
                thought.answer.cancel()
            return True
        except InvalidStatus as error:
            status = error.response.status_code
            if status >= 500:
                return False
            raise RefusedByArena(f"no arena at {self._url}: HTTP status {status}") from None
        except (OSError, InvalidHandshake, TimeoutError):
            return False
        finally:
            self._connection = None

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
                continue  # a later arena may have more to say
            match message:
                case Welcome():
                    self._session = message.session
                    self._delay = FIRST_DELAY
                case Turn():
                    self._consider(message, group)
                case Error(code, text) if self._session is None:
                    raise RefusedByArena(f"{text} ({code})")

    def _consider(self, turn: Turn, group: asyncio.TaskGroup) -> None:
        """Think about a turn, unless that is under way."""
        thought = self._thinking.get(turn.match)
        if thought and thought.turn.moves == turn.moves:
            return
        if thought:  # a move has been taken back: what is found now would be for another position
            thought.answer.cancel()
        self._thinking[turn.match] = Thought(turn, group.create_task(self._answer(turn)))

    async def _answer(self, turn: Turn) -> None:
        try:
            move = await in_thread(lambda: self._choice(turn))
            if self._connection:
                await self._connection.send(encode(_reply(turn, move)))
        except ConnectionClosed:
            pass  # the arena asks again when the bot is back
        finally:
            self._forget(turn)

    def _forget(self, turn: Turn) -> None:
        thought = self._thinking.get(turn.match)
        if thought and thought.turn is turn:
            del self._thinking[turn.match]

    def _choice(self, turn: Turn) -> int | None:
        if self._think:
            turn = hurried(turn, self._think)
        if isinstance(self._mind, TurnReader):
            return self._mind.answer(turn)
        return self._mind(position_of(turn), clock_of(turn))


def _reply(turn: Turn, move: int | None) -> Move | Resign:
    return Resign(turn.match) if move is None else Move(turn.match, turn.ply, move)


def hurried(turn: Turn, seconds: float) -> Turn:
    """The turn with a clock of so many seconds for this move alone, if the real one gives more.

    A clock that starts anew with each move gives all it has, any other half of it: so what the
    limit lets a bot spend always leaves time for the next move, and where the clock is nearly down
    a bot goes by the clock itself, as it does without a limit.
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
    )


def position_of(turn: Turn) -> Position:
    """The position in which a move is to be chosen."""
    return GAMES[turn.game].position(**turn.setup, taken=turn.moves)


def clock_of(turn: Turn) -> Clock:
    """The clocks as the one who is to move sees them."""
    clocks = [milliseconds / 1000 for milliseconds in turn.clocks_ms]
    mine, other = clocks[turn.you - 1], clocks[2 - turn.you]
    return Clock(mine, other, turn.increment_ms / 1000, turn.per_move)


async def in_thread(function: Callable[[], T]) -> T:
    """What the function returns or raises, while the event loop goes on and answers pings.

    The thread is a daemon: a search that nobody waits for any more does not keep the bot alive.
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
        except StopIteration as raised:  # which a future cannot hold
            error = RuntimeError(f"{function} raised {raised!r}")
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future
