"""Client of the bots: messages in both directions."""

import asyncio
import errno
import json
import socket
import threading
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidHandshake

from arena.model.results import Info
from arena.protocol.codec import encode
from arena.protocol.player import Error, Finished, Turn
from bots.client import (
    Choice,
    Client,
    ClockReading,
    ConnectionRejected,
    _answer_frame,
    _described,
    _result,
    clock_of,
    limit_clock,
)
from core.game import Position
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.scripted_server import (
    Fields,
    first_move,
    receive,
    run_client,
    run_client_async,
    send,
    turn,
    welcome,
)

# Reports


@loop_over(
    "winner, termination, opponent, line",
    (1, "no_legal_move", "bob", "match 7 against bob: won, x"),
    (2, "no_legal_move", "bob", "match 7 against bob: lost, x"),
    (None, "game_over", "bob", "match 7 against bob: drawn, x"),
    (None, "aborted", None, "match 7: aborted, x"),
)
def test_the_end_of_a_match_in_one_line(
    winner: int | None, termination: str, opponent: str | None, line: str
) -> None:
    assert _result(Finished("7", 1, winner, termination, "x", []), opponent) == line


@loop_over(
    "error, reason",
    (TimeoutError(), "no answer in time"),
    (ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed"), "Connection refused"),
    (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
    (InvalidHandshake("no handshake"), "no handshake"),
    (ConnectionResetError(), "ConnectionResetError"),
)
def test_why_a_connection_failed(error: Exception, reason: str) -> None:
    assert _described(error) == reason


# Messages of the client


def answer_to(*sent: Turn, **options: Any) -> Fields:
    """Return the first answer of a client to turns."""
    received: list[Fields] = []

    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await send(connection, *sent)
        received.append(await receive(connection))

    run_client(script, **options)
    return received[0]


def hello_of(**options: int | str) -> Fields:
    """Return the first message of a new client."""
    received: list[Fields] = []

    async def script(connection: ServerConnection) -> None:
        received.append(await welcome(connection))

    run_client(script, **options)
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


@loop_over(("field", "value"), [("casual", True), ("matches", 3), ("token", "tsa_secret")])
def test_hello_has_the_options(field: str, value: bool | int | str) -> None:
    assert hello_of(**{field: value})[field] == value


def test_turn_is_answered_with_the_move() -> None:
    answer = answer_to(turn([3, 6], match="12"))
    assert answer == {"type": "move", "match": "12", "ply": 2, "move": 1}


@loop_over(
    "you, think, clock",
    (1, None, ClockReading(5, 4, 0.05)),
    (2, None, ClockReading(4, 5, 0.05)),
    (1, 0.5, ClockReading(0.5, 4, 0, True)),
)
def test_strategy_receives_the_position_and_the_clock(
    you: int, think: float | None, clock: ClockReading
) -> None:
    received: list[tuple[list[int], ClockReading]] = []

    def strategy(position: Position, clock: ClockReading) -> int:
        received.append((position.moves, clock))
        return 1

    answer_to(turn([3, 6], you=you), strategy=strategy, think=think)
    assert received == [([3, 6], clock)]


@loop_over("per_move", [False, True])
def test_clock_reading_has_per_move(per_move: bool) -> None:
    received = Turn(
        "1", "take_stones", {"stones": 7}, [], 0, 1, (5000, 4000), 50, "other", per_move
    )
    assert clock_of(received) == ClockReading(5, 4, 0.05, per_move)


@loop_over(
    "clocks_ms, per_move, think, expected",
    ((86_400_000, 9000), True, 2, ClockReading(2, 9, 0, True)),
    ((3000, 9000), True, 2, ClockReading(2, 9, 0, True)),
    ((2000, 9000), True, 2, ClockReading(2, 9, 0.05, True)),
    ((1000, 9000), True, 2, ClockReading(1, 9, 0.05, True)),
    ((5000, 9000), False, 2, ClockReading(2, 9, 0, True)),
    ((4000, 9000), False, 2, ClockReading(4, 9, 0.05)),
    ((300, 9000), False, 2, ClockReading(0.3, 9, 0.05)),
    ((5000, 9000), False, float("inf"), ClockReading(5, 9, 0.05)),
)
@loop_over("you", [1, 2])
def test_limit_applies_if_the_clock_allows_more(
    clocks_ms: tuple[int, int], per_move: bool, think: float, expected: ClockReading, you: int
) -> None:
    clocks = clocks_ms if you == 1 else (clocks_ms[1], clocks_ms[0])
    received = Turn("1", "take_stones", {"stones": 7}, [], 0, you, clocks, 50, "other", per_move)
    assert clock_of(limit_clock(received, think)) == expected


def test_strategy_can_resign() -> None:
    answer = answer_to(turn([3], match="12"), strategy=lambda position, clock: None)  # noqa: ARG005
    assert answer == {"type": "resign", "match": "12"}


class SetupStrategy:
    """Strategy that reads the setup of a turn."""

    def answer(self, turn: Turn) -> int:
        return turn.setup["stones"]


def test_turn_strategy_receives_the_whole_turn() -> None:
    assert answer_to(turn([3]), strategy=SetupStrategy())["move"] == 7


def test_a_move_is_sent_with_its_information() -> None:
    class Informed:
        def choose_with_info(self, position: Position, clock: ClockReading) -> Choice:
            return Choice(first_move(position, clock), Info(-1.0, 3, 5))

        def __call__(self, position: Position, clock: ClockReading) -> int:  # noqa: ARG002
            raise AssertionError("the other method is asked")

    answer = answer_to(turn([3, 6]), strategy=Informed())
    assert answer["info"] == {"evaluation": -1.0, "depth": 3, "nodes": 5}


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


class SharedThinking:
    """Strategy of a casual bot that lets its first move wait until others wait for it."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()
        self.may_move = threading.Event()
        self.clocks: list[float] = []
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()

    def __call__(self, position: Position, clock: ClockReading) -> int:
        assert self._lock.acquire(blocking=False), "two moves are chosen at once"
        self.clocks.append(clock.remaining)
        self._loop.call_soon_threadsafe(self.is_asked.set)
        assert self.may_move.wait(TEST_TIMEOUT)
        self._lock.release()
        return first_move(position, clock)


def test_the_matches_of_a_casual_bot_share_its_time() -> None:
    async def run() -> None:
        strategy = SharedThinking()

        async def script(connection: ServerConnection) -> None:
            await welcome(connection)
            await send(connection, turn([3], match="1"))
            await strategy.is_asked.wait()
            await send(connection, *(turn([3], match=match) for match in ("2", "3", "4")))
            await send(connection, Finished("3", 1, 1, "resignation", "", [3]))
            await send(connection, turn([1], match="4"))  # after a takeback
            await (await connection.ping())
            strategy.may_move.set()
            answers = {(await receive(connection))["match"] for _ in range(3)}
            assert answers == {"1", "2", "4"}

        await run_client_async(script, strategy=strategy, matches=4, casual=True, think=1.5)
        first, second, _ = strategy.clocks  # none for what is not asked for any more
        assert first == 1.5
        assert second in {0.5, 0.75}  # the first move may still be on its way

    asyncio.run(run())


def test_a_casual_bot_does_not_think_about_a_turn_that_has_ended() -> None:
    def strategy(position: Position, clock: ClockReading) -> int:
        raise AssertionError((position, clock))

    url = "ws://127.0.0.1:1/play"
    client = Client(url, "tester", strategy, ["take_stones"], casual=True, think=1.0)
    assert client._choose_move(turn([3])) is None  # no match is being played


# Messages of the arena


def test_rejection_has_the_message_of_the_arena() -> None:
    async def script(connection: ServerConnection) -> None:
        await receive(connection)
        await send(connection, Error("name_taken", "the name is taken"))
        await connection.close(1008, "name_taken")

    with pytest.raises(ConnectionRejected, match=r"the name is taken \(name_taken\)"):
        run_client(script)


def test_a_transient_refusal_is_tried_again() -> None:
    async def refuse(connection: ServerConnection) -> None:
        await receive(connection)
        await send(connection, Error("tokens_unavailable", "try again later"))
        await connection.close(1011, "tokens_unavailable")

    async def accept(connection: ServerConnection) -> None:
        await welcome(connection)

    run_client(refuse, accept)


def test_close_code_1008_is_a_rejection() -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.close(1008, "unreadable")

    with pytest.raises(ConnectionRejected, match="unreadable"):
        run_client(script)


@loop_over(
    "frame",
    encode(Error("wrong_ply", "too late", "1")),
    '{"type": "news", "of": "tomorrow"}',
    "what?",
    b"\x00",
)
def test_client_ignores(frame: str | bytes) -> None:
    async def script(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.send(frame)
        await send(connection, turn([]))
        assert (await receive(connection))["ply"] == 0

    run_client(script)


def test_an_answer_that_is_no_number_is_sent_by_its_type() -> None:
    turn = Turn("1", "take_stones", {"stones": 7}, [], 0, 1, (5000, 4000), 50, "other", False)
    assert json.loads(_answer_frame(turn, object()))["move"] == "object"  # type: ignore[arg-type]
