"""The door of an arena that listens: tokens, foreign pages, limits."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response
from websockets.typing import Origin

from arena.cli.parser import parser
from arena.model.results import Termination
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Resign, Turn, Welcome
from arena.server.admission import MAX_PER_ADDRESS, Admission, ConnectionLimit, is_loopback
from arena.server.tokens import TokenAuthenticator, add_token, hash_token, revoke_token
from tests.support.arena_server import ArenaServer, ScriptedBot, arena_server, in_event_loop
from tests.support.spectators import spectated_arena

NOW = 1795286096.0


class Guarded(NamedTuple):
    """An arena that asks for tokens."""

    server: ArenaServer
    path: Path
    told: list[str]

    def token(self, name: str) -> str:
        return add_token(self.path, name, NOW)

    async def comes(
        self, name: str, token: str | None = None, session: str | None = None, bearer: str = ""
    ) -> ScriptedBot:
        """A bot that has said hello."""
        headers = {"Authorization": bearer} if bearer else {}
        player = ScriptedBot(await connect(self.server.url, proxy=None, additional_headers=headers))
        await player.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], 1, session, token))
        return player


@asynccontextmanager
async def guarded(db: Path, grace: float = 20.0) -> AsyncIterator[Guarded]:
    path = db.with_name("tokens.json")
    add_token(path, "Ann", NOW)
    told: list[str] = []
    async with arena_server(
        db, grace=grace, admission=Admission(TokenAuthenticator(path, told.append))
    ) as server:
        yield Guarded(server, path, told)


async def refused(player: ScriptedBot) -> str:
    """The code of the refusal, by the message and by the end of the connection."""
    error = await player.receive(Error)
    assert await player.wait_closed() == (1008, error.code)
    return error.code


async def turned_away(url: str, headers: Mapping[str, str]) -> Response:
    """The answer to a handshake that fails."""
    with pytest.raises(InvalidStatus) as refusal:
        await connect(url, proxy=None, additional_headers=headers)
    return refusal.value.response


# Tokens


@in_event_loop
async def test_a_token_in_hello(db: Path) -> None:
    async with guarded(db) as arena:
        bot = await arena.comes("Bob", arena.token("Bob"))
        assert (await bot.receive(Welcome)).name == "Bob"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
@in_event_loop
async def test_a_token_in_a_header(db: Path, scheme: str) -> None:
    async with guarded(db) as arena:
        bot = await arena.comes("Bob", bearer=f"{scheme} {arena.token('Bob')}")
        assert (await bot.receive(Welcome)).name == "Bob"


@in_event_loop
async def test_the_token_in_hello_counts_before_that_of_the_header(db: Path) -> None:
    async with guarded(db) as arena:
        bearer = f"Bearer {arena.token('Bob')}"
        bot = await arena.comes("Cid", arena.token("Cid"), bearer=bearer)
        assert (await bot.receive(Welcome)).name == "Cid"


@in_event_loop
async def test_nobody_comes_in_without_a_token(db: Path) -> None:
    async with guarded(db) as arena:
        assert await refused(await arena.comes("Ann")) == "token_needed"


@in_event_loop
async def test_another_kind_of_credentials_is_no_token(db: Path) -> None:
    async with guarded(db) as arena:
        assert await refused(await arena.comes("Ann", bearer="Basic QW5uOng=")) == "token_needed"


@in_event_loop
async def test_nobody_comes_in_by_guessing(db: Path) -> None:
    async with guarded(db) as arena:
        assert await refused(await arena.comes("Ann", "tsa_guess")) == "token_unknown"


@pytest.mark.parametrize("is_bearer", [False, True])
@in_event_loop
async def test_nobody_comes_in_under_anothers_name(db: Path, is_bearer: bool) -> None:
    async with guarded(db) as arena:
        token = arena.token("Eve")
        how = {"bearer": f"Bearer {token}"} if is_bearer else {"token": token}
        assert await refused(await arena.comes("Ann", **how)) == "not_your_name"


@in_event_loop
async def test_who_is_refused_does_not_learn_that_a_name_is_here(db: Path) -> None:
    async with guarded(db) as arena:
        await (await arena.comes("Bob", arena.token("Bob"))).receive(Welcome)
        assert await refused(await arena.comes("Bob", "tsa_guess")) == "token_unknown"


@pytest.mark.parametrize("token", ["tsa_guess", "", "\u00e9"])
@in_event_loop
async def test_an_unknown_token_in_a_header(db: Path, token: str) -> None:
    async with guarded(db) as arena:
        answer = await turned_away(arena.server.url, {"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


@in_event_loop
async def test_where_anybody_may_come_tokens_do_not_matter(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await Guarded(server, db, []).comes("Ann", "tsa_x", bearer="Bearer tsa_y")
        assert (await bot.receive(Welcome)).name == "Ann"


@in_event_loop
async def test_who_is_revoked_plays_on(db: Path) -> None:
    async with guarded(db) as arena:
        bots = [await arena.comes(name, arena.token(name)) for name in ("Bob", "Cid")]
        for bot in bots:
            await bot.receive(Welcome)
        task = arena.server.start_match("Bob", "Cid")
        turn = await bots[0].receive(Turn)
        revoke_token(arena.path, "Bob")
        assert await refused(await arena.comes("Eve", "tsa_guess")) == "token_unknown"
        await bots[0].send(Resign(turn.match))
        assert (await task).result.termination is Termination.RESIGNATION


@in_event_loop
async def test_who_is_revoked_cannot_come_back(db: Path) -> None:
    async with guarded(db, grace=0) as arena:
        tokens = {name: arena.token(name) for name in ("Bob", "Cid")}
        bots = [await arena.comes(name, token) for name, token in tokens.items()]
        sessions = [(await bot.receive(Welcome)).session for bot in bots]
        task = arena.server.start_match("Bob", "Cid")
        await bots[0].receive(Turn)
        revoke_token(arena.path, "Bob")
        again = await arena.comes("Bob", tokens["Bob"], session=sessions[0])
        assert await refused(again) == "token_unknown"
        await bots[0].connection.close()
        assert (await task).result.termination is Termination.DISCONNECT


@in_event_loop
async def test_a_broken_file_keeps_nobody_out_who_was_known(db: Path) -> None:
    async with guarded(db) as arena:
        token = arena.token("Bob")
        await (await arena.comes("Bob", token)).receive(Welcome)
        arena.path.write_text("{")
        await arena.server.arena.sessions.bots["Bob"].connection.close()  # type: ignore[union-attr]
        await arena.server.wait_until_disconnected("Bob")
        await (await arena.comes("Bob", token)).receive(Welcome)
        assert len(arena.told) == 1


@in_event_loop
async def test_no_secret_is_left_anywhere(
    db: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    async with guarded(db) as arena:
        token, session = arena.token("Bob"), ""
        bot = await arena.comes("Bob", token)
        session = (await bot.receive(Welcome)).session
        errors = [await (await arena.comes("Eve", token)).receive(Error)]
        errors.append(await (await arena.comes("Eve", f"{token}x")).receive(Error))
        answer = await turned_away(arena.server.url, {"Authorization": f"Bearer {token}x"})
        task = arena.server.start_match("Bob", "Eve")
        await bot.send(Resign((await bot.receive(Turn)).match))
        await task
    kept = [file.read_bytes() for file in db.parent.iterdir()]
    said = [record.getMessage() for record in caplog.records if record.name.startswith("arena")]
    seen = [*map(str, errors), str(answer.body), str(answer.headers), *said, *capfd.readouterr()]
    assert session
    assert not [text for text in [*kept, "\n".join(seen).encode()] if token.encode() in text]
    digest = hash_token(token).encode()
    assert [file.name for file in db.parent.iterdir() if digest in file.read_bytes()] == [
        "tokens.json"
    ]


# Pages


async def page(url: str, origin: str, host: str | None = None) -> int:
    """The status of a handshake that a page's browser begins."""
    headers = {"Host": host} if host else {}
    try:
        connection = await connect(
            url, proxy=None, origin=Origin(origin), additional_headers=headers
        )
    except InvalidStatus as refusal:
        return refusal.response.status_code
    await connection.close()
    return 101


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "https://127.0.0.1:{port}",
        "http://localhost:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://evil.example:{port}",
    ],
)
@in_event_loop
async def test_a_foreign_page_is_kept_out(db: Path, origin: str) -> None:
    async with arena_server(db) as server:
        assert await page(server.url, origin.format(port=urlsplit(server.url).port)) == 403


