"""Admission to a listening arena: tokens and origins."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import pytest
from websockets.asyncio.client import connect

from arena.model.addresses import AddressLimits
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Resign, Turn, Welcome
from arena.server.admission import BANNED, MAX_QUERY_FIELDS, Admission, Permission
from arena.storage.access import (
    TokenAuthenticator,
    WatchedFile,
    add_ban,
    add_token,
    hash_token,
    load_bans,
)
from tests.support.cases import loop_over
from tests.support.servers.arena_server import ArenaServer, ScriptedBot, arena_server
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
    path = db.with_suffix(".json")
    add_token(path, "Ann", NOW)
    warnings: list[str] = []
    async with arena_server(
        db, grace=grace, admission=Admission(TokenAuthenticator(path, warnings.append))
    ) as server:
        yield TokenArena(server, path, warnings)


# Tokens


@pytest.mark.parametrize("given", ["{0}", ""])
@pytest.mark.parametrize("bearer", ["", "Bearer {1}", "bearer {1}", "BEARER  {1}"])
async def test_a_token_authenticates(db: Path, given: str, bearer: str) -> None:
    """Of two tokens, the one in the hello counts."""
    async with token_arena(db) as arena:
        tokens = arena.token("Cid"), arena.token("Bob")
        name = "Cid" if given else "Bob"
        given, bearer = given.format(*tokens), bearer.format(*tokens)
        bot = await arena.send_hello(name, given or None, bearer=bearer)
        if given or bearer:
            assert (await bot.receive(Welcome)).name == name
        else:
            assert await bot.refusal() == "token_needed"


async def test_bots_with_tokens_take_no_places_of_their_address(db: Path) -> None:
    add_token(db.with_name("tokens.json"), "Ann", NOW)
    authenticator = TokenAuthenticator(db.with_name("tokens.json"), print)
    admission = Admission(authenticator, behind_proxy=True, limits=AddressLimits(1))
    async with arena_server(db, admission=admission) as server:
        address = {"X-Real-IP": "192.0.2.7"}
        for name in ("Bob", "Cid"):
            token = add_token(db.with_name("tokens.json"), name, NOW)
            bot = await server.connect(address)
            await bot.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], token=token))
            assert (await bot.receive(Welcome)).name == name
        await server.connect(address)
        assert (await failed_handshake(server.url, address)).status_code == 503


async def test_tokens_are_ignored_without_authentication(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await TokenArena(server, db, []).send_hello("Ann", "tsa_x", bearer="Bearer tsa_y")
        assert (await bot.receive(Welcome)).name == "Ann"


@loop_over(
    "name, token, bearer, code",
    ("Ann", None, "Basic QW5uOng=", "token_needed"),
    ("Ann", "tsa_guess", "", "token_unknown"),
    ("Bob", "tsa_guess", "", "token_unknown"),  # although Bob is connected
    ("Ann", "{}", "", "not_your_name"),
    ("Ann", None, "Bearer {}", "not_your_name"),
)
async def test_a_bot_without_its_token_is_refused(
    db: Path, name: str, token: str | None, bearer: str, code: str
) -> None:
    async with token_arena(db) as arena:
        await (await arena.send_hello("Bob", arena.token("Bob"))).receive(Welcome)
        eve = arena.token("Eve")
        given = token and token.format(eve)
        bot = await arena.send_hello(name, given, bearer=bearer.format(eve))
        assert await bot.refusal() == code


@loop_over("token", ["tsa_guess", "", "\u00e9"])
async def test_an_unknown_token_in_a_header_gets_401(db: Path, token: str) -> None:
    async with token_arena(db) as arena:
        answer = await failed_handshake(arena.server.url, {"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


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


@loop_over("has_tokens", [False, True])
@loop_over("place", get_args(Place))
async def test_a_reserved_name_needs_its_token(db: Path, place: Place, has_tokens: bool) -> None:
    path = db.with_suffix(".json")
    add_token(path, "Ann", NOW)
    admission = Admission(TokenAuthenticator(path, print) if has_tokens else None)
    token, other = admission.bot_names.reserve("Bob"), admission.bot_names.reserve("Eve")
    async with arena_server(db, admission=admission) as server:
        thief = await send_reserved_hello(server, "Bob", other, place)
        assert await thief.refusal() == "name_reserved"
        bot = await send_reserved_hello(server, "Bob", token, place)
        assert (await bot.receive(Welcome)).name == "Bob"
        assert not server.arena.server.sessions.bots["Bob"].grants_takebacks


@loop_over("query", ["", "?token=tsa_guess", "?other=x", "?token", "?" + 2000 * "&", "?token={}"])
async def test_other_queries_and_tokens_are_ignored(db: Path, query: str) -> None:
    """A program may send a token of its own besides the arena's in the query."""
    admission = Admission()
    reserved = admission.bot_names.reserve("Bob")
    async with arena_server(db, admission=admission) as server:
        bot = ScriptedBot(await connect(server.url + query.replace("{}", reserved), proxy=None))
        name = "Bob" if "{}" in query else "Ann"
        await bot.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], token="tsa_elsewhere"))
        assert (await bot.receive(Welcome)).name == name


async def test_a_token_is_looked_for_in_few_fields_of_a_query(db: Path) -> None:
    admission = Admission()
    token = admission.bot_names.reserve("Bob")
    async with arena_server(db, admission=admission) as server:

        async def connect_with(fields: int) -> ScriptedBot:
            query = f"?{fields * 'x=1&'}token={token}"
            bot = ScriptedBot(await connect(server.url + query, proxy=None))
            await bot.send(Hello(PROTOCOL_VERSION, "Bob", ["take_stones"]))
            return bot

        assert await (await connect_with(MAX_QUERY_FIELDS)).refusal() == "name_reserved"
        assert await (await connect_with(MAX_QUERY_FIELDS - 1)).receive(Welcome)


