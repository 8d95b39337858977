"""Sessions: expected bots, free names, and reconnection."""

from base64 import urlsafe_b64decode
from pathlib import Path

from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Turn
from tests.support.servers.arena_server import (
    arena_server,
    in_event_loop,
    two_bots,
)
from tests.support.servers.raw_socket import CLOSE, frame, frames, websocket

# Expected bots


@in_event_loop
async def test_expect_returns_the_bots_that_never_connected(db: Path) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("two")
        assert server.arena.sessions.expect(["three", "two", "one"]) == ["three", "one"]


@in_event_loop
async def test_an_expected_bot_connects(db: Path) -> None:
    async with arena_server(db) as server:
        server.arena.sessions.expect(["one"])
        await server.connect_bot("one")
        assert server.arena.sessions.expect(["one"]) == []


@in_event_loop
async def test_an_expected_bot_is_remembered_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        server.arena.sessions.expect(["one"])
        await bot.connection.close()
        await server.wait_until_disconnected("one")
        assert server.arena.sessions.expect(["one"]) == []


@in_event_loop
async def test_an_unexpected_bot_is_forgotten_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        server.arena.sessions.expect(["two"])
        bot = await server.connect_bot("one")
        await bot.connection.close()
        await server.wait_until_disconnected("one")
        assert server.arena.sessions.expect(["one"]) == ["one"]


# Names


@in_event_loop
async def test_every_welcome_has_its_own_session_key(db: Path) -> None:
    async with arena_server(db) as server:
        assert (await server.connect_bot("one")).session != (
            await server.connect_bot("two")
        ).session


@in_event_loop
async def test_a_session_key_has_128_random_bits(db: Path) -> None:
    async with arena_server(db) as server:
        session = (await server.connect_bot("one")).session
        assert 8 * len(urlsafe_b64decode(session + "==")) == 128


@in_event_loop
async def test_a_name_is_free_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        first = await server.connect_bot("one")
        await first.connection.close()
        await server.wait_until_disconnected("one")
        assert (await server.connect_bot("one")).session != first.session


# Reconnection


@in_event_loop
async def test_the_session_key_replaces_an_open_connection(db: Path) -> None:
    async with arena_server(db) as server:
        first = await server.connect_bot("one")
        again = await server.connect_bot("one", session=first.session)
        assert again.session == first.session
        assert (await first.wait_closed())[0] == 1006


@in_event_loop
async def test_a_replaced_connection_ends_without_a_close_frame(db: Path) -> None:
    async with arena_server(db) as server, websocket(server.url) as first:
        await first.send(frame(Hello(PROTOCOL_VERSION, "one", ["take_stones"])))
        await server.wait_until_connected("one")
        await server.connect_bot("one", session=server.arena.sessions.bots["one"].key)
        assert CLOSE not in [opcode for opcode, _ in frames(await first.read_to_end())]


@in_event_loop
async def test_an_unknown_session_key_counts_as_none(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        turn = await one.receive(Turn)
        stranger = await server.connect()
        await stranger.send(Hello(PROTOCOL_VERSION, "one", ["take_stones"], session="unknown"))
        assert (await stranger.receive(Error)).code == "name_taken"
        await one.connection.close()
        await server.wait_until_disconnected("one")
        again = await server.connect_bot("one", session="unknown")
        assert again.session not in {one.session, "unknown"}
        assert (await again.receive(Turn)).match == turn.match


@in_event_loop
async def test_a_reconnected_bot_receives_its_turn_again(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        before = await one.receive(Turn)
        after = await (await server.connect_bot("one", session=one.session)).receive(Turn)
        assert (after.match, after.ply, after.moves) == (before.match, before.ply, before.moves)


@in_event_loop
async def test_the_clock_runs_during_a_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        before = await one.receive(Turn)
        after = await (await server.connect_bot("one", session=one.session)).receive(Turn)
        assert after.clocks_ms[0] < before.clocks_ms[0]


@in_event_loop
async def test_a_match_continues_after_a_reconnection(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.receive(Turn)
        await one.connection.close()
        await server.wait_until_disconnected("one")
        await (await server.connect_bot("one", session=one.session)).play(3)
        assert (await task).winner == "one"


@in_event_loop
async def test_a_reconnected_bot_waits_for_its_turn(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two")
        again = await server.connect_bot("two", session=two.session)
        await one.play(1)
        assert (await again.receive(Turn)).moves == [1]


@in_event_loop
async def test_reconnecting_without_a_key_creates_a_new_one(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        await one.connection.close()
        await server.wait_until_disconnected("one")
        again = await server.connect_bot("one", session="forgotten")
        assert (await again.receive(Turn)).you == 1
        assert again.session not in {one.session, "forgotten"}
