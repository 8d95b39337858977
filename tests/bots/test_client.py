"""The bots' client, against an arena that follows a script over a real connection."""

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
    Choose,
    Client,
    Clock,
    RefusedByArena,
    TurnReader,
    clock_of,
    hurried,
    in_thread,
)
from core.game import Position
from tests.support.arena_server import TEST_TIMEOUT

Script = Callable[[ServerConnection], Awaitable[None]]
Admit = Callable[[ServerConnection, Request], Awaitable[Response | None]]
Facts = dict[str, Any]


@pytest.fixture(autouse=True)
def _short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_DELAY", 0.001)


def first_move(position: Position, clock: Clock) -> int:  # noqa: ARG001
    return position.legal_moves()[0]


async def meet(
    *scripts: Script,
    choose: Choose | TurnReader = first_move,
    matches: int = 1,
    admit: Admit | None = None,
    token: str | None = None,
    casual: bool = False,
    think: float | None = None,
) -> None:
    """Let a client play where each connection follows the next script. An end of one is code 1000.

    `admit` may refuse a handshake. Raises what the client raises, and what a script raises, such
    as a failed assertion.
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
        await Client(url, "tester", choose, games, matches, token, casual, think).play()
    for failure in failures:
        raise failure
    assert next(rest, None) is None, "the client has not come back"


def play(
    *scripts: Script,
    choose: Choose | TurnReader = first_move,
    matches: int = 1,
    admit: Admit | None = None,
    token: str | None = None,
    casual: bool = False,
    think: float | None = None,
) -> None:
    asyncio.run(
        meet(
            *scripts,
            choose=choose,
            matches=matches,
            admit=admit,
            token=token,
            casual=casual,
            think=think,
        )
    )


def turn(moves: list[int], match: str = "1", you: int = 1) -> Turn:
    """A turn on 7 stones."""
    setup = {"stones": 7}
    clocks = (5000, 4000)
    return Turn(match, "take_stones", setup, moves, len(moves), you, clocks, 50, "other")


async def send(connection: ServerConnection, *messages: FromArena) -> None:
    for message in messages:
        await connection.send(encode(message))


async def receive(connection: ServerConnection) -> Facts:
    facts: Facts = json.loads(await connection.recv())
    return facts


async def welcome(connection: ServerConnection) -> Facts:
    """Let the bot in. Returns its hello."""
    hello = await receive(connection)
    await send(connection, Welcome(1, "tester", "key"))
    return hello


async def cut(connection: ServerConnection) -> None:
    """Let the bot in and lose the connection."""
    await welcome(connection)
    connection.transport.abort()


async def end(connection: ServerConnection) -> None:
    """Let the bot in and tell it that all is over."""
    await welcome(connection)


async def hang_up(connection: ServerConnection) -> None:
    connection.transport.abort()


async def close(connection: ServerConnection, code: int, reason: str = "") -> None:
    await connection.recv()
    await connection.close(code, reason)


# What it says


def hello_of(**options: int | str) -> Facts:
    """What a new client says first."""
    heard: list[Facts] = []

    async def script(connection: ServerConnection) -> None:
        heard.append(await welcome(connection))

    play(script, **options)  # type: ignore[arg-type]
    return heard[0]


def test_it_introduces_itself() -> None:
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


def test_it_says_that_it_is_casual() -> None:
    assert hello_of(casual=True)["casual"] is True


def test_it_is_still_casual_when_it_comes_back() -> None:
    async def again(connection: ServerConnection) -> None:
        assert (await welcome(connection))["casual"] is True

    play(cut, again, casual=True)


def test_it_says_how_many_matches_it_plays() -> None:
    assert hello_of(matches=3)["matches"] == 3


def test_it_shows_its_token() -> None:
    assert hello_of(token="tsa_secret")["token"] == "tsa_secret"


def test_it_shows_its_token_again_when_it_comes_back() -> None:
    async def again(connection: ServerConnection) -> None:
        assert (await welcome(connection))["token"] == "tsa_secret"

    play(cut, again, token="tsa_secret")


def test_it_answers_a_turn_with_the_move_chosen() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3, 6], match="12"))
        answer = await receive(connection)
        assert answer == {"type": "move", "match": "12", "ply": 2, "move": 1}

    play(script)


@pytest.mark.parametrize(("you", "clock"), [(1, Clock(5, 4, 0.05)), (2, Clock(4, 5, 0.05))])
def test_choose_is_told_the_position_and_its_own_clock(you: int, clock: Clock) -> None:
    told: list[tuple[list[int], Clock]] = []

    def choose(position: Position, clock: Clock) -> int:
        told.append((position.moves, clock))
        return 1

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3, 6], you=you))
        await receive(connection)

    play(script, choose=choose)
    assert told == [([3, 6], clock)]


@pytest.mark.parametrize("per_move", [False, True])
def test_a_clock_tells_whether_it_is_for_this_move_alone(per_move: bool) -> None:
    told = Turn("1", "take_stones", {"stones": 7}, [], 0, 1, (5000, 4000), 50, "other", per_move)
    assert clock_of(told) == Clock(5, 4, 0.05, per_move)


@pytest.mark.parametrize(
    ("clocks_ms", "per_move", "think", "expected"),
    [
        pytest.param((86_400_000, 9000), True, 2, Clock(2, 9, 0, True), id="a day a move"),
        pytest.param((3000, 9000), True, 2, Clock(2, 9, 0, True), id="little more a move"),
        pytest.param((2000, 9000), True, 2, Clock(2, 9, 0.05, True), id="as much a move"),
        pytest.param((1000, 9000), True, 2, Clock(1, 9, 0.05, True), id="less a move"),
        pytest.param((5000, 9000), False, 2, Clock(2, 9, 0, True), id="a clock of more than twice"),
        pytest.param((4000, 9000), False, 2, Clock(4, 9, 0.05), id="a clock of twice as much"),
        pytest.param((300, 9000), False, 2, Clock(0.3, 9, 0.05), id="a clock that is nearly down"),
        pytest.param((5000, 9000), False, float("inf"), Clock(5, 9, 0.05), id="no limit at all"),
    ],
)
@pytest.mark.parametrize("you", [1, 2])
def test_a_limit_holds_where_the_clock_gives_more(
    clocks_ms: tuple[int, int], per_move: bool, think: float, expected: Clock, you: int
) -> None:
    clocks = clocks_ms if you == 1 else (clocks_ms[1], clocks_ms[0])
    told = Turn("1", "take_stones", {"stones": 7}, [], 0, you, clocks, 50, "other", per_move)
    assert clock_of(hurried(told, think)) == expected


def test_choose_is_told_the_limit() -> None:
    told: list[Clock] = []

    def choose(position: Position, clock: Clock) -> int:
        told.append(clock)
        return first_move(position, clock)

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        await receive(connection)

    play(script, choose=choose, think=0.5)
    assert told == [Clock(0.5, 4, 0, True)]


def test_it_resigns_when_there_is_no_move_chosen() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3], match="12"))
        assert await receive(connection) == {"type": "resign", "match": "12"}

    play(script, choose=lambda position, clock: None)  # noqa: ARG005


class Reader:
    """Reads the setup of the turns."""

    def answer(self, turn: Turn) -> int:
        return turn.setup["stones"]


def test_it_gives_the_whole_turn_to_who_wants_it() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3]))
        assert (await receive(connection))["move"] == 7

    play(script, choose=Reader())


def test_choose_may_change_the_position() -> None:
    def choose(position: Position, clock: Clock) -> int:
        position.play(1)
        return first_move(position, clock)

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        for _ in range(2):
            await send(connection, turn([3]))
            assert (await receive(connection))["move"] == 2

    play(script, choose=choose)


def test_it_plays_several_matches_at_once() -> None:
    both_are_thinking = threading.Barrier(2, timeout=TEST_TIMEOUT)

    def choose(position: Position, clock: Clock) -> int:
        both_are_thinking.wait()
        return first_move(position, clock)

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([3], match="1"), turn([3, 6], match="2"))
        answers = [await receive(connection), await receive(connection)]
        assert {(answer["match"], answer["ply"]) for answer in answers} == {("1", 1), ("2", 2)}

    play(script, choose=choose, matches=2)


# While it thinks


class Slow:
    """Chooses when it is let, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.thread: threading.Thread | None = None
        self.started = asyncio.Event()
        self.may_move = threading.Event()

    def __call__(self, position: Position, clock: Clock) -> int:
        self.asked += 1
        self.thread = threading.current_thread()
        self.loop.call_soon_threadsafe(self.started.set)
        assert self.may_move.wait(TEST_TIMEOUT)
        return first_move(position, clock)

    async def begins(self, connection: ServerConnection, *turns: Turn) -> None:
        """Let the bot in and make it think."""
        self.loop = asyncio.get_running_loop()
        await welcome(connection)
        await send(connection, *turns)
        await self.started.wait()

    async def moves(self) -> None:
        """Let it finish, and wait until it has."""
        self.may_move.set()
        assert self.thread
        await asyncio.to_thread(self.thread.join)


