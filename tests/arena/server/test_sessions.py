"""Sessions: expected bots, free names, and reconnection."""

from base64 import urlsafe_b64decode
from pathlib import Path

from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Move, Turn
from tests.support.servers.arena_server import arena_server, two_bots

# Expected bots


async def test_expected_bots_are_remembered_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        expect = server.arena.server.sessions.expect
        bots = {name: await server.connect_bot(name) for name in ("two", "stranger")}
        assert expect(["three", "two", "one"]) == ["three", "one"]
        await server.connect_bot("one")
        for name, bot in bots.items():
            await bot.connection.close()
            await server.wait_until_disconnected(name)
        assert expect(["three", "two", "one", "stranger"]) == ["three", "stranger"]


# Names


async def test_a_session_key_has_128_random_bits(db: Path) -> None:
    async with arena_server(db) as server:
        session = (await server.connect_bot("one")).session
        assert 8 * len(urlsafe_b64decode(session + "==")) == 128


async def test_a_name_is_free_after_disconnection(db: Path) -> None:
    async with arena_server(db) as server:
        first, other = await two_bots(server)
        await first.connection.close()
        await server.wait_until_disconnected("one")
        again = await server.connect_bot("one")
        assert len({first.session, other.session, again.session}) == 3


# Reconnection


async def test_the_session_key_replaces_an_open_connection(db: Path) -> None:
    async with arena_server(db) as server:
        first = await server.connect_bot("one")
        again = await server.connect_bot("one", session=first.session)
        assert again.session == first.session
        assert (await first.wait_closed())[0] == 1006


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


async def test_a_match_continues_after_reconnections(db: Path) -> None:
    """The clock runs meanwhile, and the turn is sent again."""
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        before = await two.receive(Turn)
        one = await server.connect_bot("one", session=one.session)  # waits for its turn
        await two.connection.close()
        await server.wait_until_disconnected("two")
        after = await (two := await server.connect_bot("two", session=two.session)).receive(Turn)
        assert (after.match, after.ply, after.moves) == (before.match, before.ply, before.moves)
        assert after.clocks_ms[1] < before.clocks_ms[1]
        await two.send(Move(after.match, after.ply, 6))
        await one.play(3)
        assert (await task).winner == "one"
