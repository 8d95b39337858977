"""Viewers that cost next to nothing: many in one process, over sockets, with WebSockets by hand."""

import os
import selectors
import time
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import msgspec

from bench.arena.simulated_bots import LONG, PING, PONG, SHORT, TEXT, connected, frame

PAUSE = 0.002  # seconds between two viewers


class Onlooker:
    """One viewer's connection, and what it has been told."""

    def __init__(self, port: int) -> None:
        self.socket = connected(port, b"/watch")
        self.messages = 0
        self.moves: dict[int, list[int]] = {}  # of all matches, whether they go on or not
        self.over: set[int] = set()
        self._unread = b""

    def watch(self, match: int | None) -> None:
        """Follow a match, or the lobby."""
        self.socket.sendall(frame(TEXT, msgspec.json.encode({"type": "watch", "match": match})))

    def receive(self, is_read: bool) -> None:
        """Take what has come, and read it or only count it. Raises EOFError at the end."""
        chunk = self.socket.recv(1 << 20)
        if not chunk:
            raise EOFError
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
                self.messages += 1
                if is_read:
                    self._read(msgspec.json.decode(payload))
            at = start + length
        self._unread = data[at:]

    def _read(self, message: dict[str, Any]) -> None:
        told = message.get("moves", [])
        for moves in [told] if isinstance(told, dict) else told:
            self.moves.setdefault(moves["match"], [])[moves["ply"] :] = moves["moves"]
        self.over.update(message.get("over", []))


class Seen(NamedTuple):
    """Since when all have watched (Unix time), and how many messages each was told a second.

    `moves` are those that the first one knows of matches that are over.
    """

    since: float
    rate: float
    moves: dict[int, list[int]]


def run(pipe: Connection, port: int, count: int) -> None:
    """The process of so many viewers, of which the first one reads what it is told.

    It says when all are there, follows the match that it is told, or the lobby for None, and when
    it is told to end says what it has seen.
    """
    os.nice(19)  # viewers have machines of their own: these shall not take that of the players
    viewers = [Onlooker(port) for _ in range(count)]
    selector = selectors.DefaultSelector()
    for viewer in viewers:
        selector.register(viewer.socket, selectors.EVENT_READ, viewer)
    pipe.send(None)
    match = pipe.recv()
    for viewer in viewers:  # one after another: people do not come within the same millisecond
        viewer.watch(match)
        time.sleep(PAUSE)
    begun = time.time()
    while selector.get_map() and not pipe.poll():
        for key, _ in selector.select(0.1):
            try:
                key.data.receive(key.data is viewers[0])
            except (EOFError, ConnectionError):
                selector.unregister(key.fileobj)
    first = viewers[0]
    rate = sum(viewer.messages for viewer in viewers) / count / (time.time() - begun)
    pipe.send(
        Seen(begun, rate, {match: first.moves[match] for match in first.over & {*first.moves}})
    )
