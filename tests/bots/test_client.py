"""Client of the bots, connected to a scripted server."""

import asyncio
import itertools
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from arena.protocol.codec import encode
from arena.protocol.player import Error, FromArena, Turn, Welcome
from bots import client as client_module
from bots.client import (
    Client,
    ClockReading,
    ConnectionRejected,
    Strategy,
    TurnStrategy,
    clock_of,
    limit_clock,
    run_in_thread,
)
from core.game import Position
from tests.support.arena_server import TEST_TIMEOUT

Script = Callable[[ServerConnection], Awaitable[None]]
Admit = Callable[[ServerConnection, Request], Awaitable[Response | None]]
Fields = dict[str, Any]


@pytest.fixture(autouse=True)
def _short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_DELAY", 0.001)


def first_move(position: Position, clock: ClockReading) -> int:  # noqa: ARG001
    return position.legal_moves()[0]


async def run_client_async(
    *scripts: Script,
    strategy: Strategy | TurnStrategy = first_move,
    matches: int = 1,
    admit: Admit | None = None,
    token: str | None = None,
    casual: bool = False,
    think: float | None = None,
) -> None:
    """Run a client against a server that uses one script per connection, then closes with 1000.

    `admit` can reject a handshake. An exception of the client or of a script is raised.
    """
    rest = iter(scripts)
    failures: list[BaseException] = []

    async def follow(connection: ServerConnection) -> None:
        try:
            await next(rest)(connection)
        except Exception as error:
            failures.append(error)

    async with (
        serve(follow, "127.0.0.1", 0, process_request=admit) as server,
        asyncio.timeout(TEST_TIMEOUT),
    ):
        port = next(iter(server.sockets)).getsockname()[1]
        url = f"ws://127.0.0.1:{port}/play"
        games = ["take_stones"]
        await Client(url, "tester", strategy, games, matches, token, casual, think).play()
    for failure in failures:
        raise failure
    assert next(rest, None) is None, "the client did not reconnect"


def run_client(
    *scripts: Script,
    strategy: Strategy | TurnStrategy = first_move,
    matches: int = 1,
    admit: Admit | None = None,
    token: str | None = None,
    casual: bool = False,
    think: float | None = None,
) -> None:
    asyncio.run(
        run_client_async(
            *scripts,
            strategy=strategy,
            matches=matches,
            admit=admit,
            token=token,
            casual=casual,
            think=think,
        )
    )


def turn(moves: list[int], match: str = "1", you: int = 1) -> Turn:
    """Return a turn with 7 stones."""
    setup = {"stones": 7}
    clocks = (5000, 4000)
    return Turn(match, "take_stones", setup, moves, len(moves), you, clocks, 50, "other")


async def send(connection: ServerConnection, *messages: FromArena) -> None:
    for message in messages:
        await connection.send(encode(message))


async def receive(connection: ServerConnection) -> Fields:
    fields: Fields = json.loads(await connection.recv())
    return fields


async def welcome(connection: ServerConnection) -> Fields:
    """Welcome the bot and return its hello."""
    hello = await receive(connection)
    await send(connection, Welcome(1, "tester", "key"))
    return hello


async def welcome_and_abort(connection: ServerConnection) -> None:
    """Welcome the bot, then abort the connection."""
    await welcome(connection)
    connection.transport.abort()


async def end(connection: ServerConnection) -> None:
    """Welcome the bot, then close the connection normally."""
    await welcome(connection)


async def abort(connection: ServerConnection) -> None:
    connection.transport.abort()


async def close(connection: ServerConnection, code: int, reason: str = "") -> None:
    await connection.recv()
    await connection.close(code, reason)


# Messages of the client


def hello_of(**options: int | str) -> Fields:
    """Return the first message of a new client."""
    received: list[Fields] = []

    async def script(connection: ServerConnection) -> None:
        received.append(await welcome(connection))

    run_client(script, **options)  # type: ignore[arg-type]
    return received[0]


def test_hello_has_all_fields() -> None:
    assert hello_of() == {
        "type": "hello",
        "protocol": 1,
        "name": "tester",
        "games": ["take_stones"],
        "matches": 1,
        "session": None,
        "token": None,
        "casual": False,
    }


def test_hello_of_a_casual_bot() -> None:
    assert hello_of(casual=True)["casual"] is True


def test_hello_after_a_reconnection_is_casual_too() -> None:
    async def again(connection: ServerConnection) -> None:
        assert (await welcome(connection))["casual"] is True

    run_client(welcome_and_abort, again, casual=True)


def test_hello_has_the_number_of_matches() -> None:
    assert hello_of(matches=3)["matches"] == 3


def test_hello_has_the_token() -> None:
    assert hello_of(token="tsa_secret")["token"] == "tsa_secret"


