"""Simulated spectators with minimal cost: many in one process, with hand-written frames."""

import os
import selectors
import time
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import msgspec

from bench.arena.simulated_bots import LONG, PING, PONG, SHORT, TEXT, frame, open_websocket

PAUSE = 0.002  # seconds between two spectators


class SimulatedSpectator:
    """A spectator's connection, and the matches that it has received."""

    def __init__(self, port: int) -> None:
        self.socket = open_websocket(port, b"/watch")
        self.messages = 0
        self.moves: dict[int, list[int]] = {}  # of all matches, live or over
        self.over: set[int] = set()
        self._unread = b""

    def watch(self, match: int | None) -> None:
        """Follow a match, or the lobby."""
        self.socket.sendall(frame(TEXT, msgspec.json.encode({"type": "watch", "match": match})))

    def receive(self, decodes: bool) -> None:
        """Receive data, and decode the messages or only count them. Raises EOFError at the end."""
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
                if decodes:
                    self._read(msgspec.json.decode(payload))
            at = start + length
        self._unread = data[at:]

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
        moves: The moves of finished matches that the first spectator received.
    """

    since: float
    rate: float
    moves: dict[int, list[int]]


def run(pipe: Connection, port: int, count: int) -> None:
    """Run simulated spectators in this process; the first one decodes its messages.

    It sends None when all are connected, follows the match that it receives, or the lobby for
    None, and sends a SpectatorReport after the next message.
    """
    os.nice(19)  # real spectators use their own machines, and take no time from the players
    spectators = [SimulatedSpectator(port) for _ in range(count)]
    selector = selectors.DefaultSelector()
    for spectator in spectators:
        selector.register(spectator.socket, selectors.EVENT_READ, spectator)
    pipe.send(None)
    match = pipe.recv()
    for spectator in spectators:  # one after another, as people would
        spectator.watch(match)
        time.sleep(PAUSE)
    begun = time.time()
    while selector.get_map() and not pipe.poll():
        for key, _ in selector.select(0.1):
            try:
                key.data.receive(key.data is spectators[0])
            except (EOFError, ConnectionError):
                selector.unregister(key.fileobj)
    first = spectators[0]
    rate = sum(spectator.messages for spectator in spectators) / count / (time.time() - begun)
    pipe.send(
        SpectatorReport(
            begun, rate, {match: first.moves[match] for match in first.over & {*first.moves}}
        )
    )
