"""Random actions of bots: each match ends once, and its announcement equals its record."""

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from arena.model.results import MatchRecord
from arena.protocol.codec import decode_from_arena
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Finished,
    FromArena,
    FromBot,
    Hello,
    Move,
    Resign,
    Turn,
    Welcome,
)
from arena.storage.verify import find_differences
from core import GAMES
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, ScriptedBot, arena_server, pairing
from tests.support.servers.raw_socket import no_leaks

NAMES = ["a", "b", "c"]
ILLEGAL = 999

# Actions and their frequencies. The drawn actions do not depend on the arena, whose timing differs
# in each run: impossible actions are skipped instead.
FREQUENT = {"play_on": 8, "start": 6, "rejoin": 3, "join": 2, "flood": 2}
RARE = ["leave", "drop", "stop_reading", "move_illegally", "move_again", "resign", "send_garbage"]
ACTIONS = [action for action, times in FREQUENT.items() for _ in range(times)] + RARE
STEPS = st.tuples(st.sampled_from(ACTIONS), st.sampled_from(NAMES), st.integers(0, 50))


class RecordingConnection:
    """Connection of a bot that records all messages it receives."""

    def __init__(self, player: ScriptedBot) -> None:
        self.player = player
        self.received: list[FromArena] = []
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self.player.connection:
                self.received.append(decode_from_arena(message))

    async def send(self, message: FromBot | str) -> None:
        """Send a message, unless the connection is closed."""
        with suppress(ConnectionClosed):
            await self.player.send(message)

    def turns(self) -> list[Turn]:
        """Return the received turns, from first to last."""
        return [message for message in self.received if isinstance(message, Turn)]

    async def wait_for_answer(self) -> None:
        """Wait for the first message, or the end of the connection."""
        while not self.received and not self.reading.done():
            await asyncio.sleep(0)

    async def drop(self) -> None:
        """Abort the connection."""
        self.player.connection.transport.abort()
        await self.reading


class Bots:
    """Bots of an arena, with one method for each action."""

    def __init__(self, server: ArenaServer) -> None:
        self.server = server
        self.connections: list[RecordingConnection] = []
        self.current: dict[str, RecordingConnection] = {}
        self.session_keys: dict[str, str] = {}
        self.matches: list[asyncio.Task[MatchRecord]] = []

    async def do(self, action: str, name: str, number: int) -> None:
        """Perform an action; `number` selects among the possible ones."""
        if action in {"join", "rejoin", "start", "play_on"}:
            await getattr(self, action)(name, number)
        elif connection := self.current.get(name):
            await getattr(self, action)(name, connection, number)
        for _ in range(number % 8):  # as far as the arena gets with it: anything must do
            await asyncio.sleep(0)

    # Connections

    async def join(self, name: str, _: int, key: str | None = None) -> None:
        """Connect; without a key, the name may be taken."""
        connection = RecordingConnection(await self.server.connect())
        self.connections.append(connection)
        await connection.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], 3, key))
        await connection.wait_for_answer()
        if connection.received and isinstance(connection.received[0], Welcome):
            self.current[name] = connection
            self.session_keys[name] = connection.received[0].session

    async def rejoin(self, name: str, number: int) -> None:
        """Connect with the last session key, if there is one."""
        await self.join(name, number, self.session_keys.get(name))

    async def leave(self, name: str, connection: RecordingConnection, _: int) -> None:
        del self.current[name]
        await connection.player.connection.close()

    async def drop(self, name: str, connection: RecordingConnection, _: int) -> None:
        del self.current[name]
        await connection.drop()

    async def stop_reading(self, name: str, connection: RecordingConnection, _: int) -> None:
        del self.current[name]
        connection.player.connection.transport.pause_reading()

    # Matches

    async def start(self, name: str, number: int) -> None:
        """Start a match of two free bots as the organiser would, connected or not."""
        two = NAMES[NAMES.index(name) - 1 - number % 2]
        known = [bot for bot in (name, two) if bot in self.server.arena.server.sessions.bots]
        if all(self.server.arena.server.sessions.is_free(bot) for bot in known):
            self.matches.append(
                self.server.arena.server.start_match(pairing(name, two, stones=number))
            )

    async def play_on(self, _: str, number: int) -> None:
        """Let all connected bots answer their latest turns."""
        for connection in [*self.current.values()]:
            for turn in connection.turns()[-3:]:
                position = GAMES[turn.game].position(**turn.setup, moves=turn.moves)
                legal = position.legal_moves()
                await connection.send(Move(turn.match, turn.ply, legal[number % len(legal)]))
            await asyncio.sleep(0)

    async def move_illegally(self, _: str, connection: RecordingConnection, _number: int) -> None:
        for turn in connection.turns()[-1:]:
            await connection.send(Move(turn.match, turn.ply, ILLEGAL))

    async def move_again(self, _: str, connection: RecordingConnection, number: int) -> None:
        for turn in connection.turns()[: number % 4]:
            await connection.send(Move(turn.match, turn.ply - number % 2, ILLEGAL))

    async def resign(self, _: str, connection: RecordingConnection, number: int) -> None:
        for turn in connection.turns()[-1 - number :][:1]:
            await connection.send(Resign(turn.match))

    async def send_garbage(self, _: str, connection: RecordingConnection, _number: int) -> None:
        await connection.send("what?")

    async def flood(self, _: str, connection: RecordingConnection, number: int) -> None:
        for _useless in range(number):
            await connection.send(Resign("0"))

    # The end

    async def end(self) -> list[MatchRecord]:
        """Abort all connections; return the records of all started matches."""
        for connection in self.connections:
            await connection.drop()
        records = await asyncio.gather(*self.matches)
        while any(bot.connection for bot in self.server.arena.server.sessions.bots.values()):
            await self.server.arena.server.wait_for_change()
        return records

    def finished_messages(self) -> list[Finished]:
        """Return all received ends of matches."""
        messages = [message for connection in self.connections for message in connection.received]
        return [message for message in messages if isinstance(message, Finished)]


def expected_message(record: MatchRecord, you: int) -> Finished:
    """Return the message that announces a stored match to a player."""
    result = record.result
    moves = [*record.pairing.opening, *(played.move for played in record.moves)]
    return Finished(str(record.id), you, result.winner, result.termination, result.reason, moves)


async def play(db: Path, steps: list[tuple[str, str, int]]) -> None:
    async with no_leaks(), arena_server(db, time="0.1+0.01", grace=0.02) as server:
        bots = Bots(server)
        for name in NAMES:
            await bots.join(name, 0)
        for step in steps:
            await bots.do(*step)
        records = await bots.end()
        assert server.arena.server.sessions.bots == {}
        assert server.records() == sorted(records, key=lambda record: record.id)
        assert [line for record in records for line in find_differences(record)] == []
        finished_messages = Counter(
            (message.match, message.you) for message in bots.finished_messages()
        )
        assert not finished_messages or max(finished_messages.values()) == 1
        stored = {str(record.id): record for record in records}
        assert all(
            message == expected_message(stored[message.match], message.you)
            for message in bots.finished_messages()
        )


@given(st.lists(STEPS, min_size=60, max_size=120))
def test_any_sequence_of_actions_ends_each_match_once(steps: list[tuple[str, str, int]]) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(asyncio.wait_for(play(Path(folder) / "arena.db", steps), TEST_TIMEOUT))
