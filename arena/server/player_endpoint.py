"""The endpoint /play: the life of a player's connection, from its hello to its end."""

import asyncio
from collections.abc import Callable, Collection

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from arena.lobby.challenges import CasualPlayer, Challenges
from arena.model.observer import Observer
from arena.network.connection import Connection
from arena.network.trace import MessageTrace
from arena.protocol.codec import (
    UNREADABLE_LIMIT,
    DecodeError,
    InvalidInfo,
    RequestError,
    decode_from_bot,
    encode,
)
from arena.protocol.player import (
    HELLO_TIMEOUT,
    PROTOCOL_VERSION,
    Accept,
    Challenge,
    Challenged,
    ChallengeReceived,
    Error,
    FromBot,
    Hello,
    Welcome,
)
from arena.server.admission import Admission
from arena.server.match_runner import CASUAL_GRACE, MatchRunner
from arena.server.sessions import Session, Sessions

# Of refusals after which a client may try again; others are final.
CLOSE_CODES = {"tokens_unavailable": CloseCode.INTERNAL_ERROR}


class PlayerEndpoint:
    """Admits players, and passes their messages to matches and challenges."""

    def __init__(
        self,
        sessions: Sessions,
        matches: MatchRunner,
        games: Collection[str],
        admission: Admission,
        observer: Observer,
        challenges: Challenges | None,
        on_change: Callable[[], None],
        trace: MessageTrace | None = None,
    ) -> None:
        """Create the endpoint of an arena.

        Args:
            sessions: The sessions of the arena, to which connections are attached.
            matches: The running matches, which receive moves.
            games: Names of the games that the arena plays.
            admission: Decides which client may use which name.
            observer: Receives connections, disconnections and refusals.
            challenges: Receives challenges; None admits no casual players.
            on_change: Called when a player connects, disconnects or sends a challenge.
            trace: Receives all messages, if there is one.
        """
        self._sessions = sessions
        self._matches = matches
        self._games = games
        self._admission = admission
        self._observer = observer
        self._challenges = challenges
        self._on_change = on_change
        self._trace = trace

    async def serve(self, connection: Connection) -> None:
        """Serve a connection from its hello to its end."""
        session = None
        connection.trace = self._trace.open(connection.address) if self._trace else None
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                frame = await connection.recv()
                if connection.trace:
                    connection.trace.received(frame)
                session = self._admit(connection, decode_from_bot(frame))
            await connection.ping()  # the pong measures the latency
            await self._read(session, connection)
        except ConnectionClosed:
            pass
        except (RequestError, DecodeError, TimeoutError) as error:
            code = error.code if isinstance(error, RequestError) else "expected_hello"
            text = str(error) or f"no hello within {HELLO_TIMEOUT:g} s"
            self._matches.notify(self._observer.refused, code, connection.address)
            connection.send_frame(encode(Error(code, text)))
            await connection.close(CLOSE_CODES.get(code, CloseCode.POLICY_VIOLATION), code)
        finally:
            if connection.trace:
                connection.trace.closed(connection.close_code)
            if session and session.connection is connection:
                has_left = connection.protocol.close_rcvd is not None
                self._disconnect(session, has_left)

    def _admit(self, connection: Connection, message: FromBot) -> Session:
        """Return the session of the hello's name, with this connection. Raises RequestError."""
        hello = check_hello(message, self._games, self._challenges is not None)
        permission = self._admission.check_name(connection, hello)
        now = asyncio.get_running_loop().time()
        is_authenticated = self._admission.authenticator and not hello.casual
        session = self._sessions.claim(hello, now, None if is_authenticated else connection.network)
        if session.connection:
            session.connection.transport.abort()
            self._matches.notify(self._observer.left, session.name)
        if not session.has_key(hello.session):
            self._withdraw_challenge(session)
        session.connect(connection, hello, self._games, permission)
        if connection.trace:
            connection.trace.bot = session.name
        self._matches.notify(self._observer.joined, session.name, connection.address)
        tolerances = self._matches.tolerances(session.casual)
        session.send(Welcome(PROTOCOL_VERSION, session.name, session.key, *tolerances))
        self._matches.reconnect(session, now)
        self._on_change()
        return session

    def remove_withdrawn(self) -> None:
        """Remove the players that may not stay: they lose their matches at once."""
        for session in self._sessions.all():
            connection = session.connection
            address = connection.address if connection else ""
            if why := self._admission.withdrawal(session.name, address, session.permission):
                self._matches.remove(session)
                if connection:
                    self._matches.notify(self._observer.refused, why.code, address)
                    session.send(Error(why.code, str(why)))
                    self._disconnect(session, has_left=True)
                    connection.end(CloseCode.POLICY_VIOLATION, why.code)
                else:
                    self._give_up(session)

    async def _read(self, session: Session, connection: Connection) -> None:
        """Process messages until the connection ends."""
        unreadable = 0

        def receive(frame: str | bytes, now: float) -> bool:
            nonlocal unreadable
            if connection.trace:
                connection.trace.received(frame)
            try:
                message = self._decode(session, frame)
            except DecodeError as error:
                session.send(Error("unreadable", str(error)))
                self._matches.receive_unreadable(session)
                unreadable += 1
                if unreadable == UNREADABLE_LIMIT:
                    raise RequestError("unreadable", f"{unreadable} unreadable messages") from None
                return False
            is_useful = self._receive(session, message, now, connection.network_delay)
            # Casual matches must not slow down rated ones; house bots play few.
            return is_useful and (not session.casual or session.grants_takebacks)

        await connection.handle_messages(receive)

    def _decode(self, session: Session, frame: str | bytes) -> FromBot:
        """Return a message, without information that is invalid. Raises DecodeError."""
        try:
            return decode_from_bot(frame)
        except InvalidInfo as error:
            match = error.move.match[:64]
            session.send(Error("bad_info", f"match {match}: info ignored: {error}", match))
            return error.move

    def _receive(self, session: Session, message: FromBot, now: float, credit: float) -> bool:
        """Process a message. Return whether it was useful."""
        if isinstance(message, Hello):
            session.send(Error("unexpected", "the hello was already accepted"))
            return False
        if isinstance(message, (Challenge, Accept)):
            self._receive_challenge(session, message)
            return False  # challenges are not refunded, or a flood of them would not be limited
        if message.match not in session.matches:
            match = message.match[:64]
            text = f"match {match} is not one of your running matches"
            session.send(Error("unknown_match", text, match))
            return False
        return self._matches.receive(session, message, now, credit)

    def _receive_challenge(self, session: Session, message: Challenge | Accept) -> None:
        if not (session.casual and self._challenges):
            text = "only players with casual in their hello can send challenges"
            session.send(Error("not_casual", text))
            return
        player = CasualPlayer(session.name, session.games, session.capacity, session.address)
        answer = self._challenges.receive(player, message)
        opponent = message.opponent if isinstance(message, Challenge) else None
        if isinstance(answer, Challenged) and opponent:
            if self._sessions.has_casual_player(opponent):
                asked = self._sessions.get_or_create(opponent, casual=True)
                asked.send(ChallengeReceived(answer.challenge, session.name))
            else:
                self._challenges.withdraw(session.name)
                answer = Error("bad_challenge", f"{opponent} is not connected")
        if answer:
            session.send(answer)
        self._on_change()

    def _withdraw_challenge(self, session: Session) -> None:
        if session.casual and self._challenges:
            self._challenges.withdraw(session.name)

    def _disconnect(self, session: Session, has_left: bool) -> None:
        """Detach a connection that has ended.

        The open challenge of a casual player who has not left survives the grace, as matches do:
        who shares its link on a phone looks at another app.
        """
        loop = asyncio.get_running_loop()
        session.connection = None
        session.disconnected_at = loop.time()
        self._matches.notify(self._observer.left, session.name)
        self._matches.disconnect(session, session.disconnected_at)
        if has_left:
            self._withdraw_challenge(session)
        elif session.casual and self._challenges and self._challenges.has_open(session.name):
            session.is_awaited = True
            loop.call_later(CASUAL_GRACE, self._end_absence, session, session.disconnected_at)
        self._sessions.discard_if_unused(session)
        self._on_change()

    def _end_absence(self, session: Session, since: float) -> None:
        """Withdraw the challenge of a player who has been disconnected since a time."""
        if session.is_awaited and session.disconnected_at == since:
            self._give_up(session)

    def _give_up(self, session: Session) -> None:
        """Wait no longer for the client of a session without a connection."""
        session.is_awaited = False
        self._withdraw_challenge(session)
        self._sessions.discard_if_unused(session)


def check_hello(message: FromBot, games: Collection[str], takes_challenges: bool) -> Hello:
    """Return a connection's first message, if it is an acceptable hello.

    Args:
        message: The first message of the connection.
        games: Names of the games that the arena plays.
        takes_challenges: Whether the arena admits casual players.

    Returns:
        The message.

    Raises:
        RequestError: The message is no hello, or this arena cannot serve its sender.
    """
    if not isinstance(message, Hello):
        raise RequestError("expected_hello", "the first message must be hello")
    if message.protocol != PROTOCOL_VERSION:
        raise RequestError(
            "unknown_protocol",
            f"unsupported protocol version {message.protocol} (supported: {PROTOCOL_VERSION})",
        )
    if message.casual and not takes_challenges:
        raise RequestError("no_challenges", "this arena has no matches for casual players")
    if not set(games).intersection(message.games):
        raise RequestError("unknown_game", f"this arena plays {', '.join(games)}")
    return message
