"""Sessions: which bot or casual player is connected under which name, and reconnection."""

import asyncio
import secrets
from collections.abc import Collection

from websockets.protocol import State

from arena.network.connection import Connection
from arena.protocol.codec import RequestError, encode
from arena.protocol.player import FromArena, Hello
from arena.server.admission import Permission

WELCOME_TIMEOUT = 5.0  # seconds for the answer to the first ping; then the welcome counts as lost
KEY_BYTES = 16  # random bytes of a session key


class Session:
    """A bot or a casual player, connected or disconnected; it outlives its connections.

    Attributes:
        name: Name from the hello, unique among the bots or among the casual players.
        casual: Whether the client plays only matches that challenges ask for.
        key: Secret with which the client reconnects; empty before the first connection.
        games: Names of the arena's games that the client plays.
        capacity: Number of matches that the client plays at once.
        address: Address of the client, or the network of its subscriber; empty before the first
            connection.
        grants_takebacks: Whether the client always lets its opponent take back, as house bots do.
        permission: The permission to use the name.
        connection: The current connection; None while the client is disconnected.
        source: The client to which the work of its last connection is attributed.
        is_awaited: Whether the client is disconnected and may return to its open challenge.
        connected_at: Time of the event loop at which the current connection was admitted.
        disconnected_at: Time of the event loop at which the last connection ended.
        assigned_matches: Number of matches that are being prepared or played.
        matches: The client's player number, 1 or 2, in each running match, by match id.
    """

    __slots__ = (
        "address",
        "assigned_matches",
        "capacity",
        "casual",
        "connected_at",
        "connection",
        "disconnected_at",
        "games",
        "grants_takebacks",
        "is_awaited",
        "key",
        "matches",
        "name",
        "permission",
        "source",
    )

    def __init__(self, name: str, now: float, casual: bool = False) -> None:
        self.name = name
        self.casual = casual
        self.key = ""
        self.games: frozenset[str] = frozenset()
        self.capacity = 1
        self.address = ""
        self.grants_takebacks = self.is_awaited = False
        self.permission = Permission()
        self.connection: Connection | None = None
        self.source = ""
        self.connected_at = self.disconnected_at = now
        self.assigned_matches = 0
        self.matches: dict[str, int] = {}

    @property
    def is_free(self) -> bool:
        """Whether another match may begin."""
        return self.assigned_matches < self.capacity

    def has_key(self, key: str | None) -> bool:
        """Return whether a key is this session's, or both are empty."""
        return secrets.compare_digest(self.key.encode(), (key or "").encode())

    def has_received_key(self, now: float) -> bool:
        """Return whether the connected client may have read its session key.

        A client that answers the ping after the welcome has read the welcome. A client that lost
        its welcome has no key, and could not reconnect until its dead connection is noticed.
        """
        assert self.connection
        is_open = self.connection.state is State.OPEN
        is_new = now < self.connected_at + WELCOME_TIMEOUT
        return is_open and bool(self.connection.latency or is_new)

    def connect(
        self,
        connection: Connection,
        hello: Hello,
        games: Collection[str],
        permission: Permission,
    ) -> None:
        """Attach a connection; create a new key unless the hello has the current one.

        Args:
            connection: The connection that sent the hello.
            hello: The accepted hello.
            games: Names of the games that the arena plays.
            permission: The permission to use the name.
        """
        if not (self.key and self.has_key(hello.session)):
            self.key = secrets.token_urlsafe(KEY_BYTES)
        self.games = frozenset(hello.games).intersection(games)
        self.capacity = hello.matches
        self.connection = connection
        self.is_awaited = False
        self.permission = permission
        self.grants_takebacks = self.casual and permission.is_own
        self.address, self.source = connection.network, connection.source
        self.connected_at = asyncio.get_running_loop().time()

    def send(self, message: FromArena) -> None:
        """Hand a message to the socket, without waiting; do nothing if disconnected."""
        if self.connection:
            self.connection.send_frame(encode(message))


class Sessions:
    """All sessions of an arena by name: of bots, and separately of casual players."""

    def __init__(self) -> None:
        self.bots: dict[str, Session] = {}
        self.casual_players: dict[str, Session] = {}
        self._expected: Collection[str] = ()

    def expect(self, names: Collection[str]) -> list[str]:
        """Keep the sessions of these bots, and of no others, while they are disconnected.

        Returns:
            The names of the bots that have not connected yet.
        """
        self._expected = names
        return [name for name in names if name not in self.bots]

    def all(self) -> list[Session]:
        """Return the sessions of bots and of casual players."""
        return [*self.bots.values(), *self.casual_players.values()]

    def is_free(self, name: str) -> bool:
        """Return whether a bot can begin another match; a disconnected bot can, and may lose it."""
        return self.get_or_create(name).is_free

    def has_casual_player(self, name: str) -> bool:
        """Return whether a casual player of this name is connected."""
        return name in self.casual_players and self.casual_players[name].connection is not None

    def awaits_casual_player(self, name: str) -> bool:
        """Return whether a casual player of this name may return to its open challenge."""
        return name in self.casual_players and self.casual_players[name].is_awaited

    def get_or_create(self, name: str, casual: bool = False) -> Session:
        """Return the session of a name, or a new disconnected one."""
        sessions = self._by_kind(casual)
        if name not in sessions:
            sessions[name] = Session(name, asyncio.get_running_loop().time(), casual)
        return sessions[name]

    def claim(self, hello: Hello, now: float, network: str | None) -> Session:
        """Return the session that a hello may take over.

        Args:
            hello: The accepted hello.
            now: Time of the event loop.
            network: The network of a client that has proven nothing; None after authentication.

        Raises:
            RequestError: Another client is connected under the name.
        """
        session = self.get_or_create(hello.name, hello.casual)
        is_taken = session.connection and not session.has_key(hello.session)
        is_foreign = network not in {None, session.address}
        if is_taken and (is_foreign or session.has_received_key(now)):
            raise RequestError("name_taken", f"a bot named {hello.name} is already connected")
        return session

    def discard_if_unused(self, session: Session) -> None:
        """Forget a session without a connection and matches, unless it is expected or awaited."""
        is_kept = session.is_awaited or session.name in self._expected
        if not (session.connection or session.assigned_matches or is_kept):
            del self._by_kind(session.casual)[session.name]

    def _by_kind(self, casual: bool) -> dict[str, Session]:
        return self.casual_players if casual else self.bots
