"""Simulated bots with minimal cost: many in one process, with hand-written WebSocket frames.

All matches have the same moves, so a bot only looks up the move of a ply. The time measured with
them is the server's.
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
MAX_MATCHES = 4  # per bot at once, so that the schedule always finds two free bots

REQUEST = (
    b"GET %b HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%b\r\n"
)
TEXT, PING, PONG = 1, 9, 10  # opcodes, RFC 6455, section 5.2
SHORT, LONG = 126, 127  # length codes: the length follows in 2 or 8 bytes
TURN_START = b'{"type":"turn"'


def fixed_moves(stones: int = STONES, seed: int = 1) -> list[int]:
    """Return the moves of all matches, drawn at random once."""
    position, random = GAMES[GAME].position(stones=stones), Random(seed)
    while not position.is_over:
        position.play(random.choice(position.legal_moves()))
    return position.moves


class TurnRequest(msgspec.Struct):
    """The fields of a turn that a simulated bot reads."""

    match: str
    ply: int


_decoder = msgspec.json.Decoder(TurnRequest)


def frame(opcode: int, payload: bytes) -> bytes:
    """Return a client's frame; a mask of zeros does not change the payload."""
    length = len(payload)
    size = bytes([0x80 | length]) if length < SHORT else struct.pack("!BH", 0x80 | SHORT, length)
    return bytes([0x80 | opcode]) + size + bytes(4) + payload


def open_websocket(port: int, path: bytes, header: bytes = b"") -> socket.socket:
    """Open a WebSocket at a path of the arena on this machine, with a header line."""
    result = socket.create_connection(("127.0.0.1", port))
    result.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    result.sendall(REQUEST % (path, header))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += result.recv(1)
    return result


class SimulatedBot:
    """A bot's blocking connection, which is read only when data is available."""

    def __init__(self, port: int, name: str, matches: int = MAX_MATCHES) -> None:
        self.socket = open_websocket(port, b"/play")
        hello = Hello(PROTOCOL_VERSION, name, [GAME], matches)
        self.send(TEXT, encode(hello).encode())
        self._unread = b""

    def send(self, opcode: int, payload: bytes) -> None:
        """Send a frame."""
        self.socket.sendall(frame(opcode, payload))

    def receive(self) -> list[TurnRequest]:
        """Return the turns received. Raises EOFError at the end of the connection."""
        return [
            _decoder.decode(message)
            for message in self.receive_messages()
            if message.startswith(TURN_START)
        ]

    def receive_messages(self) -> list[bytes]:
        """Return the messages received, and answer pings. Raises EOFError at the end."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError
        data, at, messages = self._unread + chunk, 0, []
        while len(data) >= at + 2:
            length, start = data[at + 1], at + 2
            if length == SHORT:
                length, start = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif length == LONG:
                raise AssertionError("messages of these matches are shorter")
            if len(data) < start + length:
                break
            payload = data[start : start + length]
            if data[at] & 15 == PING:
                self.send(PONG, payload)
            elif data[at] & 15 == TEXT:
                messages.append(payload)
            at = start + length
        self._unread = data[at:]
        return messages


class PendingMove(NamedTuple):
    """A move that is sent at a time, in order of that time."""

    send_at: float
    received_at: float
    order: int
    bot: SimulatedBot
    request: TurnRequest


class SimulatedBots:
    """Many simulated bots; `think` returns the seconds to think about a move."""

    def __init__(self, port: int, count: int, think: Callable[[], float], stones: int) -> None:
        self._line = fixed_moves(stones)
        self._think = think
        self._pending: list[PendingMove] = []
        self.moves = 0
        self.thinking_times: dict[tuple[str, int], float] = {}  # seconds, by match and ply
        self._selector = selectors.DefaultSelector()
        for number in range(count):
            bot = SimulatedBot(port, f"bot {number}")
            self._selector.register(bot.socket, selectors.EVENT_READ, bot)

    def play(self, until: Callable[[], bool]) -> None:
        """Answer turns until `until`, which is polled, returns true."""
        while self._selector.get_map() and not until():
            wait = 0.1
            if self._pending:
                wait = max(0.0, min(wait, self._pending[0].send_at - time.monotonic()))
            for key, _ in self._selector.select(wait):
                self._receive(key.data)
            while self._pending and self._pending[0].send_at <= time.monotonic():
                self._send_move(heapq.heappop(self._pending))

    def _receive(self, bot: SimulatedBot) -> None:
        try:
            turns = bot.receive()
        except (EOFError, ConnectionError):
            self._selector.unregister(bot.socket)
            return
        for request in turns:
            now, think = time.monotonic(), self._think()
            pending = PendingMove(now + think, now, self.moves + len(self._pending), bot, request)
            if think:
                heapq.heappush(self._pending, pending)
            else:
                self._send_move(pending)

    def _send_move(self, pending: PendingMove) -> None:
        match, ply = pending.request.match, pending.request.ply
        move = encode(Move(match, ply, self._line[ply])).encode()
        if pending.send_at > pending.received_at:
            self.thinking_times[match, ply] = time.monotonic() - pending.received_at
        pending.bot.send(TEXT, move)
        self.moves += 1


def run(
    pipe: Connection,
    port: int,
    count: int,
    shortest: float,
    longest: float,
    stones: int = STONES,
) -> None:
    """Run simulated bots in this process.

    It sends None when all are connected. For each number of seconds that it then receives it sends
    the moves made in that time and the exact time. After None it sends the thinking times, by match
    and ply, and exits.

    Args:
        pipe: The connection to the benchmark.
        port: The port of the server.
        count: The number of bots.
        shortest: The shortest time to think about a move, in seconds.
        longest: The longest time to think about a move, in seconds.
        stones: The number of stones of all matches.
    """
    random = Random(1)
    bots = SimulatedBots(
        port, count, lambda: random.uniform(shortest, longest) if longest else 0.0, stones
    )
    pipe.send(None)
    while True:
        bots.play(pipe.poll)
        seconds = pipe.recv()
        if seconds is None:
            pipe.send(bots.thinking_times)
            return
        moves, begun = bots.moves, time.monotonic()
        end = begun + seconds
        bots.play(lambda: time.monotonic() >= end)  # noqa: B023 (called only here)
        pipe.send((bots.moves - moves, time.monotonic() - begun))