def test_it_answers_pings_while_it_thinks() -> None:
    slow = Slow()

    async def script(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([]))
        await (await connection.ping())
        assert not slow.may_move.is_set()
        slow.may_move.set()

    play(script, choose=slow)


def test_a_turn_that_is_repeated_meanwhile_is_not_thought_over_twice() -> None:
    slow = Slow()

    async def script(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([]), turn([]))
        await (await connection.ping())
        slow.may_move.set()
        await receive(connection)
        await send(connection, turn([3, 6]))
        assert (await receive(connection))["ply"] == 2

    play(script, choose=slow)
    assert slow.asked == 2


def test_what_is_found_after_a_move_was_taken_back_is_for_the_new_position() -> None:
    slow = Slow()

    async def script(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([3]))
        await send(connection, turn([1]))
        await (await connection.ping())
        slow.may_move.set()
        assert (await receive(connection))["move"] == 2
        await send(connection, turn([3, 6], match="2"))
        assert (await receive(connection))["match"] == "2"

    play(script, choose=slow)


def test_a_move_found_while_the_connection_was_lost_is_sent_on_the_next() -> None:
    slow = Slow()

    async def lose(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([]))
        connection.transport.abort()

    async def go_on(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        slow.may_move.set()
        assert (await receive(connection))["ply"] == 0

    play(lose, go_on, choose=slow)


def test_a_move_found_while_there_is_no_connection_is_found_again_when_asked_for() -> None:
    slow = Slow()

    async def lose(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([]))
        connection.transport.abort()

    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        if not slow.asked or slow.may_move.is_set():
            return None
        await slow.moves()
        return connection.respond(503, "not now\n")

    async def go_on(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    play(lose, go_on, choose=slow, admit=admit)
    assert slow.asked == 2


def test_a_move_found_while_the_connection_is_closing_is_found_again_when_asked_for() -> None:
    slow = Slow()

    async def close_slowly(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([]))
        connection.transport.write(bytes.fromhex("88 02 03f4"))  # a close frame with code 1012
        connection.transport.pause_reading()  # never sees the answer, so never hangs up
        await slow.moves()
        connection.transport.abort()

    async def go_on(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    play(close_slowly, go_on, choose=slow)


def test_an_end_that_comes_while_it_thinks_is_the_end() -> None:
    slow = Slow()

    async def script(connection: ServerConnection) -> None:
        await slow.begins(connection, turn([]))

    play(script, choose=slow)
    assert not slow.may_move.is_set()
    slow.may_move.set()


def test_what_choose_raises_ends_it() -> None:
    def choose(position: Position, clock: Clock) -> int:  # noqa: ARG001
        raise ZeroDivisionError("on purpose")

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, turn([]))
        await connection.wait_closed()

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        play(script, choose=choose)


# What it is told


def test_it_is_refused_with_the_arenas_words() -> None:
    async def script(connection: ServerConnection) -> None:
        await receive(connection)
        await send(connection, Error("name_taken", "there is one already"))
        await connection.close(1008, "name_taken")

    with pytest.raises(RefusedByArena, match=r"there is one already \(name_taken\)"):
        play(script)


def test_it_is_refused_by_the_close_code_alone() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.close(1008, "unreadable")

    with pytest.raises(RefusedByArena, match="unreadable"):
        play(script)


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(encode(Error("wrong_ply", "too late", "1")), id="an error"),
        pytest.param('{"type": "news", "of": "tomorrow"}', id="an unknown type"),
        pytest.param("what?", id="not JSON"),
        pytest.param(b"\x00", id="a binary frame"),
    ],
)
def test_it_goes_on_after(frame: str | bytes) -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.send(frame)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    play(script)


