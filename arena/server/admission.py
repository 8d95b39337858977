"""Admission: which connections may be opened, and which client may use which name."""

import asyncio
import hmac
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import parse_qs

from websockets.http11 import Request, Response
from websockets.typing import Origin

from arena.model.addresses import AddressLimits, is_loopback, network_of
from arena.model.fair_shares import fair_share
from arena.network.connection import Connection
from arena.protocol.codec import RequestError
from arena.protocol.player import Hello
from arena.server.http import (
    RETRY_AFTER,
    client_address,
    host_name,
    request_host,
    request_path,
)
from arena.storage.access import (
    TOKENS_UNAVAILABLE,
    Bans,
    TokenAuthenticator,
    WatchedFile,
    generate_token,
    hash_token,
)

MAX_SPECTATORS = 1000  # connections to /watch
MAX_QUERY_FIELDS = 10  # in which a token is looked for
BANNED = "banned by the operator of this arena"


class RefusedClaim(NamedTuple):
    """A refused use of a name.

    Attributes:
        name: The name that a client used.
        owner: The reserved name that the client sent the token of, or None.
    """

    name: str
    owner: str | None


class ReservedNames:
    """Names of one kind of player that only the arena's own processes may use.

    Attributes:
        refused: The first refused claim of each owner, and the first to each reserved name without
            a token, in order.
    """

    def __init__(self, holder: str) -> None:
        """Start without names.

        Args:
            holder: Describes the players with reserved names, for messages.
        """
        self._holder = holder
        self.refused: list[RefusedClaim] = []
        self._hashes: dict[str, str] = {}  # of tokens, by name

    def reserve(self, name: str) -> str:
        """Return the token that is needed from now on to use a name."""
        token = generate_token()
        self._hashes[name] = hash_token(token)
        return token

    def owners(self, tokens: Collection[str]) -> list[str]:
        """Return the names to which the tokens belong.

        All tokens are compared in constant time, as by `TokenAuthenticator.owners`.
        """
        hashes = [*map(hash_token, tokens)]
        return [
            name
            for name, known in self._hashes.items()
            if sum(hmac.compare_digest(known, given) for given in hashes)
        ]

    def check(self, name: str, tokens: Collection[str]) -> bool:
        """Check that a client with these tokens may use a name.

        Returns:
            Whether the name is reserved, and one of the tokens belongs to it.

        Raises:
            RequestError: The name is reserved for another client, or a token for another name.
        """
        owners = self.owners(tokens)
        if name in owners:
            return True
        owner = owners[0] if owners else None
        if owner is None and name not in self._hashes:
            return False
        self._record(RefusedClaim(name, owner))
        if name in self._hashes:
            raise RequestError("name_reserved", f"the name {name} is reserved for {self._holder}")
        raise RequestError(
            "not_your_name", f"the arena started this bot as {owner}, not as {name} (ARENA_NAME)"
        )

    def _record(self, claim: RefusedClaim) -> None:
        """Remember a refused claim, but few of them: clients can send any number."""
        known = (
            other.owner == claim.owner and (claim.owner is not None or other.name == claim.name)
            for other in self.refused
        )
        if not any(known):
            self.refused.append(claim)


class Permission(NamedTuple):
    """Permission for a client to use a name.

    Attributes:
        is_own: Whether the arena itself has started the client.
        credential: What `TokenAuthenticator.is_valid` needs to know; None if no token was needed.
    """

    is_own: bool = False
    credential: str | None = None