class CountingAuthenticator(TokenAuthenticator):
    """Authenticator that counts how often a token is compared with all others."""

    comparisons = 0

    def owners(self, token: str) -> set[str]:
        """Return the names that a token authenticates, and count that."""
        self.comparisons += 1
        return super().owners(token)


async def test_a_token_that_is_repeated_in_a_request_is_looked_up_once(db: Path) -> None:
    path = db.with_suffix(".json")
    token = add_token(path, "Ann", NOW)
    authenticator = CountingAuthenticator(path, print)
    async with arena_server(db, admission=Admission(authenticator)) as server:
        header = f"Authorization: Bearer {token}"
        assert await handshake_status(server.url, "Host: x", *[header] * 100) == "101"
    assert authenticator.comparisons == 1


async def test_a_token_of_the_file_is_not_accepted_in_the_query(db: Path) -> None:
    async with token_arena(db) as arena:
        token = arena.token("Bob")
        bot = ScriptedBot(await connect(f"{arena.server.url}?token={token}", proxy=None))
        await bot.send(Hello(PROTOCOL_VERSION, "Bob", ["take_stones"]))
        assert await bot.refusal() == "token_needed"


def test_a_ban_does_not_remove_the_arenas_own_bots(tmp_path: Path) -> None:
    path = tmp_path / "bans.json"
    add_ban(path, "Ann", NOW)
    admission = Admission(bans=WatchedFile(path, load_bans))
    assert admission.withdrawal("Ann", "::1", Permission(is_own=True)) is None
    assert str(admission.withdrawal("Ann", "::1", Permission())) == BANNED
    assert admission.withdrawal("Bob", "::1", Permission()) is None


async def test_tokens_are_refused_while_the_file_is_broken(db: Path) -> None:
    async with token_arena(db) as arena:
        token = arena.token("Bob")
        await (await arena.send_hello("Bob", token)).receive(Welcome)
        arena.path.write_text("{")
        await arena.server.arena.server.sessions.bots["Bob"].connection.close()  # type: ignore[union-attr]
        await arena.server.wait_until_disconnected("Bob")
        bot = await arena.send_hello("Bob", token)
        assert (await bot.receive(Error)).code == "tokens_unavailable"
        assert await bot.wait_closed() == (1011, "tokens_unavailable")  # and may try again
        answer = await failed_handshake(arena.server.url, {"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
        add_token(arena.path.with_name("other.json"), "Eve", NOW)
        arena.path.with_name("other.json").replace(arena.path)
        eve = await arena.send_hello("Bob", token)
        assert (await eve.receive(Error)).code == "token_unknown"


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
    assert [file for file in db.parent.iterdir() if digest in file.read_bytes()] == [arena.path]


# Origins


OWN = "127.0.0.1:8765"


async def test_the_own_origin_is_exact_and_an_address_or_localhost(db: Path) -> None:
    async with arena_server(db) as server:
        for origin, status, host, target in (
            ("http://127.0.0.1", "403", OWN, "/play"),
            ("http://127.0.0.1:87655", "403", OWN, "/play"),
            ("https://127.0.0.1:8765", "403", OWN, "/play"),
            ("http://localhost:8765", "403", OWN, "/play"),
            ("http://evil.example", "403", OWN, "/play"),
            ("http://evil.example:8765", "403", OWN, "/play"),
            ("http://evil.example@127.0.0.1:8765", "403", OWN, "/play"),
            ("http://127.0.0.1:8765.evil.example", "403", OWN, "/play"),
            ("null", "403", OWN, "/play"),
            # The host of a target replaces the header.
            ("http://127.0.0.1:1", "101", OWN, "http://127.0.0.1:1/play"),
            (f"http://{OWN}", "403", OWN, "http://127.0.0.1:1/play"),
            *(
                (f"http://{host.lower()}", status, host, "/play")
                for host, status in (
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
                )
            ),
        ):
            headers = f"Host: {host}", f"Origin: {origin}"
            got = await handshake_status(server.url, *headers, target=target)
            assert got == status, (origin, host, target)


@loop_over("any_name", [False, True])
@loop_over("hosts", [["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"]])
async def test_several_hosts_are_refused(db: Path, hosts: list[str], any_name: bool) -> None:
    headers = [f"Host: {host}" for host in hosts]
    async with arena_server(db, admission=Admission(any_name=any_name)) as server:
        for origin in ([], ["Origin: http://evil.example"], ["Origin: http://127.0.0.1"]):
            assert await handshake_status(server.url, *headers, *origin) == "400"


async def test_a_configured_origin_is_accepted(db: Path) -> None:
    async with arena_server(db, admission=Admission(origins=["https://arena.example"])) as server:
        for scheme, status in (("https", "101"), ("http", "403")):
            origin = f"Origin: {scheme}://arena.example"
            assert await handshake_status(server.url, f"Host: {OWN}", origin) == status


@loop_over(
    "origin, status",
    ("http://arena.example:8765", "101"),
    ("https://arena.example:8765", "101"),
    ("https://evil.example", "403"),
)
async def test_a_public_arena_accepts_its_origin_under_any_name(
    db: Path, origin: str, status: str
) -> None:
    async with arena_server(db, admission=Admission(any_name=True)) as server:
        assert (
            await handshake_status(server.url, "Host: Arena.Example:8765", f"Origin: {origin}")
            == status
        )