def test_hello_after_a_reconnection_has_the_token_too() -> None:
    async def again(connection: ServerConnection) -> None:
        assert (await welcome(connection))["token"] == "tsa_secret"

    run_client(welcome_and_abort, again, token="tsa_secret")


def test_turn_is_answered_with_the_move() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3, 6], match="12"))
        answer = await receive(connection)
        assert answer == {"type": "move", "match": "12", "ply": 2, "move": 1}

    run_client(script)


@pytest.mark.parametrize(
    ("you", "clock"), [(1, ClockReading(5, 4, 0.05)), (2, ClockReading(4, 5, 0.05))]
)
def test_strategy_receives_the_position_and_the_clock(you: int, clock: ClockReading) -> None:
    received: list[tuple[list[int], ClockReading]] = []

    def strategy(position: Position, clock: ClockReading) -> int:
        received.append((position.moves, clock))
        return 1

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3, 6], you=you))
        await receive(connection)

    run_client(script, strategy=strategy)
    assert received == [([3, 6], clock)]


@pytest.mark.parametrize("per_move", [False, True])
def test_clock_reading_has_per_move(per_move: bool) -> None:
    received = Turn(
        "1", "take_stones", {"stones": 7}, [], 0, 1, (5000, 4000), 50, "other", per_move
    )
    assert clock_of(received) == ClockReading(5, 4, 0.05, per_move)


@pytest.mark.parametrize(
    ("clocks_ms", "per_move", "think", "expected"),
    [
        pytest.param(
            (86_400_000, 9000),
            True,
            2,
            ClockReading(2, 9, 0, True),
            id="clock per move, much more than the limit",
        ),
        pytest.param(
            (3000, 9000),
            True,
            2,
            ClockReading(2, 9, 0, True),
            id="clock per move, slightly more than the limit",
        ),
        pytest.param(
            (2000, 9000),
            True,
            2,
            ClockReading(2, 9, 0.05, True),
            id="clock per move equal to the limit",
        ),
        pytest.param(
            (1000, 9000),
            True,
            2,
            ClockReading(1, 9, 0.05, True),
            id="clock per move below the limit",
        ),
        pytest.param(
            (5000, 9000), False, 2, ClockReading(2, 9, 0, True), id="clock above twice the limit"
        ),
        pytest.param(
            (4000, 9000), False, 2, ClockReading(4, 9, 0.05), id="clock equal to twice the limit"
        ),
        pytest.param((300, 9000), False, 2, ClockReading(0.3, 9, 0.05), id="clock below the limit"),
        pytest.param((5000, 9000), False, float("inf"), ClockReading(5, 9, 0.05), id="no limit"),
    ],
)
@pytest.mark.parametrize("you", [1, 2])
def test_limit_applies_if_the_clock_allows_more(
    clocks_ms: tuple[int, int], per_move: bool, think: float, expected: ClockReading, you: int
) -> None:
    clocks = clocks_ms if you == 1 else (clocks_ms[1], clocks_ms[0])
    received = Turn("1", "take_stones", {"stones": 7}, [], 0, you, clocks, 50, "other", per_move)
    assert clock_of(limit_clock(received, think)) == expected


def test_strategy_receives_the_limited_clock() -> None:
    received: list[ClockReading] = []

    def strategy(position: Position, clock: ClockReading) -> int:
        received.append(clock)
        return first_move(position, clock)

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        await receive(connection)

    run_client(script, strategy=strategy, think=0.5)
    assert received == [ClockReading(0.5, 4, 0, True)]


def test_strategy_can_resign() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3], match="12"))
        assert await receive(connection) == {"type": "resign", "match": "12"}

    run_client(script, strategy=lambda position, clock: None)  # noqa: ARG005


class SetupStrategy:
    """Strategy that reads the setup of a turn."""

    def answer(self, turn: Turn) -> int:
        return turn.setup["stones"]


def test_turn_strategy_receives_the_whole_turn() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3]))
        assert (await receive(connection))["move"] == 7

    run_client(script, strategy=SetupStrategy())


def test_strategy_can_modify_the_position() -> None:
    def strategy(position: Position, clock: ClockReading) -> int:
        position.play(1)
        return first_move(position, clock)

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        for _ in range(2):
            await send(connection, turn([3]))
            assert (await receive(connection))["move"] == 2

    run_client(script, strategy=strategy)


def test_client_plays_several_matches_at_once() -> None:
    both_are_thinking = threading.Barrier(2, timeout=TEST_TIMEOUT)

    def strategy(position: Position, clock: ClockReading) -> int:
        both_are_thinking.wait()
        return first_move(position, clock)

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3], match="1"), turn([3, 6], match="2"))
        answers = [await receive(connection), await receive(connection)]
        assert {(answer["match"], answer["ply"]) for answer in answers} == {("1", 1), ("2", 2)}

    run_client(script, strategy=strategy, matches=2)


