"""Admission to a listening arena: tokens and origins."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, NamedTuple, get_args
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from arena.model.results import Termination
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Resign, Turn, Welcome
from arena.server.admission import MAX_QUERY_FIELDS, Admission
from arena.storage.tokens import TokenAuthenticator, add_token, hash_token, revoke_token
from tests.support.servers.arena_server import ArenaServer, ScriptedBot, arena_server, in_event_loop
from tests.support.servers.handshakes import failed_handshake, handshake_status

NOW = 1795286096.0


class TokenArena(NamedTuple):
    """An arena with token authentication, and the warnings about its token file."""

    server: ArenaServer
    path: Path
    warnings: list[str]

    def token(self, name: str) -> str:
        return add_token(self.path, name, NOW)

    async def send_hello(
        self, name: str, token: str | None = None, session: str | None = None, bearer: str = ""
    ) -> ScriptedBot:
        """Connect and send hello."""
        headers = {"Authorization": bearer} if bearer else {}
        player = ScriptedBot(await connect(self.server.url, proxy=None, additional_headers=headers))
        await player.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], 1, session, token))
        return player


@asynccontextmanager
async def token_arena(db: Path, grace: float = 20.0) -> AsyncIterator[TokenArena]:
    path = db.with_name("tokens.json")
    add_token(path, "Ann", NOW)
    warnings: list[str] = []
    async with arena_server(
        db, grace=grace, admission=Admission(TokenAuthenticator(path, warnings.append))
    ) as server:
        yield TokenArena(server, path, warnings)


async def refusal_code(player: ScriptedBot) -> str:
    """Return the code of a refusal, which its message and the close reason have."""
    error = await player.receive(Error)
    assert await player.wait_closed() == (1008, error.code)
    return error.code


# Tokens


@in_event_loop
async def test_a_token_in_hello_authenticates(db: Path) -> None:
    async with token_arena(db) as arena:
        bot = await arena.send_hello("Bob", arena.token("Bob"))
        assert (await bot.receive(Welcome)).name == "Bob"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
@in_event_loop
async def test_a_token_in_a_header_authenticates(db: Path, scheme: str) -> None:
    async with token_arena(db) as arena:
        bot = await arena.send_hello("Bob", bearer=f"{scheme} {arena.token('Bob')}")
        assert (await bot.receive(Welcome)).name == "Bob"


@in_event_loop
async def test_the_token_in_hello_precedes_the_header(db: Path) -> None:
    async with token_arena(db) as arena:
        bearer = f"Bearer {arena.token('Bob')}"
        bot = await arena.send_hello("Cid", arena.token("Cid"), bearer=bearer)
        assert (await bot.receive(Welcome)).name == "Cid"


@in_event_loop
async def test_a_missing_token_is_refused(db: Path) -> None:
    async with token_arena(db) as arena:
        assert await refusal_code(await arena.send_hello("Ann")) == "token_needed"


@in_event_loop
async def test_basic_credentials_are_no_token(db: Path) -> None:
    async with token_arena(db) as arena:
        assert (
            await refusal_code(await arena.send_hello("Ann", bearer="Basic QW5uOng="))
            == "token_needed"
        )


@in_event_loop
async def test_an_unknown_token_is_refused(db: Path) -> None:
    async with token_arena(db) as arena:
        assert await refusal_code(await arena.send_hello("Ann", "tsa_guess")) == "token_unknown"


@pytest.mark.parametrize("is_bearer", [False, True])
@in_event_loop
async def test_a_token_of_another_name_is_refused(db: Path, is_bearer: bool) -> None:
    async with token_arena(db) as arena:
        token = arena.token("Eve")
        how = {"bearer": f"Bearer {token}"} if is_bearer else {"token": token}
        assert await refusal_code(await arena.send_hello("Ann", **how)) == "not_your_name"


@in_event_loop
async def test_a_refusal_does_not_reveal_connected_names(db: Path) -> None:
    async with token_arena(db) as arena:
        await (await arena.send_hello("Bob", arena.token("Bob"))).receive(Welcome)
        assert await refusal_code(await arena.send_hello("Bob", "tsa_guess")) == "token_unknown"


@pytest.mark.parametrize("token", ["tsa_guess", "", "\u00e9"])
@in_event_loop
async def test_an_unknown_token_in_a_header_gets_401(db: Path, token: str) -> None:
    async with token_arena(db) as arena:
        answer = await failed_handshake(arena.server.url, {"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


@in_event_loop
async def test_tokens_are_ignored_without_authentication(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await TokenArena(server, db, []).send_hello("Ann", "tsa_x", bearer="Bearer tsa_y")
        assert (await bot.receive(Welcome)).name == "Ann"


# Tokens of the arena's own processes


Place = Literal["hello", "header", "query"]


async def send_reserved_hello(
    server: ArenaServer, name: str, token: str, place: Place
) -> ScriptedBot:
    """Connect with a token in one of its places and send hello."""
    url = f"{server.url}?token={token}" if place == "query" else server.url
    headers = {"Authorization": f"Bearer {token}"} if place == "header" else {}
    player = ScriptedBot(await connect(url, proxy=None, additional_headers=headers))
    given = token if place == "hello" else None
    await player.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], token=given))
    return player


@pytest.mark.parametrize("has_tokens", [False, True])
@pytest.mark.parametrize("place", get_args(Place))
@in_event_loop
async def test_a_reserved_name_needs_its_token(db: Path, place: Place, has_tokens: bool) -> None:
    path = db.with_name("tokens.json")
    add_token(path, "Ann", NOW)
    admission = Admission(TokenAuthenticator(path, print) if has_tokens else None)
    token, other = admission.bot_names.reserve("Bob"), admission.bot_names.reserve("Eve")
    async with arena_server(db, admission=admission) as server:
        thief = await send_reserved_hello(server, "Bob", other, place)
        assert await refusal_code(thief) == "name_reserved"
        bot = await send_reserved_hello(server, "Bob", token, place)
        assert (await bot.receive(Welcome)).name == "Bob"
        assert not server.arena.sessions.bots["Bob"].grants_takebacks


@in_event_loop
async def test_a_program_may_send_a_token_of_its_own_besides(db: Path) -> None:
    admission = Admission()
    url = f"?token={admission.bot_names.reserve('Bob')}"
    async with arena_server(db, admission=admission) as server:
        bot = ScriptedBot(await connect(server.url + url, proxy=None))
        await bot.send(Hello(PROTOCOL_VERSION, "Bob", ["take_stones"], token="tsa_elsewhere"))
        assert (await bot.receive(Welcome)).name == "Bob"


@pytest.mark.parametrize("query", ["", "?token=tsa_guess", "?other=x", "?token", "?" + 2000 * "&"])
@in_event_loop
async def test_other_queries_are_ignored(db: Path, query: str) -> None:
    async with arena_server(db) as server:
        bot = ScriptedBot(await connect(server.url + query, proxy=None))
        await bot.log_in("Ann")
        assert bot.session


@in_event_loop
async def test_a_token_is_looked_for_in_few_fields_of_a_query(db: Path) -> None:
    admission = Admission()
    token = admission.bot_names.reserve("Bob")
    async with arena_server(db, admission=admission) as server:

        async def connect_with(fields: int) -> ScriptedBot:
            query = f"?{fields * 'x=1&'}token={token}"
            bot = ScriptedBot(await connect(server.url + query, proxy=None))
            await bot.send(Hello(PROTOCOL_VERSION, "Bob", ["take_stones"]))
            return bot

        assert await refusal_code(await connect_with(MAX_QUERY_FIELDS)) == "name_reserved"
        assert await (await connect_with(MAX_QUERY_FIELDS - 1)).receive(Welcome)


class CountingAuthenticator(TokenAuthenticator):
    """Authenticator that counts how often a token is compared with all others."""

    comparisons = 0

    def owners(self, token: str) -> set[str]:
        """Return the names that a token authenticates, and count that."""
        self.comparisons += 1
        return super().owners(token)


@in_event_loop
async def test_a_token_that_is_repeated_in_a_request_is_looked_up_once(db: Path) -> None:
    path = db.with_name("tokens.json")
    token = add_token(path, "Ann", NOW)
    authenticator = CountingAuthenticator(path, print)
    async with arena_server(db, admission=Admission(authenticator)) as server:
        header = f"Authorization: Bearer {token}"
        assert await handshake_status(server.url, "Host: x", *[header] * 100) == "101"
    assert authenticator.comparisons == 1


@in_event_loop
async def test_a_token_of_the_file_is_not_accepted_in_the_query(db: Path) -> None:
    async with token_arena(db) as arena:
        token = arena.token("Bob")
        bot = ScriptedBot(await connect(f"{arena.server.url}?token={token}", proxy=None))
        await bot.send(Hello(PROTOCOL_VERSION, "Bob", ["take_stones"]))
        assert await refusal_code(bot) == "token_needed"


@in_event_loop
async def test_a_revoked_token_does_not_end_a_connection(db: Path) -> None:
    async with token_arena(db) as arena:
        bots = [await arena.send_hello(name, arena.token(name)) for name in ("Bob", "Cid")]
        for bot in bots:
            await bot.receive(Welcome)
        task = arena.server.start_match("Bob", "Cid")
        turn = await bots[0].receive(Turn)
        revoke_token(arena.path, "Bob")
        assert await refusal_code(await arena.send_hello("Eve", "tsa_guess")) == "token_unknown"
        await bots[0].send(Resign(turn.match))
        assert (await task).result.termination is Termination.RESIGNATION


@in_event_loop
async def test_a_revoked_token_prevents_reconnection(db: Path) -> None:
    async with token_arena(db, grace=0) as arena:
        tokens = {name: arena.token(name) for name in ("Bob", "Cid")}
        bots = [await arena.send_hello(name, token) for name, token in tokens.items()]
        sessions = [(await bot.receive(Welcome)).session for bot in bots]
        task = arena.server.start_match("Bob", "Cid")
        await bots[0].receive(Turn)
        revoke_token(arena.path, "Bob")
        again = await arena.send_hello("Bob", tokens["Bob"], session=sessions[0])
        assert await refusal_code(again) == "token_unknown"
        await bots[0].connection.close()
        assert (await task).result.termination is Termination.DISCONNECT


@in_event_loop
async def test_known_tokens_stay_valid_when_the_file_breaks(db: Path) -> None:
    async with token_arena(db) as arena:
        token = arena.token("Bob")
        await (await arena.send_hello("Bob", token)).receive(Welcome)
        arena.path.write_text("{")
        await arena.server.arena.sessions.bots["Bob"].connection.close()  # type: ignore[union-attr]
        await arena.server.wait_until_disconnected("Bob")
        await (await arena.send_hello("Bob", token)).receive(Welcome)
        assert len(arena.warnings) == 1


@in_event_loop
async def test_tokens_are_not_stored_logged_or_sent(
    db: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    async with token_arena(db) as arena:
        token, session = arena.token("Bob"), ""
        bot = await arena.send_hello("Bob", token)
        session = (await bot.receive(Welcome)).session
        errors = [await (await arena.send_hello("Eve", token)).receive(Error)]
        errors.append(await (await arena.send_hello("Eve", f"{token}x")).receive(Error))
        answer = await failed_handshake(arena.server.url, {"Authorization": f"Bearer {token}x"})
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


# Origins


async def page_handshake(url: str, origin: str, host: str | None = None) -> int:
    """Return the status of the handshake of a page at an origin."""
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
async def test_a_foreign_origin_is_refused(db: Path, origin: str) -> None:
    async with arena_server(db) as server:
        assert (
            await page_handshake(server.url, origin.format(port=urlsplit(server.url).port)) == 403
        )


@in_event_loop
async def test_the_own_origin_is_accepted(db: Path) -> None:
    async with arena_server(db) as server:
        assert (
            await page_handshake(server.url, f"http://127.0.0.1:{urlsplit(server.url).port}") == 101
        )


@in_event_loop
async def test_the_origin_localhost_is_accepted(db: Path) -> None:
    async with arena_server(db) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        assert await page_handshake(url, f"http://localhost:{urlsplit(url).port}") == 101


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example:8765", "403"),
        ("localhost.evil.example", "403"),
        ("127.0.0.1.evil.example", "403"),
        ("[::1", "400"),
        ("evil.example@127.0.0.1", "400"),
        ("127.0.0.1 evil.example", "400"),
        ("127.0.0.1/evil.example", "400"),
        ("127.1", "403"),
        ("2130706433", "403"),
        ("localhost.", "403"),
        ("local_host", "403"),
        ("192.0.2.7:8765", "101"),
        ("[::1]:8765", "101"),
        ("[2001:db8::1]", "101"),
        ("LOCALHOST:8765", "101"),
    ],
)
@in_event_loop
async def test_own_origins_are_addresses_and_localhost(db: Path, host: str, status: str) -> None:
    async with arena_server(db) as server:
        assert (
            await handshake_status(server.url, f"Host: {host}", f"Origin: http://{host.lower()}")
            == status
        )


@pytest.mark.parametrize("any_name", [False, True])
@pytest.mark.parametrize("hosts", [["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"]])
@in_event_loop
async def test_several_hosts_are_refused(db: Path, hosts: list[str], any_name: bool) -> None:
    headers = [f"Host: {host}" for host in hosts]
    async with arena_server(db, admission=Admission(any_name=any_name)) as server:
        for origin in ([], ["Origin: http://evil.example"], ["Origin: http://127.0.0.1"]):
            assert await handshake_status(server.url, *headers, *origin) == "400"


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1", "http://127.0.0.1:87655", "http://evil.example@127.0.0.1:8765"]
)
@in_event_loop
async def test_the_own_origin_is_exact(db: Path, origin: str) -> None:
    async with arena_server(db) as server:
        headers = ["Host: 127.0.0.1:8765", f"Origin: {origin}"]
        assert await handshake_status(server.url, *headers) == "403"


@pytest.mark.parametrize(
    ("origin", "status"), [("http://127.0.0.1:1", "101"), ("http://127.0.0.1:2", "403")]
)
@in_event_loop
async def test_the_host_of_an_absolute_target_replaces_the_header(
    db: Path, origin: str, status: str
) -> None:
    target = "http://127.0.0.1:1/play"
    async with arena_server(db) as server:
        headers = ["Host: 127.0.0.1:2", f"Origin: {origin}"]
        assert await handshake_status(server.url, *headers, target=target) == status


@in_event_loop
async def test_a_configured_origin_is_accepted(db: Path) -> None:
    async with arena_server(db, admission=Admission(origins=["https://arena.example"])) as server:
        assert await page_handshake(server.url, "https://arena.example") == 101
        assert await page_handshake(server.url, "http://arena.example") == 403


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://arena.example:8765", "101"),
        ("https://arena.example:8765", "101"),
        ("https://evil.example", "403"),
    ],
)
@in_event_loop
async def test_a_public_arena_accepts_its_origin_under_any_name(
    db: Path, origin: str, status: str
) -> None:
    async with arena_server(db, admission=Admission(any_name=True)) as server:
        assert (
            await handshake_status(server.url, "Host: Arena.Example:8765", f"Origin: {origin}")
            == status
        )
