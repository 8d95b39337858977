"""Honest bots that play at full speed beside an attack, and measure the arena by their moves."""

import selectors
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import NamedTuple

import msgspec

from bench.arena.simulated_bots import TEXT, TURN_START, SimulatedBot, fixed_moves

NAMES = ("honest 1", "honest 2", "honest 3", "honest 4")
STONES, SEED = 200, 120  # a line of 72 moves
FINISHED_START = b'{"type":"finished"'
RETRY = 0.2  # seconds between two attempts to reconnect
POLL = 0.05  # seconds between two checks for the end of a measurement


class Measurement(NamedTuple):
    """Measurements of the honest bots in an interval.

    Attributes:
        moves: The number of their moves that were passed on to the opponent.
        seconds: The length of the interval.
        latencies: The seconds from the sending of each move until the opponent had its turn; for
            a move without its turn at the end the seconds until then, if they are a second or more.
        ends: The finished matches by termination; with "lost: " in front if an honest bot lost
            by its clock or its connection.
        disconnections: The number of connections that the arena ended.
    """

    moves: int
    seconds: float
    latencies: list[float]
    ends: Counter[str]
    disconnections: int

    @property
    def rate(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    @property
    def failures(self) -> Counter[str]:
        """The matches that were aborted, or lost without a fault of the honest bot."""
        return Counter(
            {end: n for end, n in self.ends.items() if end.startswith(("aborted", "lost"))}
        )


class Message(msgspec.Struct):
    """The fields of a turn or of the end of a match that an honest bot reads."""

    match: str
    you: int
    ply: int = 0
    opponent: str = ""
    winner: int | None = None
    termination: str = ""


_decoder = msgspec.json.Decoder(Message)


class HonestBots:
    """Four bots in one process, which reconnect when they are disconnected."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._line = fixed_moves(STONES, SEED)
        self._moves = [
            f'{{"type":"move","match":"%s","ply":{ply},"move":{move}}}'
            for ply, move in enumerate(self._line)
        ]
        self._selector = selectors.DefaultSelector()
        self._missing: dict[str, float] = {}  # when to reconnect, by name
        self._sent: dict[tuple[str, int], float] = {}  # when, by match and ply
        self._reset()
        for name in NAMES:
            self._connect(name)

    def _reset(self) -> None:
        self._begun = time.perf_counter()
        self._latencies: list[float] = []
        self._ends: dict[str, str] = {}  # by match
        self._disconnections = 0

    def measure(self, seconds: float) -> Measurement:
        """Play for some seconds and return the measurements."""
        self._reset()
        end = self._begun + seconds
        self.play(lambda: time.perf_counter() >= end)
        now = time.perf_counter()
        waiting = [now - sent for sent in self._sent.values() if now - sent >= 1]
        return Measurement(
            len(self._latencies),
            now - self._begun,
            self._latencies + waiting,
            Counter(self._ends.values()),
            self._disconnections,
        )

    def play(self, until: Callable[[], bool]) -> None:
        """Answer turns until `until`, which is polled, returns true."""
        next_poll = 0.0
        while True:
            for key, _ in self._selector.select(POLL):
                self._receive(*key.data)
            now = time.perf_counter()
            if now >= next_poll:
                next_poll = now + POLL
                for name in [name for name, when in self._missing.items() if now >= when]:
                    self._connect(name)
                if until():
                    return

    def _connect(self, name: str) -> None:
        self._missing.pop(name, None)
        try:
            bot = SimulatedBot(self._port, name, 1)
        except OSError:
            self._missing[name] = time.perf_counter() + RETRY
            return
        self._selector.register(bot.socket, selectors.EVENT_READ, (name, bot))

    def _receive(self, name: str, bot: SimulatedBot) -> None:
        try:
            messages = bot.receive_messages()
            now = time.perf_counter()
            for message in messages:
                if message.startswith(TURN_START):
                    self._move(bot, _decoder.decode(message), now)
                elif message.startswith(FINISHED_START):
                    self._finish(_decoder.decode(message))
        except (EOFError, OSError):
            self._selector.unregister(bot.socket)
            bot.socket.close()
            self._disconnections += 1
            self._missing[name] = time.perf_counter() + RETRY

    def _move(self, bot: SimulatedBot, turn: Message, now: float) -> None:
        if sent := self._sent.pop((turn.match, turn.ply - 1), 0.0):
            self._latencies.append(now - sent)
        if turn.opponent in NAMES:
            self._sent[turn.match, turn.ply] = now
        bot.send(TEXT, (self._moves[turn.ply] % turn.match).encode())

    def _finish(self, end: Message) -> None:
        for key in [key for key in self._sent if key[0] == end.match]:
            del self._sent[key]
        is_lost = end.termination in {"timeout", "disconnect"} and end.winner != end.you
        if is_lost or end.match not in self._ends:  # both players may be honest
            self._ends[end.match] = f"lost: {end.termination}" if is_lost else end.termination


def run(pipe: Connection, port: int) -> None:
    """Run the bots in this process.

    It sends None when all are connected, and a Measurement for each number of seconds that it
    receives; it plays all the time, and exits after None.
    """
    bots = HonestBots(port)
    # The benchmark may have been killed.
    with suppress(EOFError, ConnectionError):
        pipe.send(None)
        bots.play(pipe.poll)
        while (seconds := pipe.recv()) is not None:
            pipe.send(bots.measure(seconds))
            bots.play(pipe.poll)