# Events while a strategy runs


class BlockingStrategy:
    """Strategy that waits for permission, and counts its calls."""

    def __init__(self) -> None:
        self.calls = 0
        self.thread: threading.Thread | None = None
        self.started = asyncio.Event()
        self.may_move = threading.Event()

    def __call__(self, position: Position, clock: ClockReading) -> int:
        self.calls += 1
        self.thread = threading.current_thread()
        self.loop.call_soon_threadsafe(self.started.set)
        assert self.may_move.wait(TEST_TIMEOUT)
        return first_move(position, clock)

    async def start(self, connection: ServerConnection, *turns: Turn) -> None:
        """Welcome the bot, send turns, and wait until the strategy runs."""
        self.loop = asyncio.get_running_loop()
        await welcome(connection)
        await send(connection, *turns)
        await self.started.wait()

    async def finish(self) -> None:
        """Let the strategy return, and wait until its thread has ended."""
        self.may_move.set()
        assert self.thread
        await asyncio.to_thread(self.thread.join)


def test_pings_are_answered_while_the_strategy_runs() -> None:
    blocking = BlockingStrategy()

    async def script(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))
        await (await connection.ping())
        assert not blocking.may_move.is_set()
        blocking.may_move.set()

    run_client(script, strategy=blocking)


def test_repeated_turn_does_not_run_the_strategy_again() -> None:
    blocking = BlockingStrategy()

    async def script(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]), turn([]))
        await (await connection.ping())
        blocking.may_move.set()
        await receive(connection)
        await send(connection, turn([3, 6]))
        assert (await receive(connection))["ply"] == 2

    run_client(script, strategy=blocking)
    assert blocking.calls == 2


def test_turn_after_a_takeback_replaces_the_pending_one() -> None:
    blocking = BlockingStrategy()

    async def script(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([3]))
        await send(connection, turn([1]))
        await (await connection.ping())
        blocking.may_move.set()
        assert (await receive(connection))["move"] == 2
        await send(connection, turn([3, 6], match="2"))
        assert (await receive(connection))["match"] == "2"

    run_client(script, strategy=blocking)


def test_pending_move_is_sent_on_the_next_connection() -> None:
    blocking = BlockingStrategy()

    async def abort_while_thinking(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))
        connection.transport.abort()

    async def resume(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        blocking.may_move.set()
        assert (await receive(connection))["ply"] == 0

    run_client(abort_while_thinking, resume, strategy=blocking)


def test_move_found_without_a_connection_is_computed_again() -> None:
    blocking = BlockingStrategy()

    async def abort_while_thinking(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))
        connection.transport.abort()

    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        if not blocking.calls or blocking.may_move.is_set():
            return None
        await blocking.finish()
        return connection.respond(503, "not now\n")

    async def resume(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    run_client(abort_while_thinking, resume, strategy=blocking, admit=admit)
    assert blocking.calls == 2


def test_move_found_while_closing_is_computed_again() -> None:
    blocking = BlockingStrategy()

    async def close_slowly(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))
        connection.transport.write(bytes.fromhex("88 02 03f4"))  # a close frame with code 1012
        connection.transport.pause_reading()  # never sees the close frame of the client
        await blocking.finish()
        connection.transport.abort()

    async def resume(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    run_client(close_slowly, resume, strategy=blocking)


def test_normal_close_ends_the_client_while_the_strategy_runs() -> None:
    blocking = BlockingStrategy()

    async def script(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))

    run_client(script, strategy=blocking)
    assert not blocking.may_move.is_set()
    blocking.may_move.set()


def test_exception_of_the_strategy_ends_the_client() -> None:
    def strategy(position: Position, clock: ClockReading) -> int:  # noqa: ARG001
        raise ZeroDivisionError("on purpose")

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        await connection.wait_closed()

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        run_client(script, strategy=strategy)


# Messages of the arena


def test_rejection_has_the_message_of_the_arena() -> None:
    async def script(connection: ServerConnection) -> None:
        await receive(connection)
        await send(connection, Error("name_taken", "the name is taken"))
        await connection.close(1008, "name_taken")

    with pytest.raises(ConnectionRejected, match=r"the name is taken \(name_taken\)"):
        run_client(script)


def test_close_code_1008_is_a_rejection() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.close(1008, "unreadable")

    with pytest.raises(ConnectionRejected, match="unreadable"):
        run_client(script)


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(encode(Error("wrong_ply", "too late", "1")), id="an error"),
        pytest.param('{"type": "news", "of": "tomorrow"}', id="an unknown type"),
        pytest.param("what?", id="not JSON"),
        pytest.param(b"\x00", id="a binary frame"),
    ],
)
def test_client_ignores(frame: str | bytes) -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.send(frame)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    run_client(script)