# When the connection is lost


@pytest.mark.parametrize(
    "lose",
    [
        pytest.param(hang_up, id="cut before hello"),
        pytest.param(cut, id="cut"),
        pytest.param(partial(close, code=1009), id="too large"),
        pytest.param(partial(close, code=1011), id="internal error"),
        pytest.param(partial(close, code=1012), id="restart"),
    ],
)
def test_it_comes_back_after(lose: Script) -> None:
    came_back = []

    async def again(connection: ServerConnection) -> None:
        came_back.append(await welcome(connection))

    play(lose, again)
    assert len(came_back) == 1


def test_it_comes_back_with_its_session_key() -> None:
    sessions = []

    async def again(connection: ServerConnection) -> None:
        sessions.append((await welcome(connection))["session"])

    play(cut, again)
    assert sessions == ["key"]


def test_it_is_refused_when_it_comes_back() -> None:
    with pytest.raises(RefusedByArena, match="name_taken"):
        play(cut, partial(close, code=1008, reason="name_taken"))


def test_it_waits_for_an_arena_that_is_not_there_yet() -> None:
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


def test_it_comes_back_when_the_arena_had_no_room() -> None:
    answers = [503, 503]

    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        return connection.respond(answers.pop(), "not now\n") if answers else None

    play(end, admit=admit)
    assert answers == []