@in_event_loop
async def test_a_page_of_the_arena_may_play(db: Path) -> None:
    async with arena_server(db) as server:
        assert await page(server.url, f"http://127.0.0.1:{urlsplit(server.url).port}") == 101


@in_event_loop
async def test_a_page_of_localhost_may_play(db: Path) -> None:
    async with arena_server(db) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        assert await page(url, f"http://localhost:{urlsplit(url).port}") == 101


async def raw(url: str, *headers: str) -> str:
    """The first line of the answer to a handshake with these headers."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = [
        "GET /play HTTP/1.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *headers,
    ]
    writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
    status = (await reader.readline()).decode().split()[1]
    writer.close()
    await writer.wait_closed()
    return status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example:8765", "403"),
        ("localhost.evil.example", "403"),
        ("127.0.0.1.evil.example", "403"),
        ("[::1", "403"),
        ("192.0.2.7:8765", "101"),
        ("[::1]:8765", "101"),
        ("[2001:db8::1]", "101"),
        ("LOCALHOST:8765", "101"),
    ],
)
@in_event_loop
async def test_a_page_is_ours_by_address_but_not_by_any_name(
    db: Path, host: str, status: str
) -> None:
    async with arena_server(db) as server:
        assert await raw(server.url, f"Host: {host}", f"Origin: http://{host.lower()}") == status


@in_event_loop
async def test_a_page_that_was_asked_for_may_play(db: Path) -> None:
    async with arena_server(db, admission=Admission(origins=["https://arena.example"])) as server:
        assert await page(server.url, "https://arena.example") == 101
        assert await page(server.url, "http://arena.example") == 403


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://arena.example:8765", "101"),
        ("https://arena.example:8765", "101"),
        ("https://evil.example", "403"),
    ],
)
@in_event_loop
async def test_an_arena_for_others_has_its_pages_at_any_name(
    db: Path, origin: str, status: str
) -> None:
    async with arena_server(db, admission=Admission(any_name=True)) as server:
        assert await raw(server.url, "Host: Arena.Example:8765", f"Origin: {origin}") == status


# Crowds


@in_event_loop
async def test_there_is_room_for_so_many(db: Path) -> None:
    async with arena_server(db, admission=Admission(connections=2)) as server:
        await server.connect_bot("one")
        await server.connect_bot("two")
        answer = await turned_away(server.url, {})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")


@in_event_loop
async def test_who_watches_takes_no_room_from_the_bots(db: Path) -> None:
    async with spectated_arena(db, admission=Admission(connections=1)) as server:
        await server.connect_bot("one")
        await server.follow()
        answer = await turned_away(server.url, {})
        assert answer.status_code == 503


@in_event_loop
async def test_there_is_no_end_of_viewers_but_a_limit(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.admission.MAX_SPECTATORS", 1)
    async with spectated_arena(db, admission=Admission()) as server:
        await server.follow()
        answer = await turned_away(server.url.replace("/play", "/watch"), {})
        assert answer.status_code == 503
        await server.connect_bot("one")


async def room(url: str) -> ScriptedBot:
    """Try until there is room, for which the arena has to hear that somebody has left."""
    while True:
        try:
            return ScriptedBot(await connect(url, proxy=None))
        except InvalidStatus:
            continue


@in_event_loop
async def test_who_leaves_makes_room(db: Path) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        await (await server.connect_bot("one")).connection.close()
        await (await room(server.url)).log_in("two")


@in_event_loop
async def test_who_is_lost_makes_room(db: Path) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        (await server.connect_bot("one")).connection.transport.abort()
        await (await room(server.url)).log_in("two")


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: x", "Origin: http://evil.example"],
        ["Host: x", "Sec-WebSocket-Version: 99"],
        ["Host: x", "Sec-WebSocket-Key: another"],
    ],
)
@in_event_loop
async def test_a_handshake_that_fails_makes_room(db: Path, headers: list[str]) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        for _ in range(3):
            await raw(server.url, *headers)
            await (await room(server.url)).connection.close()
            await (await room(server.url)).connection.close()


@in_event_loop
async def test_who_never_says_hello_makes_room(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.01)
    async with arena_server(db, admission=Admission(connections=1)) as server:
        silent = await server.connect()
        await silent.wait_closed()
        await (await room(server.url)).connection.close()


@in_event_loop
async def test_a_handshake_that_is_not_complete_takes_no_room(db: Path) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        address = urlsplit(server.url)
        with socket.create_connection((str(address.hostname), address.port)) as dribbling:
            dribbling.sendall(b"GET /play HTTP/1.1\r\nHo")
            await server.connect_bot("one")


@in_event_loop
async def test_other_pages_take_no_room(db: Path) -> None:
    async with arena_server(db, admission=Admission(connections=1)) as server:
        await server.connect_bot("one")
        assert (await turned_away(server.url.replace("/play", "/"), {})).status_code == 404


@in_event_loop
async def test_this_machine_may_fill_the_room(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.admission.MAX_PER_ADDRESS", 1)
    async with arena_server(db) as server:
        for name in ("one", "two", "three"):
            await server.connect_bot(name)


def own_address() -> str:
    """An address of this machine that is not loopback, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            any_socket.connect(("192.0.2.1", 9))  # which sends nothing
        except OSError:
            return "127.0.0.1"
        return str(any_socket.getsockname()[0])