class Admission:
    """Rules for connections: token authentication, origins of web pages, and connection limits.

    Players and spectators have separate limits, and spectators need no token.

    Attributes:
        authenticator: Checks the tokens of players; None lets every player in without one.
        bans: The names and networks that are not admitted, if there is a file of them.
        behind_proxy: Whether the header X-Real-IP holds the address of a client.
        limits: The limits of connections of addresses.
        bot_names: Reserved names of bots.
        casual_names: Reserved names of casual players.
    """

    def __init__(
        self,
        authenticator: TokenAuthenticator | None = None,
        origins: Collection[str] = (),
        connections: int = 1000,
        behind_proxy: bool = False,
        any_name: bool = False,
        limits: AddressLimits | None = None,
        bans: WatchedFile[Bans] | None = None,
    ) -> None:
        """Create the rules of an arena.

        Args:
            authenticator: Checks the tokens of players; None lets every player in without one.
            origins: Origins of other web pages that may connect.
            connections: Maximum number of simultaneous connections to /play.
            behind_proxy: Whether the header X-Real-IP holds the address of a client.
            any_name: Whether pages from any host name that leads to the arena are its own.
            limits: The limits of connections of addresses; None takes the usual ones.
            bans: The names and networks that are not admitted, if there is a file of them.
        """
        self.authenticator = authenticator
        self.bans = bans
        self.behind_proxy = behind_proxy
        self._any_name = any_name
        self._origins = origins
        self.limits = limits or AddressLimits()
        self._players = ConnectionLimit(connections, self.limits)
        self._limits = {
            "/play": self._players,
            "/watch": ConnectionLimit(MAX_SPECTATORS, self.limits),
        }
        self.bot_names = ReservedNames(
            "a bot that the arena starts: connect to ARENA_URL as it is, or send ARENA_TOKEN"
        )
        self.casual_names = ReservedNames("a house bot")
        self._waiting: set[asyncio.Task[None]] = set()  # for the ends of connections

    def admit(self, connection: Connection, request: Request) -> Response | None:
        """Check a request, and count its connection against the limits.

        The library itself refuses foreign origins, with 403; this tells it which ones are allowed.

        Returns:
            The response that refuses the request; None if it may go on.
        """
        address = client_address(connection, self.behind_proxy)
        connection.set_address(address, self.limits.trusted(address) is not None)
        if self.is_banned(connection.address):
            return connection.respond(403, "Banned by the operator of this arena.\n")
        try:
            own = _own_origins(request_host(request), self._any_name)
        except ValueError as error:
            return connection.respond_to_malformed(error)
        connection.protocol.origins = [None, *map(Origin, self._origins), *own]
        path = request_path(request)
        limit = self._limits.get(path)
        if limit is None:
            return None
        if connection.is_brief:
            return _retry_later(connection, 503, "No file descriptors are left, try later.\n")
        if path == "/play" and not self._accepts({*_bearer_tokens(request)}):
            return self._refuse_tokens(connection)
        if not limit.acquire(connection, connection.address):
            return _retry_later(connection, 503, "Too many connections, try again later.\n")
        # A failed handshake never reaches the handler: only the end of the socket is certain.
        closed = asyncio.create_task(connection.wait_closed())
        self._waiting.add(closed)
        closed.add_done_callback(self._waiting.discard)
        closed.add_done_callback(lambda _: limit.release(connection))
        return None

    def is_banned(self, address: str) -> bool:
        """Return whether an address is in a banned network."""
        return self.bans is not None and self.bans.latest().has_address(address)

    def base_url(self, request: Request) -> str:
        """Return the URL of the arena for the client of an admitted request, without a path.

        It is "" if the host that the request names may be foreign. Behind a proxy the scheme is the
        last value of X-Forwarded-Proto, which any client could send otherwise.
        """
        host = request_host(request)
        if not host or not _own_origins(host, self._any_name):
            return ""
        forwarded = request.headers.get_all("X-Forwarded-Proto") if self.behind_proxy else []
        return f"{'https' if forwarded[-1:] == ['https'] else 'http'}://{host.lower()}"

    def _refuse_tokens(self, connection: Connection) -> Response:
        """Return the response to a request with a token that is not known."""
        assert self.authenticator
        if self.authenticator.problem:
            return _retry_later(connection, 503, f"{TOKENS_UNAVAILABLE.capitalize()}.\n")
        response = connection.respond(401, "Unknown or revoked token.\n")
        response.headers["WWW-Authenticate"] = "Bearer"
        return response

    def _accepts(self, tokens: Collection[str]) -> bool:
        """Return whether all these tokens are known, or none are required."""
        return self.authenticator is None or all(
            self.authenticator.owners(token) or self.bot_names.owners([token]) for token in tokens
        )

    def check_name(self, connection: Connection, hello: Hello) -> Permission:
        """Check that a client may use its name, by the token of its hello or handshake.

        A casual player needs no token, but may not use the name of a bot that has one. A process
        that the arena has started proves by any of its tokens that the name is its own: a program
        that does not know ARENA_TOKEN has its token in the query of ARENA_URL.

        Raises:
            RequestError: The client may not use the name.
        """
        assert connection.request
        bearer = next(_bearer_tokens(connection.request), None)
        given = (hello.token, bearer, _query_token(connection.request))
        names = self.casual_names if hello.casual else self.bot_names
        if names.check(hello.name, [token for token in given if token]):
            return Permission(is_own=True)
        if self.bans and hello.name in self.bans.latest().names:
            raise RequestError("banned", BANNED)
        if not self.authenticator:
            return Permission()
        if not hello.casual:
            credential = self.authenticator.authenticate(hello.name, hello.token or bearer)
            # A name has one connection: its token limits it, wherever it connects from.
            self._players.attribute(connection, f"bot {hello.name}")
            return Permission(credential=credential)
        if self.authenticator.has_token(hello.name):
            text = f"the name {hello.name} belongs to a bot with a token"
            raise RequestError("name_reserved", text)
        return Permission()

    def withdrawal(self, name: str, address: str, permission: Permission) -> RequestError | None:
        """Return why a player may not stay, after a change of a file, or None."""
        if permission.is_own:
            return None
        if self.is_banned(address) or (self.bans and name in self.bans.latest().names):
            return RequestError("banned", BANNED)
        known, credential = self.authenticator, permission.credential
        if known and credential and not known.is_valid(name, credential):
            return RequestError("token_unknown", "the token was revoked")
        return None

    def problems(self) -> dict[str, str]:
        """Return why the files of tokens and bans cannot be used, or "", by their kinds."""
        files = {"tokens": self.authenticator, "bans": self.bans}
        return {kind: file.problem for kind, file in files.items() if file}

    @property
    def revision(self) -> tuple[int, ...]:
        """Numbers that change with the files of tokens and bans."""
        return tuple(file.revision for file in (self.authenticator, self.bans) if file)


