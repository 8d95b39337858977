"""Bots that cost next to nothing: many in one process, over sockets, with WebSockets by hand.

Every match is the same: its moves are known beforehand, so that a stand-in only looks up the move
of the ply. What is measured with them is the server.
"""

import heapq
import selectors
import socket
import struct
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from random import Random
from typing import NamedTuple

import msgspec

from arena.protocol.codec import encode
from arena.protocol.player import PROTOCOL_VERSION, Hello, Move
from core import GAMES

GAME, STONES = "take_stones", 50
MOST_MATCHES = 4  # at once, of one bot: a schedule then always finds two that are free

REQUEST = (
    b"GET %b HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, PING, PONG = 1, 9, 10  # opcodes, RFC 6455, section 5.2
SHORT, LONG = 126, 127  # lengths that stand for one that follows in 2 or 8 bytes


def known_match(stones: int = STONES) -> list[int]:
    """The moves of the one match that all play, drawn at random."""
    position, random = GAMES[GAME].position(stones=stones), Random(1)
    while not position.is_over:
        position.take(random.choice(position.legal_moves()))
    return position.taken


class Asked(msgspec.Struct):
    """What a stand-in reads of a turn."""

    match: str
    ply: int


_asked = msgspec.json.Decoder(Asked)


def frame(opcode: int, payload: bytes) -> bytes:
    """A client's frame; a mask of zeros leaves the payload as it is."""
    length = len(payload)
    size = bytes([0x80 | length]) if length < SHORT else struct.pack("!BH", 0x80 | SHORT, length)
    return bytes([0x80 | opcode]) + size + bytes(4) + payload


def connected(port: int, path: bytes) -> socket.socket:
    """A WebSocket at a path of the arena on this machine, of which nothing has been read."""
    result = socket.create_connection(("127.0.0.1", port))
    result.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    result.sendall(REQUEST % path)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += result.recv(1)
    return result


class StandIn:
    """One bot's connection. Blocking: it is read only when something is there."""

    def __init__(self, port: int, name: str) -> None:
        self.socket = connected(port, b"/play")
        hello = Hello(PROTOCOL_VERSION, name, [GAME], MOST_MATCHES)
        self.send(TEXT, encode(hello).encode())
        self._unread = b""

    def send(self, opcode: int, payload: bytes) -> None:
        """Send a frame."""
        self.socket.sendall(frame(opcode, payload))

    def receive(self) -> list[Asked]:
        """The turns that have come. Raises EOFError at the end of the connection."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError
        data, at, turns = self._unread + chunk, 0, []
        while len(data) >= at + 2:
            length, start = data[at + 1], at + 2
            if length == SHORT:
                length, start = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif length == LONG:
                raise AssertionError("no message of these matches is so long")
            if len(data) < start + length:
                break
            payload = data[start : start + length]
            if data[at] & 15 == PING:
                self.send(PONG, payload)
            elif payload.startswith(b'{"type":"turn"'):
                turns.append(_asked.decode(payload))
            at = start + length
        self._unread = data[at:]
        return turns


class Answer(NamedTuple):
    """A move that is due."""

    due: float
    begun: float
    order: int
    bot: StandIn
    asked: Asked


class StandIns:
    """Many of them, each thinking as long as `think` says, in seconds."""

    def __init__(self, port: int, count: int, think: Callable[[], float], stones: int) -> None:
        self._line = known_match(stones)
        self._think = think
        self._due: list[Answer] = []
        self.moves = 0
        self.thought: dict[tuple[str, int], float] = {}  # seconds, by match and ply
        self._selector = selectors.DefaultSelector()
        for number in range(count):
            bot = StandIn(port, f"bot {number}")
            self._selector.register(bot.socket, selectors.EVENT_READ, bot)

    def play(self, until: Callable[[], bool]) -> None:
        """Answer turns until told to end, which is asked now and then."""
        while self._selector.get_map() and not until():
            wait = 0.1
            if self._due:
                wait = max(0.0, min(wait, self._due[0].due - time.monotonic()))
            for key, _ in self._selector.select(wait):
                self._hear(key.data)
            while self._due and self._due[0].due <= time.monotonic():
                self._answer(heapq.heappop(self._due))

    def _hear(self, bot: StandIn) -> None:
        try:
            turns = bot.receive()
        except (EOFError, ConnectionError):
            self._selector.unregister(bot.socket)
            return
        for asked in turns:
            now, think = time.monotonic(), self._think()
            answer = Answer(now + think, now, self.moves + len(self._due), bot, asked)
            if think:
                heapq.heappush(self._due, answer)
            else:
                self._answer(answer)

    def _answer(self, answer: Answer) -> None:
        match, ply = answer.asked.match, answer.asked.ply
        move = encode(Move(match, ply, self._line[ply])).encode()
        if answer.due > answer.begun:
            self.thought[match, ply] = time.monotonic() - answer.begun
        answer.bot.send(TEXT, move)
        self.moves += 1


def run(
    pipe: Connection,
    port: int,
    count: int,
    shortest: float,
    longest: float,
    stones: int = STONES,
) -> None:
    """The process of so many stand-ins that think between two times.

    It says through the pipe when all are there. Whatever it then receives is for how many seconds
    it shall count moves: it answers with the moves and the seconds that were really meant. After
    None it answers with what each move has taken to think about, by match and ply, and ends.
    """
    random = Random(1)
    bots = StandIns(
        port, count, lambda: random.uniform(shortest, longest) if longest else 0.0, stones
    )
    pipe.send(None)
    while True:
        bots.play(pipe.poll)
        seconds = pipe.recv()
        if seconds is None:
            pipe.send(bots.thought)
            return
        moves, begun = bots.moves, time.monotonic()
        end = begun + seconds
        bots.play(lambda: time.monotonic() >= end)  # noqa: B023 (called only here)
        pipe.send((bots.moves - moves, time.monotonic() - begun))
