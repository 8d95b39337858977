"""Admission: which connections may be opened, and which client may use which name."""

import asyncio
import hmac
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response
from websockets.typing import Origin

from arena.protocol.errors import RequestError
from arena.protocol.player import Hello
from arena.server.http import client_address, request_path
from arena.storage.tokens import TokenAuthenticator, generate_token, hash_token

MAX_PER_ADDRESS = 50  # connections from one address; a proxy on this machine is exempt
MAX_SPECTATORS = 1000  # connections to /watch
RETRY_AFTER = 10  # seconds, for clients that are refused because a limit is reached


class Admission:
    """Rules for connections: token authentication, origins of web pages, and connection limits.

    Players and spectators have separate limits, and spectators need no token.

    Attributes:
        authenticator: Checks the tokens of players; None lets every player in without one.
    """

    def __init__(
        self,
        authenticator: TokenAuthenticator | None = None,
        origins: Collection[str] = (),
        connections: int = 1000,
        behind_proxy: bool = False,
        any_name: bool = False,
    ) -> None:
        """Create the rules of an arena.

        Args:
            authenticator: Checks the tokens of players; None lets every player in without one.
            origins: Origins of web pages that may connect, besides the arena's own.
            connections: Maximum number of simultaneous connections to /play.
            behind_proxy: Whether the header X-Real-IP holds the address of a client.
            any_name: Whether pages from any host name that leads to the arena are its own.
        """
        self.authenticator = authenticator
        self._behind_proxy = behind_proxy
        self._any_name = any_name
        self._origins = origins
        self._limits = {
            "/play": ConnectionLimit(connections),
            "/watch": ConnectionLimit(MAX_SPECTATORS),
        }
        self._reserved: dict[str, str] = {}  # token hashes by name
        self._waiting: set[asyncio.Task[None]] = set()  # for the ends of connections

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Check a request, and count its connection against the limits.

        The library itself refuses foreign origins, with 403; this tells it which ones are allowed.

        Returns:
            The response that refuses the request; None if it may go on.
        """
        own = _own_origins(request, self._any_name)
        connection.protocol.origins = [None, *map(Origin, self._origins), *own]
        path = request_path(request)
        limit = self._limits.get(path)
        if limit is None:
            return None
        if path == "/play" and not self._accepts(_bearer_tokens(request)):
            response = connection.respond(401, "Unknown or revoked token.\n")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        address = self.address(connection)
        if not limit.acquire(address):
            response = connection.respond(503, "Too many connections, try again later.\n")
            response.headers["Retry-After"] = str(RETRY_AFTER)
            return response
        # A failed handshake never reaches the handler: only the end of the socket is certain.
        closed = asyncio.create_task(connection.wait_closed())
        self._waiting.add(closed)
        closed.add_done_callback(self._waiting.discard)
        closed.add_done_callback(lambda _: limit.release(address))
        return None

    def _accepts(self, tokens: Iterator[str]) -> bool:
        """Return whether all these tokens are known, or none are required."""
        return self.authenticator is None or all(map(self.authenticator.owners, tokens))

    def address(self, connection: ServerConnection) -> str:
        """Return the address of a client."""
        return client_address(connection, self._behind_proxy)

    def network(self, connection: ServerConnection) -> str:
        """Return what counts as one client: its address, or the /64 network of an IPv6 address."""
        return _network(self.address(connection))

    def reserve(self, name: str) -> str:
        """Reserve a name among the casual players.

        Returns:
            The token that a casual player needs from now on to use the name.
        """
        token = generate_token()
        self._reserved[name] = hash_token(token)
        return token

    def check_name(self, connection: ServerConnection, hello: Hello) -> bool:
        """Check that a client may use its name, by the token of its hello or handshake.

        A casual player needs no token, but may not use the name of a bot that has one.

        Returns:
            Whether the client is a casual player with a reserved name.

        Raises:
            RequestError: The client may not use the name.
        """
        assert connection.request
        token = hello.token or next(_bearer_tokens(connection.request), None)
        if not hello.casual:
            if self.authenticator:
                self.authenticator.authenticate(hello.name, token)
            return False
        if reserved := self._reserved.get(hello.name):
            if not hmac.compare_digest(reserved, hash_token(token or "")):
                raise RequestError("name_reserved", f"the name {hello.name} is reserved")
            return True
        if self.authenticator and self.authenticator.has_token(hello.name):
            text = f"the name {hello.name} belongs to a bot with a token"
            raise RequestError("name_reserved", text)
        return False


class ConnectionLimit:
    """Limit of simultaneous connections: in total, and for each address but this machine's own."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._counts: Counter[str] = Counter()

    def acquire(self, address: str) -> bool:
        """Count a connection from an address, if the limits allow it; return whether they do."""
        network = _network(address)
        is_full = self._counts.total() >= self._maximum
        if is_full or (not is_loopback(network) and self._counts[network] >= MAX_PER_ADDRESS):
            return False
        self._counts[network] += 1
        return True

    def release(self, address: str) -> None:
        """Stop counting a connection."""
        network = _network(address)
        self._counts[network] -= 1
        if not self._counts[network]:
            del self._counts[network]


def _network(address: str) -> str:
    """Return what counts as one address: for IPv6 the /64 network of a subscriber."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a proxy may send anything
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(IPv6Network((int(parsed), 64), strict=False).network_address)
    return str(parsed)


def is_loopback(address: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    try:
        return ip_address(_network(address)).is_loopback
    except ValueError:
        return False


def _bearer_tokens(request: Request) -> Iterator[str]:
    """Yield the tokens in the headers of a request (RFC 6750)."""
    for header in request.headers.get_all("Authorization"):
        scheme, _, token = header.partition(" ")
        if scheme.lower() == "bearer":
            yield token.strip()


def _own_origins(request: Request, any_name: bool) -> Iterator[Origin]:
    """Yield the origins of the arena's own pages, as seen by the sender of a request.

    The pages of an arena that only this machine can reach are at an IP address or at localhost. A
    page at any other name could be foreign, with a name that leads here (DNS rebinding). An arena
    that others can reach may have `any_name`, and TLS in front.
    """
    for host in request.headers.get_all("Host"):
        if any_name:
            yield Origin(f"http://{host.lower()}")
            yield Origin(f"https://{host.lower()}")
            continue
        with suppress(ValueError):
            name = urlsplit(f"//{host}").hostname or ""
            if name == "localhost" or ip_address(name):
                yield Origin(f"http://{host.lower()}")
