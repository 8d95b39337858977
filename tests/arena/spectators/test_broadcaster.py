"""Broadcasts to spectators of a real arena: rounds, batches and slow spectators."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import chain, repeat
from pathlib import Path

import pytest

from arena.model.results import Pairing, PlayedMove, Termination
from arena.network.frames import compressed_text_frame
from arena.protocol.player import Finished, Resign, Turn
from arena.protocol.spectator import About, Lobby, MatchFinished, MatchMoves, MatchSnapshot
from arena.spectators import broadcaster, live_state
from tests.support.servers.raw_socket import RawConnection, frame, raw_connection, request
from tests.support.servers.spectators import SpectatedArena, begin_match, spectated_arena


def set_ready(monkeypatch: pytest.MonkeyPatch, answers: Iterable[bool]) -> None:
    """Replace the state of all send buffers, one value for each check."""
    checks = iter(answers)
    monkeypatch.setattr(broadcaster.Spectator, "is_ready", property(lambda _: next(checks)))


async def test_lobby_is_sent_and_updated(db: Path) -> None:
    async with spectated_arena(db) as server:
        idle, spectator = await server.connect_spectator(), await server.follow()
        await idle.receive(About)
        assert (await spectator.receive(Lobby)).full
        await server.connect_bot("ann")
        assert (await spectator.receive(Lobby)).bots == ["ann"]
        await idle.send("find_games", request=1)  # it follows nothing
        assert '"type":"games"' in await idle.connection.recv()


async def test_an_update_is_compressed_once_for_all_that_ask_for_it(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compressed: list[str] = []

    def compress(text: str) -> bytes:
        compressed.append(text)
        return compressed_text_frame(text)

    monkeypatch.setattr(broadcaster, "compressed_text_frame", compress)
    async with spectated_arena(db) as server:
        spectators = [
            await server.connect_spectator(compression=compression)
            for compression in ("deflate", "deflate", None)
        ]
        for spectator in spectators:
            await spectator.receive(About)
            await spectator.send("watch", match=None)
            assert (await spectator.receive(Lobby)).full
        del compressed[:]
        await server.connect_bot("ann")
        for spectator in spectators:
            assert (await spectator.receive(Lobby)).bots == ["ann"]
        assert sum('"lobby"' in text for text in compressed) == 1


async def test_a_match_is_sent_from_its_start_to_its_result(db: Path) -> None:
    async with spectated_arena(db) as server:
        one, two = await begin_match(server)
        spectator = await server.follow(1)
        match = await spectator.receive(MatchSnapshot)
        assert match.facts.players == ("one", "two")
        assert ([*match.moves.moves], match.result) == ([3], None)
        await two.play(6)
        update = (await spectator.receive(MatchMoves)).moves
        assert (update.ply, [*update.moves]) == (1, [6])
        for player, move in ((one, 2), (two, 4), (one, 1), (two, 5)):
            await player.play(move)
        rest: list[int] = []
        while len(rest) < 4:
            update = (await spectator.receive(MatchMoves)).moves
            rest[update.ply - 2 :] = update.moves
        assert rest == [2, 4, 1, 5]
        result = (await spectator.receive(MatchFinished)).result
        assert (result.winner, result.termination) == (2, Termination.NO_LEGAL_MOVE)


async def test_spectator_with_a_full_buffer_is_skipped_and_gets_the_latest(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_ready(monkeypatch, chain([False] * 3, repeat(True)))
    async with spectated_arena(db) as server:
        one, two = await begin_match(server)
        spectator = await server.follow(1)
        await two.play(6)
        await one.play(2)
        match = await spectator.receive(MatchSnapshot)
        assert [*match.moves.moves] in ([3], [3, 6], [3, 6, 2])
        received = [*match.moves.moves]
        while len(received) < 3:
            update = (await spectator.receive(MatchMoves)).moves
            received[update.ply :] = update.moves
        assert received == [3, 6, 2]


async def test_match_that_left_the_live_state_is_sent_from_the_database(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.spectators.live_state.FINISHED_MATCHES", 1)
    async with spectated_arena(db) as server:
        one, two = await begin_match(server)
        spectator = await server.follow(1)
        await spectator.receive(MatchSnapshot)
        is_blocked = True
        set_ready(monkeypatch, iter(lambda: not is_blocked, None))
        for player, move in ((two, 6), (one, 2), (two, 4), (one, 1), (two, 5)):
            await player.play(move)
        await one.receive(Finished)
        server.start_match("one", "two")
        await one.send(Resign((await one.receive(Turn)).match))
        await one.receive(Finished)
        is_blocked = False
        match = await spectator.receive(MatchSnapshot)
        assert match.result
        assert [*match.moves.moves] == [3, 6, 2, 4, 1, 5]


async def test_all_batches_are_served(db: Path) -> None:
    async with spectated_arena(db) as server:
        _, two = await begin_match(server)
        spectators = [await server.follow(1) for _ in range(2 * broadcaster.BATCH_SIZE + 1)]
        await asyncio.gather(*(spectator.receive(MatchSnapshot) for spectator in spectators))
        await two.play(6)
        updates = await asyncio.gather(*(spectator.receive(MatchMoves) for spectator in spectators))
        assert {tuple(message.moves.moves) for message in updates} == {(6,)}


async def test_new_choice_during_a_round_is_kept(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcaster, "BATCH_SIZE", 1)
    monkeypatch.setattr(broadcaster, "ROUND_SECONDS", 0.0)
    monkeypatch.setattr(broadcaster, "TIME_SHARE", float("inf"))
    async with spectated_arena(db) as server:
        await begin_match(server)
        spectators = [await server.follow(1) for _ in range(20)]
        await asyncio.gather(*(spectator.receive(MatchSnapshot) for spectator in spectators))
        for ply in range(1, 9):  # the order of the two groups is undefined
            newcomer = await server.connect_spectator()
            await newcomer.receive(About)
            server.arena.live_state.moved(1, PlayedMove(ply, 6, 0.0, 0.0, 0.0, 0.0))
            await newcomer.send("watch", match=1)
            assert len((await newcomer.receive(MatchSnapshot)).moves.moves) == ply + 1


# Large states

WATCH = frame(b'{"type":"watch"}')


@asynccontextmanager
async def raw_spectator(
    server: SpectatedArena, receive_buffer: int | None = None
) -> AsyncIterator[RawConnection]:
    """Connect a spectator that reads and sends bytes."""
    async with raw_connection(server.url, receive_buffer) as spectator:
        await spectator.send(request("/watch"))
        await spectator.read(b"\r\n\r\n")
        yield spectator


async def test_a_spectator_that_reads_gets_a_state_above_the_limit_of_its_buffer(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.network.connection.MAX_UNSENT", 2**10)
    opening = (1,) * 2_000_000  # the lobby has more bytes than the kernel keeps for a connection
    async with spectated_arena(db) as server:
        pairing = Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, opening)
        server.arena.live_state.started(1, pairing)
        async with raw_spectator(server, receive_buffer=4096) as spectator:
            await spectator.send(WATCH)
            received = 0
            while received < 2 * len(opening):
                data = await asyncio.get_running_loop().sock_recv(spectator.socket, 2**20)
                assert data, "disconnected"
                received += len(data)


async def test_complete_states_are_charged(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcaster, "TEXT_LENGTH", 1)
    monkeypatch.setattr("arena.server.server.IDLE_RATE", 1e-9)  # no second turn
    async with spectated_arena(db) as server, raw_spectator(server) as greedy:
        states = 0

        async def ask_again_and_again() -> None:
            nonlocal states
            while True:
                await greedy.send(WATCH)
                await greedy.read(b'"finished":0}')
                states += 1

        asking = asyncio.create_task(ask_again_and_again())
        other = await server.follow()
        await other.receive(Lobby)
        for number in range(20):  # rounds, in each of which the greedy one could be answered
            await server.connect_bot(f"bot {number}")
            await other.receive(Lobby)
        asking.cancel()
        await asyncio.wait([asking])
        assert 1 <= states <= 3


async def test_bots_that_join_do_not_send_a_long_list_to_all_again(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_state, "BOTS_BYTES", 0)
    monkeypatch.setattr(live_state, "BOTS_RATE", 1e-9)
    async with spectated_arena(db) as server:
        spectator = await server.follow()
        assert (await spectator.receive(Lobby)).full
        await server.connect_bot("ann")
        assert (await spectator.receive(Lobby)).bots == ["ann"]
        await begin_match(server)  # with two more bots
        lobby = await spectator.receive(Lobby)
        while not lobby.started:
            assert lobby.bots is None
            lobby = await spectator.receive(Lobby)
        assert lobby.bots is None
        assert (await (await server.follow()).receive(Lobby)).bots == ["ann", "one", "two"]