def test_where_no_arena_is_it_does_not_come_back() -> None:
    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        return connection.respond(404, "no arena\n")

    with pytest.raises(RefusedByArena, match=r"no arena at ws://.*: HTTP status 404"):
        play(end, admit=admit)


def test_the_delay_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_DELAY", 0.02)
    attempts = []

    async def lose(connection: ServerConnection) -> None:
        attempts.append(time.monotonic())
        connection.transport.abort()

    play(*4 * [lose], end)
    gaps = [later - sooner for sooner, later in itertools.pairwise(attempts)]
    assert all(gap > least for gap, least in zip(gaps, [0.0199, 0.0399, 0.0799], strict=True))


# Without a limit, or without a reset, 24 delays would be hours: the timeout of `meet` is reached.


def test_the_delay_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LAST_DELAY", 0.002)
    play(*24 * [hang_up], end)


def test_the_delay_is_reset_by_a_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LAST_DELAY", 10 * TEST_TIMEOUT)
    play(*24 * [cut], end)


# in_thread


def test_in_thread_gives_what_the_function_returns() -> None:
    assert asyncio.run(in_thread(lambda: 42)) == 42


def test_in_thread_uses_a_thread_that_keeps_nobody_from_leaving() -> None:
    thread = asyncio.run(in_thread(threading.current_thread))
    assert (thread.daemon, thread is threading.main_thread()) == (True, False)


def test_in_thread_raises_what_the_function_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_thread(lambda: 1 // 0))


def test_in_thread_raises_even_what_a_future_cannot_hold() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(asyncio.wait_for(in_thread(lambda: next(iter(()))), TEST_TIMEOUT))


class Waiting:
    """A function that returns when it is let, and the thread that it runs in."""

    def __init__(self) -> None:
        self.thread: threading.Thread | None = None
        self.has_begun = threading.Event()
        self.may_end = threading.Event()

    def __call__(self) -> bool:
        self.thread = threading.current_thread()
        self.has_begun.set()
        return self.may_end.wait(TEST_TIMEOUT)

    async def begins(self) -> asyncio.Task[bool]:
        """Run it in a thread, and wait until it does."""
        task = asyncio.create_task(in_thread(self))
        await asyncio.to_thread(self.has_begun.wait, TEST_TIMEOUT)
        return task

    def ends(self) -> None:
        """Let it return, and wait until its thread has ended."""
        self.may_end.set()
        assert self.thread
        self.thread.join(TEST_TIMEOUT)


def test_in_thread_forgets_a_thread_that_nobody_waits_for() -> None:
    function = Waiting()
    complaints: list[Facts] = []

    async def give_up() -> None:
        task = await function.begins()
        task.cancel()
        asyncio.get_running_loop().set_exception_handler(lambda _, facts: complaints.append(facts))
        await asyncio.to_thread(function.ends)

    asyncio.run(give_up())
    assert complaints == []


def test_a_thread_may_outlive_the_loop() -> None:
    function = Waiting()
    asyncio.run(function.begins())
    function.ends()
    assert function.thread
    assert not function.thread.is_alive()
