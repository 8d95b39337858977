"""Whatever bots do, in any order: each match ends once, and bots are told what is stored."""

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
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
from tests.support.arena_server import TEST_TIMEOUT, ArenaServer, ScriptedBot, arena_server, pairing
from tests.support.raw_socket import nothing_left

NAMES = ["a", "b", "c"]
ILLEGAL = 999

# What a bot does, and how often. Nothing that is drawn depends on what the arena has done, which is
# never twice the same: what is impossible is left out instead.
OFTEN = {"play_on": 8, "start": 6, "rejoin": 3, "join": 2, "flood": 2}
SELDOM = ["leave", "drop", "stop_reading", "move_illegally", "move_again", "resign", "babble"]
DEEDS = [deed for deed, times in OFTEN.items() for _ in range(times)] + SELDOM
STEPS = st.tuples(st.sampled_from(DEEDS), st.sampled_from(NAMES), st.integers(0, 50))


class Guest:
    """One connection of a bot, and all that it has heard."""

    def __init__(self, player: ScriptedBot) -> None:
        self.player = player
        self.heard: list[FromArena] = []
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self.player.connection:
                self.heard.append(decode_from_arena(message))

    async def send(self, message: FromBot | str) -> None:
        """Say it, if anybody is left to hear it."""
        with suppress(ConnectionClosed):
            await self.player.send(message)

    def turns(self) -> list[Turn]:
        """Those that it has been told, from first to last."""
        return [message for message in self.heard if isinstance(message, Turn)]

    async def answered(self) -> None:
        """Wait until there is an answer to the first message, or an end."""
        while not self.heard and not self.listening.done():
            await asyncio.sleep(0)

    async def drop(self) -> None:
        """Vanish."""
        self.player.connection.transport.abort()
        await self.listening


class Bots:
    """All bots of an arena, that do anything."""

    def __init__(self, server: ArenaServer) -> None:
        self.server = server
        self.guests: list[Guest] = []
        self.current: dict[str, Guest] = {}
        self.keys: dict[str, str] = {}
        self.matches: list[asyncio.Task[MatchRecord]] = []

    async def do(self, deed: str, name: str, number: int) -> None:
        """Let a bot do something; `number` says which of those that are possible."""
        if deed in {"join", "rejoin", "start", "play_on"}:
            await getattr(self, deed)(name, number)
        elif guest := self.current.get(name):
            await getattr(self, deed)(name, guest, number)
        for _ in range(number % 8):  # as far as the arena gets with it: anything must do
            await asyncio.sleep(0)

    # Who is here

    async def join(self, name: str, _: int, key: str | None = None) -> None:
        """Come, which is refused without a key if one of that name is here."""
        guest = Guest(await self.server.connect())
        self.guests.append(guest)
        await guest.send(Hello(PROTOCOL_VERSION, name, ["take_stones"], 3, key))
        await guest.answered()
        if guest.heard and isinstance(guest.heard[0], Welcome):
            self.current[name] = guest
            self.keys[name] = guest.heard[0].session

    async def rejoin(self, name: str, number: int) -> None:
        """Come with the last key, if there is one."""
        await self.join(name, number, self.keys.get(name))

    async def leave(self, name: str, guest: Guest, _: int) -> None:
        del self.current[name]
        await guest.player.connection.close()

    async def drop(self, name: str, guest: Guest, _: int) -> None:
        del self.current[name]
        await guest.drop()

    async def stop_reading(self, name: str, guest: Guest, _: int) -> None:
        del self.current[name]
        guest.player.connection.transport.pause_reading()

    # What they play

    async def start(self, name: str, number: int) -> None:
        """Start a match as the organiser would: with somebody who is free, here or not."""
        two = NAMES[NAMES.index(name) - 1 - number % 2]
        known = [bot for bot in (name, two) if bot in self.server.arena.sessions.bots]
        if all(self.server.arena.sessions.is_free(bot) for bot in known):
            self.matches.append(self.server.arena.start_match(pairing(name, two, stones=number)))

    async def play_on(self, _: str, number: int) -> None:
        """Let all who are here answer the turns that they know of."""
        for guest in [*self.current.values()]:
            for turn in guest.turns()[-3:]:
                position = GAMES[turn.game].position(**turn.setup, moves=turn.moves)
                legal = position.legal_moves()
                await guest.send(Move(turn.match, turn.ply, legal[number % len(legal)]))
            await asyncio.sleep(0)

    async def move_illegally(self, _: str, guest: Guest, _number: int) -> None:
        for turn in guest.turns()[-1:]:
            await guest.send(Move(turn.match, turn.ply, ILLEGAL))

    async def move_again(self, _: str, guest: Guest, number: int) -> None:
        for turn in guest.turns()[: number % 4]:
            await guest.send(Move(turn.match, turn.ply - number % 2, ILLEGAL))

    async def resign(self, _: str, guest: Guest, number: int) -> None:
        for turn in guest.turns()[-1 - number :][:1]:
            await guest.send(Resign(turn.match))

    async def babble(self, _: str, guest: Guest, _number: int) -> None:
        await guest.send("what?")

    async def flood(self, _: str, guest: Guest, number: int) -> None:
        for _useless in range(number):
            await guest.send(Resign("0"))

    # What must be so in the end

    async def end(self) -> list[MatchRecord]:
        """Let all vanish. Returns the results of all matches that were started."""
        for guest in self.guests:
            await guest.drop()
        records = await asyncio.gather(*self.matches)
        while any(bot.connection for bot in self.server.arena.sessions.bots.values()):
            await self.server.arena.wait_for_change()
        return records

    def told(self) -> list[Finished]:
        """What they have heard of the ends of matches."""
        words = [word for guest in self.guests for word in guest.heard]
        return [word for word in words if isinstance(word, Finished)]


def announced(record: MatchRecord, you: int) -> Finished:
    """What a player has to be told of a match as it is stored."""
    result = record.result
    moves = [*record.pairing.opening, *(played.move for played in record.moves)]
    return Finished(str(record.id), you, result.winner, result.termination, result.reason, moves)


async def play(db: Path, steps: list[tuple[str, str, int]]) -> None:
    async with nothing_left(), arena_server(db, time="0.1+0.01", grace=0.02) as server:
        bots = Bots(server)
        for name in NAMES:
            await bots.join(name, 0)
        for step in steps:
            await bots.do(*step)
        records = await bots.end()
        assert server.arena.sessions.bots == {}
        assert server.records() == sorted(records, key=lambda record: record.id)
        assert [line for record in records for line in find_differences(record)] == []
        told = Counter((word.match, word.you) for word in bots.told())
        assert not told or max(told.values()) == 1
        stored = {str(record.id): record for record in records}
        assert all(word == announced(stored[word.match], word.you) for word in bots.told())


@given(st.lists(STEPS, min_size=60, max_size=120))
def test_whatever_bots_do(steps: list[tuple[str, str, int]]) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.server.player_endpoint.USELESS_DELAY", 0.0)
        asyncio.run(asyncio.wait_for(play(Path(folder) / "arena.db", steps), TEST_TIMEOUT))
