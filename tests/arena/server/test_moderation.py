"""Moderation of a listening arena: tokens and bans end connections, broken files are reported."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.model.observer import Observer
from arena.model.results import Termination
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Turn, Welcome
from arena.protocol.spectator import About, Leaderboards, Lobby
from arena.server.admission import Admission
from arena.storage.access import (
    TokenAuthenticator,
    WatchedFile,
    add_ban,
    add_token,
    load_bans,
    remove_ban,
    revoke_token,
)
from arena.storage.rewriting import rename_player
from arena.storage.schema import DatabaseError
from tests.support.polling import awaited, until
from tests.support.servers.arena_server import ScriptedBot
from tests.support.servers.handshakes import failed_handshake
from tests.support.servers.http_client import request
from tests.support.servers.spectators import SpectatedArena, play_match, spectated_arena

NOW = 1795286096.0
REMOVED = "player 1 (Ann) was removed by the operator"


class Problems(Observer):
    """The problems that an arena has reported, and their ends."""

    def __init__(self) -> None:
        self.reported: list[tuple[str, str]] = []

    def degraded(self, part: str, cause: str) -> None:
        self.reported.append((part, cause))

    def recovered(self, part: str) -> None:
        self.reported.append((part, ""))


class Moderated(NamedTuple):
    """An arena behind a proxy with files of tokens and bans, and two connected bots."""

    server: SpectatedArena
    tokens: Path
    bans: Path
    problems: Problems
    ann: ScriptedBot
    bob: ScriptedBot

    async def send_hello(self, name: str, token: str, address: str) -> ScriptedBot:
        player = await self.server.connect({"X-Real-IP": address})
        await player.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], token=token))
        return player


@asynccontextmanager
async def moderated(db: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Moderated]:
    monkeypatch.setattr("arena.server.moderation.CHECK_SECONDS", 0.001)
    tokens, bans = db.with_name("tokens.json"), db.with_name("bans.json")
    secrets = [add_token(tokens, name, NOW) for name in ("Ann", "Bob")]
    admission = Admission(
        TokenAuthenticator(tokens, print),
        behind_proxy=True,
        bans=WatchedFile(bans, load_bans),
    )
    problems = Problems()
    async with spectated_arena(db, problems, admission) as server:
        result = Moderated(server, tokens, bans, problems, *[None] * 2)  # type: ignore[arg-type]
        players = []
        for name, secret, address in zip(
            ("Ann", "Bob"), secrets, ("192.0.2.1", "198.51.100.1"), strict=True
        ):
            players.append(await result.send_hello(name, secret, address))
            await players[-1].receive(Welcome)
        yield result._replace(ann=players[0], bob=players[1])


async def expect_removal(arena: Moderated, code: str, act: object) -> None:
    """Start a match, act, and expect that Ann loses it and her connection."""
    task = arena.server.start_match("Ann", "Bob")
    await arena.ann.receive(Turn)
    assert callable(act)
    act()
    async with awaited("the end of the match"):
        record = await task
    result = record.result
    assert (result.termination, result.winner, result.reason) == (
        Termination.DISCONNECT,
        2,
        REMOVED,
    )
    assert (await arena.ann.receive(Error)).code == code
    assert await arena.ann.wait_closed() == (1008, code)
    assert [*arena.server.arena.server.sessions.bots] == ["Bob"]


async def test_a_revoked_token_ends_the_connection(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with moderated(db, monkeypatch) as arena:
        await expect_removal(arena, "token_unknown", lambda: revoke_token(arena.tokens, "Ann"))


async def test_a_banned_name_loses_its_connection_and_is_refused(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with moderated(db, monkeypatch) as arena:
        await expect_removal(arena, "banned", lambda: add_ban(arena.bans, "Ann", NOW))
        revoke_token(arena.tokens, "Ann")
        token = add_token(arena.tokens, "Ann", NOW)
        back = await arena.send_hello("Ann", token, "192.0.2.1")
        assert (await back.receive(Error)).code == "banned"
        remove_ban(arena.bans, "Ann")
        back = await arena.send_hello("Ann", token, "192.0.2.1")
        await back.receive(Welcome)


async def test_all_clients_of_a_banned_network_are_removed(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with moderated(db, monkeypatch) as arena:
        spectators = [
            await arena.server.connect_spectator(address) for address in ("192.0.2.9", "::1")
        ]
        silent = await arena.server.connect({"X-Real-IP": "192.0.2.8"})
        for spectator in spectators:
            await spectator.receive(About)
        await expect_removal(arena, "banned", lambda: add_ban(arena.bans, "192.0.2.0/24", NOW))
        assert await silent.wait_closed() == (1008, "banned")
        async with awaited("the end of the spectator"):
            await spectators[0].connection.wait_closed()
        assert spectators[1].connection.close_code is None
        for url in (arena.server.url, arena.server.url.replace("play", "watch")):
            refused = await failed_handshake(url, {"X-Real-IP": "192.0.2.77"})
            assert refused.status_code == 403


async def test_a_bot_that_is_gone_at_its_removal_loses_at_once(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with moderated(db, monkeypatch) as arena:
        task = arena.server.start_match("Ann", "Bob")
        await arena.ann.receive(Turn)
        await arena.ann.connection.close()
        await arena.server.wait_until_disconnected("Ann")
        add_ban(arena.bans, "Ann", NOW)
        async with awaited("the end of the match"):
            assert (await task).result.reason == REMOVED


async def test_a_broken_file_is_reported_until_it_is_whole(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with moderated(db, monkeypatch) as arena, AsyncExitStack():
        good = arena.tokens.read_bytes()
        arena.tokens.unlink()
        reported = arena.problems.reported
        await until(lambda: reported, "the report of the missing file")
        arena.tokens.write_bytes(good)
        await until(lambda: len(reported) == 2, "the report of the file")
        arena.bans.write_text("{")
        await until(lambda: len(reported) == 3, "the report of the broken file")
        assert reported[:2] == [
            ("tokens", f"cannot read {arena.tokens}: No such file or directory"),
            ("tokens", ""),
        ]
        assert reported[2][1].startswith(f"{arena.bans} is not a file of bans: ")
        # Connected bots stay.
        task = arena.server.start_match("Ann", "Bob")
        await arena.ann.receive(Turn)
        task.cancel()
        await asyncio.wait([task])


async def test_spectators_see_the_new_name_of_a_player_at_once(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.moderation.CHECK_SECONDS", 0.001)
    async with spectated_arena(db, has_page=True) as server:
        match = await play_match(server)
        spectator = await server.follow()
        lobby = await spectator.receive(Lobby)
        assert lobby.results
        assert lobby.results[0].facts.players == ("one", "two")
        [table] = (await spectator.receive(Leaderboards)).tables
        assert {row.bot for row in table.bots} == {"one", "two"}
        page = await asyncio.to_thread(request, server.url, f"/match/{match}")
        assert "one" in page.body
        assert await asyncio.to_thread(rename_player, db, "one", "pseudonym") == 1
        while not (await spectator.receive(Lobby)).results:
            pass
        assert server.arena.live_state.find(match) is None
        names = {"one", "two"}
        while names != {"pseudonym", "two"}:
            [table] = (await spectator.receive(Leaderboards)).tables
            names = {row.bot for row in table.bots}
        later = await server.follow()
        lobby = await later.receive(Lobby)
        assert lobby.results
        assert lobby.results[0].facts.players == ("pseudonym", "two")
        assert lobby.finished == 1
        page = await asyncio.to_thread(request, server.url, f"/match/{match}")
        assert ("pseudonym" in page.body, "player 1 (one)" in page.body) == (True, False)


async def test_matches_that_cannot_be_read_again_are_tried_again(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.moderation.CHECK_SECONDS", 0.001)
    problems = Problems()
    async with spectated_arena(db, problems) as server:
        match = await play_match(server)
        with monkeypatch.context() as broken:

            def fail(_path: Path) -> None:
                raise DatabaseError("cannot read it")

            broken.setattr("arena.app.latest_results", fail)
            await asyncio.to_thread(rename_player, db, "one", "pseudonym")
            await until(lambda: problems.reported, "the report of the database")
            assert problems.reported == [("moderation", "DatabaseError: cannot read it")]
        await until(lambda: len(problems.reported) == 2, "the end of the problem")
        assert server.arena.live_state.find(match) is None