@pytest.mark.skipif(is_loopback(own_address()), reason="this machine has only loopback addresses")
@in_event_loop
async def test_another_address_may_not(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.admission.MAX_PER_ADDRESS", 1)
    async with arena_server(db, host=own_address()) as server:
        await server.connect()
        assert (await turned_away(server.url, {})).status_code == 503


def test_an_address_has_its_share() -> None:
    limit = ConnectionLimit(1000)
    entered = [limit.acquire("192.0.2.7") for _ in range(MAX_PER_ADDRESS + 1)]
    assert entered == [True] * MAX_PER_ADDRESS + [False]
    assert limit.acquire("192.0.2.8")


def test_a_network_of_ipv6_is_one_address() -> None:
    limit = ConnectionLimit(1000)
    entered = [limit.acquire(f"2001:db8::{last:x}") for last in range(MAX_PER_ADDRESS + 1)]
    assert entered == [True] * MAX_PER_ADDRESS + [False]
    assert limit.acquire("2001:db8:0:1::")


def test_an_ipv4_address_is_the_same_in_ipv6() -> None:
    limit = ConnectionLimit(1000)
    for _ in range(MAX_PER_ADDRESS):
        assert limit.acquire("::ffff:192.0.2.7")
    assert not limit.acquire("192.0.2.7")


ADDRESSES = ["127.0.0.1", "::1", "192.0.2.7", "2001:db8::1"]


@given(st.lists(st.sampled_from(ADDRESSES), max_size=12), st.integers(1, 8))
def test_all_who_have_left_leave_all_the_room(addresses: list[str], most: int) -> None:
    limit = ConnectionLimit(most)
    entered = [address for address in addresses if limit.acquire(address)]
    assert len(entered) == min(most, len(addresses))
    for address in entered:
        limit.release(address)
    assert [limit.acquire(address) for address in addresses[:most]] == [True] * len(
        addresses[:most]
    )


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("fe80::1%1", False),
        ("::5", False),
    ],
)
def test_addresses_of_this_machine_alone(address: str, is_own: bool) -> None:
    assert is_loopback(address) == is_own


def test_the_room_is_that_of_the_command_line() -> None:
    usual = (None, (), parser().parse_args(["serve"]).connections, False, False)
    assert Admission.__init__.__defaults__ == usual


def test_what_a_proxy_tells_may_be_no_address() -> None:
    limit = ConnectionLimit(1000)
    assert not is_loopback("unknown")
    assert [limit.acquire("unknown") for _ in range(MAX_PER_ADDRESS + 1)].count(True) == 50