class ConnectionLimit:
    """Limit of simultaneous connections: in total, and for each address but this machine's own.

    An address has at most its own limit, and fewer once half of all are taken unless its network is
    trusted.
    """

    def __init__(self, maximum: int, limits: AddressLimits) -> None:
        self._maximum = maximum
        self._limits = limits
        self._clients: dict[Hashable, str] = {}  # by connection
        self._counts: Counter[str] = Counter()  # by client

    def acquire(self, connection: Hashable, address: str) -> bool:
        """Count a connection from an address, if the limits allow it; return whether they do."""
        network = network_of(address)
        taken = len(self._clients)
        limit = self._limits.trusted(address)
        if limit is None:
            limit = fair_share(self._limits.connections, self._maximum, taken)
        if taken >= self._maximum or (not is_loopback(network) and self._counts[network] >= limit):
            return False
        self._count(connection, network)
        return True

    def attribute(self, connection: Hashable, client: str) -> None:
        """Count a connection for another client than its address."""
        if connection in self._clients:  # its socket may have ended
            self.release(connection)
            self._count(connection, client)

    def release(self, connection: Hashable) -> None:
        """Stop counting a connection."""
        client = self._clients.pop(connection)
        self._counts[client] -= 1
        if not self._counts[client]:
            del self._counts[client]

    def _count(self, connection: Hashable, client: str) -> None:
        self._clients[connection] = client
        self._counts[client] += 1


def _retry_later(connection: Connection, status: int, text: str) -> Response:
    response = connection.respond(status, text)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _bearer_tokens(request: Request) -> Iterator[str]:
    """Yield the tokens in the headers of a request (RFC 6750)."""
    for header in request.headers.get_all("Authorization"):
        scheme, _, token = header.partition(" ")
        if scheme.lower() == "bearer":
            yield token.strip()


def _query_token(request: Request) -> str | None:
    """Return the token in the query of a request, which only the arena's own processes need."""
    query = request.path.partition("?")[2]
    try:
        fields = parse_qs(query, max_num_fields=MAX_QUERY_FIELDS)
    except ValueError:
        return None
    return next(iter(fields.get("token", ())), None)


def _own_origins(host: str, any_name: bool) -> list[Origin]:
    """Return the origins of the arena's own pages, as seen by a client that requests a host.

    The pages of an arena that only this machine can reach are at an IP address or at localhost. A
    page at any other name could be foreign, with a name that leads here (DNS rebinding). An arena
    that others can reach may have `any_name`, and TLS in front.
    """
    origin = host.lower()
    if any_name:
        return [Origin(f"http://{origin}"), Origin(f"https://{origin}")]
    name = host_name(host)
    return [Origin(f"http://{origin}")] if name == "localhost" or _is_address(name) else []


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
