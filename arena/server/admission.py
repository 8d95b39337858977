"""The door of the arena: which connections may begin, and whether a bot may have its name."""

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
from arena.server.http import address_of, path_of
from arena.server.tokens import Identities, hash_of, new_token

FROM_ONE_ADDRESS = 50  # connections at most; a proxy on this machine speaks for many
VIEWERS = 1000  # at most
RETRY_SECONDS = 10  # after which those that found no room may try again


class Door:
    """Who may connect to /play: anybody, or with `identities` only bots that show a token.

    A page in a browser must be the arena's own or of one of the `origins`, and no more than so many
    `connections` are let in at once. Anybody may watch, but those who do have a room of their own.
    Only `behind_proxy` an address is what X-Real-IP says.
    """

    def __init__(
        self,
        identities: Identities | None = None,
        origins: Collection[str] = (),
        connections: int = 1000,
        behind_proxy: bool = False,
        any_name: bool = False,
    ) -> None:
        self.identities = identities
        self._behind_proxy = behind_proxy
        self._any_name = any_name
        self._origins = origins
        self._crowds = {"/play": Crowd(connections), "/watch": Crowd(VIEWERS)}
        self._reserved: dict[str, str] = {}  # hashes of tokens by name
        self._staying: set[asyncio.Task[None]] = set()

    def knock(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a request that is turned away; None if it may go on.

        Foreign pages go on as well: it is the library that turns them away, with 403.
        """
        own = _own_origins(request, self._any_name)
        connection.protocol.origins = [None, *map(Origin, self._origins), *own]
        path = path_of(request)
        crowd = self._crowds.get(path)
        if crowd is None:
            return None
        if path == "/play" and not self._know(_bearers(request)):
            response = connection.respond(401, "The token is unknown, or revoked.\n")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        address = self.address(connection)
        if not crowd.enter(address):
            response = connection.respond(503, "There are too many connections, try later.\n")
            response.headers["Retry-After"] = str(RETRY_SECONDS)
            return response
        # Not the bot's, which does not begin if the handshake fails: the end of the socket counts.
        staying = asyncio.create_task(connection.wait_closed())
        self._staying.add(staying)
        staying.add_done_callback(self._staying.discard)
        staying.add_done_callback(lambda _: crowd.leave(address))
        return None

    def _know(self, tokens: Iterator[str]) -> bool:
        """Whether these tokens are good ones, or not asked for."""
        return self.identities is None or all(map(self.identities.names, tokens))

    def address(self, connection: ServerConnection) -> str:
        """Where a connection comes from."""
        return address_of(connection, self._behind_proxy)

    def reserve(self, name: str) -> str:
        """A token, without which from now on no casual player can have a name."""
        token = new_token()
        self._reserved[name] = hash_of(token)
        return token

    def identify(self, connection: ServerConnection, hello: Hello) -> bool:
        """Check that a name is a bot's own, by its token or that of the handshake.

        Casual players need none, but may not have a name that is somebody's. Returns whether the
        bot is casual and has a name that is reserved. Raises RequestError.
        """
        assert connection.request
        token = hello.token or next(_bearers(connection.request), None)
        if not hello.casual:
            if self.identities:
                self.identities.check(hello.name, token)
            return False
        if reserved := self._reserved.get(hello.name):
            if not hmac.compare_digest(reserved, hash_of(token or "")):
                raise RequestError("name_reserved", f"{hello.name} is a bot of this arena's own")
            return True
        if self.identities and self.identities.has_token(hello.name):
            raise RequestError("name_reserved", f"{hello.name} is a bot that has a token")
        return False


class Crowd:
    """Counts connections: at most `room`, and fewer from each address but this machine's own."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._addresses: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Whether there is room for one more from an address; then it is counted."""
        place = _place(address)
        is_full = self._addresses.total() >= self._room
        if is_full or (not is_loopback(place) and self._addresses[place] >= FROM_ONE_ADDRESS):
            return False
        self._addresses[place] += 1
        return True

    def leave(self, address: str) -> None:
        """One that was counted is gone."""
        place = _place(address)
        self._addresses[place] -= 1
        if not self._addresses[place]:
            del self._addresses[place]


def _place(address: str) -> str:
    """What counts as one address: with IPv6 a network of 64 bits, as one subscriber has it."""
    try:
        place = ip_address(address)
    except ValueError:  # whatever a proxy has told
        return address
    if isinstance(place, IPv6Address):
        if place.ipv4_mapped:
            return str(place.ipv4_mapped)
        if not place.is_loopback:
            return str(IPv6Network((int(place), 64), strict=False).network_address)
    return str(place)


def is_loopback(address: str) -> bool:
    """Whether only this machine is behind an address."""
    try:
        return ip_address(_place(address)).is_loopback
    except ValueError:
        return False


def _bearers(request: Request) -> Iterator[str]:
    """The tokens in the headers of a request, as RFC 6750 has them."""
    for header in request.headers.get_all("Authorization"):
        scheme, _, token = header.partition(" ")
        if scheme.lower() == "bearer":
            yield token.strip()


def _own_origins(request: Request, any_name: bool) -> Iterator[Origin]:
    """The origins of the arena's own pages, as a request has come.

    An arena that only this machine can reach has its pages at an address or at localhost: by any
    other name it could be a stranger's page, whose name leads here all of a sudden (DNS rebinding).
    One that others reach may have `any_name`, and TLS before it.
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
