"""Simulated spectators with minimal cost: many in one process, with hand-written frames."""

import os
import selectors
import time
import zlib
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import msgspec

from bench.arena.simulated_bots import LONG, PING, PONG, SHORT, TEXT, frame, open_websocket

PAUSE = 0.002  # seconds between two spectators
COMPRESSION = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"
COMPRESSED = 0x40  # in the first byte of a frame (RFC 7692)


class SimulatedSpectator:
    """A spectator's connection, and the matches that it has received.

    Attributes:
        messages: The number of messages.
        size: The bytes received.
        longest_gap: The longest time between two messages, in seconds.
    """

    def __init__(self, port: int, compressed: bool) -> None:
        self.socket = open_websocket(port, b"/watch", COMPRESSION * compressed)
        self.messages = self.size = 0
        self.longest_gap = 0.0
        self._last_at = 0.0
        self.moves: dict[int, list[int]] = {}  # of all matches, live or over
        self.over: set[int] = set()
        self._unread = b""

    def watch(self, match: int | None) -> None:
        """Follow a match, or the lobby."""
        self.socket.sendall(frame(TEXT, msgspec.json.encode({"type": "watch", "match": match})))

    def reset(self) -> None:
        """Begin to measure."""
        self.messages, self.size, self.longest_gap = 0, 0, 0.0
        self._last_at = time.monotonic()

    def receive(self, decodes: bool) -> None:
        """Receive data, and decode the messages or only count them. Raises EOFError at the end."""
        chunk = self.socket.recv(1 << 20)
        if not chunk:
            raise EOFError
        self.size += len(chunk)
        data, at = self._unread + chunk, 0
        while len(data) >= at + 2:
            length, start = data[at + 1], at + 2
            if length == SHORT:
                length, start = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif length == LONG:
                length, start = int.from_bytes(data[at + 2 : at + 10]), at + 10
            if len(data) < start + length:
                break
            payload = data[start : start + length]
            if data[at] & 15 == PING:
                self.socket.sendall(frame(PONG, payload))
            elif data[at] & 15 == TEXT:
                self._count()
                if decodes:
                    if data[at] & COMPRESSED:
                        payload = zlib.decompressobj(-zlib.MAX_WBITS).decompress(payload)
                    self._read(msgspec.json.decode(payload))
            at = start + length
        self._unread = data[at:]

    def _count(self) -> None:
        now = time.monotonic()
        self.messages += 1
        self.longest_gap = max(self.longest_gap, now - self._last_at)
        self._last_at = now

    def _read(self, message: dict[str, Any]) -> None:
        update = message.get("moves", [])
        for moves in [update] if isinstance(update, dict) else update:
            self.moves.setdefault(moves["match"], [])[moves["ply"] :] = moves["moves"]
        self.over.update(message.get("over", []))


class SpectatorReport(NamedTuple):
    """The result of simulated spectators.

    Attributes:
        since: The Unix time from which all follow.
        rate: The messages per second that each received.
        size: The bytes per second that each received.
        longest_gap: The longest time between two messages to one of them, in seconds.
        moves: The moves of finished matches that the first spectator received.
    """

    since: float
    rate: float
    size: float
    longest_gap: float
    moves: dict[int, list[int]]


def run(pipe: Connection, port: int, count: int, compressed: bool = False) -> None:
    """Run simulated spectators in this process; the first one decodes its messages.

    It sends None when all are connected, follows the match that it receives, or the lobby for
    None, and sends a SpectatorReport after the next message.
    """
    os.nice(19)  # real spectators use their own machines, and take no time from the players
    spectators = [SimulatedSpectator(port, compressed) for _ in range(count)]
    selector = selectors.DefaultSelector()
    for spectator in spectators:
        selector.register(spectator.socket, selectors.EVENT_READ, spectator)
    pipe.send(None)
    match = pipe.recv()
    for spectator in spectators:  # one after another, as people would
        spectator.watch(match)
        time.sleep(PAUSE)
    for spectator in spectators:
        spectator.reset()
    begun = time.time()
    while selector.get_map() and not pipe.poll():
        for key, _ in selector.select(0.1):
            try:
                key.data.receive(key.data is spectators[0])
            except (EOFError, ConnectionError):
                selector.unregister(key.fileobj)
    first = spectators[0]
    each = count * (time.time() - begun)
    pipe.send(
        SpectatorReport(
            begun,
            sum(spectator.messages for spectator in spectators) / each,
            sum(spectator.size for spectator in spectators) / each,
            max(spectator.longest_gap for spectator in spectators),
            {match: first.moves[match] for match in first.over & {*first.moves}},
        )
    )