# Reconnection


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(abort, id="cut before hello"),
        pytest.param(welcome_and_abort, id="cut"),
        pytest.param(partial(close, code=1009), id="too large"),
        pytest.param(partial(close, code=1011), id="internal error"),
        pytest.param(partial(close, code=1012), id="restart"),
    ],
)
def test_client_reconnects_after(script: Script) -> None:
    hellos = []

    async def again(connection: ServerConnection) -> None:
        hellos.append(await welcome(connection))

    run_client(script, again)
    assert len(hellos) == 1


def test_reconnection_uses_the_session_key() -> None:
    sessions = []

    async def again(connection: ServerConnection) -> None:
        sessions.append((await welcome(connection))["session"])

    run_client(welcome_and_abort, again)
    assert sessions == ["key"]


def test_reconnection_can_be_rejected() -> None:
    with pytest.raises(ConnectionRejected, match="name_taken"):
        run_client(welcome_and_abort, partial(close, code=1008, reason="name_taken"))


def test_client_waits_for_the_arena_to_start() -> None:
    async def wait(port: int) -> None:
        url = f"ws://127.0.0.1:{port}/play"
        playing = asyncio.create_task(Client(url, "tester", first_move, []).play())
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        async with serve(end, "127.0.0.1", port), asyncio.timeout(TEST_TIMEOUT):
            await playing

    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
    asyncio.run(wait(port))


def test_client_retries_after_status_503() -> None:
    answers = [503, 503]

    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        return connection.respond(answers.pop(), "not now\n") if answers else None

    run_client(end, admit=admit)
    assert answers == []


def test_client_does_not_retry_after_status_404() -> None:
    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        return connection.respond(404, "no arena\n")

    with pytest.raises(ConnectionRejected, match=r"no arena at ws://.*: HTTP status 404"):
        run_client(end, admit=admit)


def test_delay_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_DELAY", 0.02)
    attempts = []

    async def abort_at_once(connection: ServerConnection) -> None:
        attempts.append(time.monotonic())
        connection.transport.abort()

    run_client(*4 * [abort_at_once], end)
    gaps = [later - sooner for sooner, later in itertools.pairwise(attempts)]
    assert all(gap > least for gap, least in zip(gaps, [0.0199, 0.0399, 0.0799], strict=True))


# Without the limit or the reset, 24 delays take hours and exceed the timeout of `run_client`.


def test_delay_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LAST_DELAY", 0.002)
    run_client(*24 * [abort], end)


def test_welcome_resets_the_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LAST_DELAY", 10 * TEST_TIMEOUT)
    run_client(*24 * [welcome_and_abort], end)


# run_in_thread


def test_run_in_thread_returns_the_result() -> None:
    assert asyncio.run(run_in_thread(lambda: 42)) == 42


def test_run_in_thread_uses_a_daemon_thread() -> None:
    thread = asyncio.run(run_in_thread(threading.current_thread))
    assert (thread.daemon, thread is threading.main_thread()) == (True, False)


def test_run_in_thread_raises_the_exception() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_in_thread(lambda: 1 // 0))


def test_run_in_thread_wraps_stop_iteration() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(asyncio.wait_for(run_in_thread(lambda: next(iter(()))), TEST_TIMEOUT))


class BlockingFunction:
    """Function that waits for permission to return, and the thread that it runs in."""

    def __init__(self) -> None:
        self.thread: threading.Thread | None = None
        self.has_started = threading.Event()
        self.may_return = threading.Event()

    def __call__(self) -> bool:
        self.thread = threading.current_thread()
        self.has_started.set()
        return self.may_return.wait(TEST_TIMEOUT)

    async def start(self) -> asyncio.Task[bool]:
        """Run it in a thread, and wait until it has started."""
        task = asyncio.create_task(run_in_thread(self))
        await asyncio.to_thread(self.has_started.wait, TEST_TIMEOUT)
        return task

    def finish(self) -> None:
        """Let it return, and wait until its thread has ended."""
        self.may_return.set()
        assert self.thread
        self.thread.join(TEST_TIMEOUT)


def test_run_in_thread_can_be_cancelled() -> None:
    function = BlockingFunction()
    errors: list[Fields] = []

    async def give_up() -> None:
        task = await function.start()
        task.cancel()
        asyncio.get_running_loop().set_exception_handler(lambda _, fields: errors.append(fields))
        await asyncio.to_thread(function.finish)

    asyncio.run(give_up())
    assert errors == []


def test_thread_can_outlive_the_event_loop() -> None:
    function = BlockingFunction()
    asyncio.run(function.start())
    function.finish()
    assert function.thread
    assert not function.thread.is_alive()
