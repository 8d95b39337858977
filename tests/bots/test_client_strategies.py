"""Client of the bots: events while a strategy runs, and threads."""

import asyncio
import threading

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from arena.protocol.player import Finished, Turn, Welcome
from bots.client import ClockReading, run_in_thread
from core.game import Position
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, join
from tests.support.servers.scripted_server import (
    Fields,
    first_move,
    receive,
    run_client,
    send,
    turn,
    welcome,
)


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

    async def abort_while_thinking(self, connection: ServerConnection) -> None:
        """Let the connection be lost while the strategy runs."""
        await self.start(connection, turn([]))
        connection.transport.abort()

    async def finish(self) -> None:
        """Let the strategy return, and wait until its thread has ended."""
        self.may_move.set()
        assert self.thread
        await asyncio.to_thread(self.thread.join)


async def resume(connection: ServerConnection) -> None:
    """Send the turn again on another connection, and expect the answer."""
    await welcome(connection)
    await send(connection, turn([]))
    assert (await receive(connection))["ply"] == 0


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


def test_the_end_of_a_match_drops_its_pending_move() -> None:
    blocking = BlockingStrategy()

    async def script(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([3]))
        await send(connection, Finished("1", 1, 1, "resignation", "", [3]))
        await (await connection.ping())
        await blocking.finish()
        await send(connection, turn([3, 6], match="2"))
        assert (await receive(connection))["match"] == "2"

    run_client(script, strategy=blocking)


def test_pending_move_is_sent_on_the_next_connection() -> None:
    blocking = BlockingStrategy()

    async def resume(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        blocking.may_move.set()
        assert (await receive(connection))["ply"] == 0

    run_client(blocking.abort_while_thinking, resume, strategy=blocking)


@loop_over("is_found", [False, True])
def test_pending_move_of_another_session_is_dropped(is_found: bool) -> None:
    blocking = BlockingStrategy()

    async def abort_while_thinking(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))
        connection.transport.abort()

    async def restart(connection: ServerConnection) -> None:
        await receive(connection)
        if is_found:
            await blocking.finish()
            await (await connection.ping())
        moves = [3] if is_found else []
        await send(connection, Welcome(1, "tester", "another key"), turn(moves))
        blocking.may_move.set()
        assert (await receive(connection))["ply"] == len(moves)

    run_client(abort_while_thinking, restart, strategy=blocking)
    assert blocking.calls == 2


@loop_over("kept, calls", (60.0, 1), (0.0, 2))
def test_move_found_without_a_connection_is_kept_for_a_time(
    kept: float, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.client.KEPT_SECONDS", kept)
    blocking = BlockingStrategy()

    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        if not blocking.calls or blocking.may_move.is_set():
            return None
        await blocking.finish()
        return connection.respond(503, "not now\n")

    run_client(blocking.abort_while_thinking, resume, strategy=blocking, admit=admit)
    assert blocking.calls == calls


def test_move_found_while_closing_is_sent_on_the_next_connection() -> None:
    blocking = BlockingStrategy()

    async def close_slowly(connection: ServerConnection) -> None:
        await blocking.start(connection, turn([]))
        connection.transport.write(bytes.fromhex("88 02 03f4"))  # a close frame with code 1012
        connection.transport.pause_reading()  # never sees the close frame of the client
        await blocking.finish()
        connection.transport.abort()

    run_client(close_slowly, resume, strategy=blocking)
    assert blocking.calls == 1


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


# run_in_thread


def test_run_in_thread_returns_or_raises() -> None:
    assert asyncio.run(run_in_thread(lambda: 42)) == 42
    thread = asyncio.run(run_in_thread(threading.current_thread))
    assert (thread.daemon, thread is threading.main_thread()) == (True, False)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_in_thread(lambda: 1 // 0))
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
        join(self.thread)


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
