"""Running matches that a player loses, and moves that are rejected."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.codec import UNREADABLE_LIMIT
from arena.protocol.player import Error, Finished, Move, Resign, Turn
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ScriptedBot, arena_server, read_matches, two_bots

GARBAGE: list[str | bytes] = ["", b"\x00", '{"type":"move","match":"1","ply":0,"move":"x"}']


# Lost matches


Action = Callable[[ScriptedBot, Turn], Awaitable[None]]


async def result_of(db: Path, action: Action, time: str = "20", grace: float = 20) -> MatchResult:
    """Return the result of a match in which player 1 acts at its first turn."""
    async with arena_server(db, time, grace) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await action(one, await one.receive(Turn))
        record = await task
        assert (record.winner, server.records()) == ("two", [record])
        return record.result


async def wait_for_end(one: ScriptedBot, _turn: Turn) -> None:
    await one.receive(Finished)


async def test_an_illegal_move_loses_and_is_recorded_as_the_fault(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4))
        await one.play(10**4299)
        record = await task
        reason = "player 1 (one) made an illegal move 3: stone 1000000000... (4300 digits)"
        assert record.result.reason == f"{reason} does not exist, the stones are 1 to 7"
        assert record.fault
        assert (record.fault.ply, record.fault.move) == (2, 10**4299)
        assert (record.moves, server.records()) == ((), [record])


async def test_the_last_words_of_the_loser_are_recorded(db: Path) -> None:
    asked: list[tuple[str, bool]] = []

    def output_tail(name: str, since: float) -> str:
        asked.append((name, since > 0))
        return f"words of {name}"

    async with arena_server(db, grace=0.0, output_tail=output_tail) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(2)
        assert (await task).log == "words of one"
        await one.receive(Finished)
        task = server.start_match("one", "two")
        await one.send(Resign((await one.receive(Turn)).match))
        assert (await task).log == ""
        await one.receive(Finished)
        task = server.start_match("one", "two")
        await one.play(1)
        await one.send(Move("3", 1, 1))  # not its turn
        await two.connection.close()
        assert (await task).log == "words of two"
        assert asked == [("one", True), ("two", False)]  # what it wrote before the match, too


@pytest.fixture
def ignore_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never abort a match because this machine is busy."""
    monkeypatch.setattr("arena.match.adjudicator.MAX_LAG", TEST_TIMEOUT)


@pytest.mark.usefixtures("ignore_lag")
async def test_the_timeout_includes_the_increment(db: Path) -> None:
    async with arena_server(db, time="0.1+0.1") as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        await two.play(2)
        assert (await task).result.termination is Termination.TIMEOUT


@loop_over(("time", "charged"), [("0.01", 0.01), ("0.01/move", 0.01), ("0.01 margin 0.05", 0.06)])
@pytest.mark.usefixtures("ignore_lag")
async def test_a_bot_that_does_not_move_loses_on_time(db: Path, time: str, charged: float) -> None:
    result = await result_of(db, wait_for_end, time=time)
    assert result == MatchResult(Termination.TIMEOUT, 2, "player 1 (one) has used up its time")
    [record] = read_matches(db)
    assert record.fault
    assert (record.fault.ply, record.fault.move) == (0, None)
    assert record.fault.charged >= charged - 1e-9


async def test_the_third_unreadable_message_loses(db: Path) -> None:
    async def send_garbage(one: ScriptedBot, _turn: Turn) -> None:
        for garbage in GARBAGE:
            await one.send(garbage)
            assert (await one.receive(Error)).code == "unreadable"

    result = await result_of(db, send_garbage)
    reason = "player 1 (one) sent 3 unreadable messages"
    assert result == MatchResult(Termination.MALFORMED, 2, reason)


async def test_ten_unreadable_messages_close_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        for _ in range(UNREADABLE_LIMIT):
            await bot.send("[" * 1000)
            await bot.receive(Error)
        assert (await bot.receive(Error)).message == f"{UNREADABLE_LIMIT} unreadable messages"
        assert await bot.wait_closed() == (1008, "unreadable")


async def test_a_disconnected_bot_loses_after_the_grace(db: Path) -> None:
    async def vanish(one: ScriptedBot, _turn: Turn) -> None:
        one.connection.transport.abort()

    result = await result_of(db, vanish, grace=0.01)
    reason = "player 1 (one) was disconnected for 0.01 s"
    assert result == MatchResult(Termination.DISCONNECT, 2, reason)


async def test_a_bot_that_never_connected_loses_after_the_grace_and_is_forgotten(db: Path) -> None:
    async with arena_server(db, grace=0.01) as server:
        await server.connect_bot("two")
        result = (await server.start_match("one", "two")).result
        assert (result.termination, result.winner) == (Termination.DISCONNECT, 2)
        assert [*server.arena.server.sessions.bots] == ["two"]


# Rejected moves


async def test_a_move_that_does_not_fit_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        three = await server.connect_bot("three")

        async def code(bot: ScriptedBot, match: str, ply: int) -> str:
            """Return the code of the error after a move, which names the match."""
            await bot.send(Move(match, ply, 3))
            error = await bot.receive(Error)
            assert error.match == match[:64]
            return error.code

        server.start_match("one", "two", opening=(1,))
        match = (await two.receive(Turn)).match
        assert await code(one, "x" * 100, 1) == "unknown_match"
        assert await code(three, match, 1) == "unknown_match"
        assert [await code(two, match, ply) for ply in (-1, 0, 2)] == ["wrong_ply"] * 3
        assert await code(one, match, 1) == "not_your_turn"
        await two.send(Move(match, 1, 4))
        await one.receive(Turn)
        assert await code(two, match, 1) == "wrong_ply"
        await one.send(Resign(match))
        await two.receive(Finished)
        assert await code(two, match, 3) == "unknown_match"
