"""What each message and request costs and pays at its worst: `python -m bench.arena.prices`.

For each type of message of /watch and /play, and for HTTP requests, a small genetic search looks
for the input that takes the most processor time of the arena's event loop for a unit of its price,
which pays for 0.1 ms. The price is what a connection pays from its budget and, for a request or a
hello, also what a connection beyond the burst of an address costs. The work of the arena's worker
processes, which have the lowest priority, is not counted.
"""

import argparse
import asyncio
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple, get_args

import msgspec

from arena.network.budget import UNIT_SECONDS
from arena.network.listener import HANDSHAKE_UNITS
from arena.protocol.player import FromBot, Hello
from arena.protocol.spectator import FromSpectator, Watch
from bench.arena.prices.hostile import encoded, mutated, random_message, random_request
from bench.arena.prices.metered_arena import Meter, metered_arena
from bench.arena.simulated_bots import PING, PONG, TEXT, frame, open_websocket
from bench.goals import met

GOAL = 1.5  # times the price
COPIES = 8  # of a message at once, as a greedy client sends them
POPULATION = 6  # of the dearest inputs, which are changed
ANSWER_SECONDS = 3.0  # until the answers of a worker are not waited for
HTTP = "HTTP request"
SHOWN = 60  # characters of an input


class Row(NamedTuple):
    """What was found for one type.

    Attributes:
        ratio: Processor time divided by the time that its price pays for.
        seconds: The processor time of one input.
        text: The input.
    """

    ratio: float
    seconds: float
    text: bytes


def message_types() -> dict[str, type[msgspec.Struct]]:
    """Return the types of messages that clients send, by their rows."""
    watched = {f"/watch {kind.__struct_config__.tag}": kind for kind in get_args(FromSpectator)}
    played = {f"/play {kind.__struct_config__.tag}": kind for kind in get_args(FromBot)}
    return watched | played


def main() -> None:
    """Print the table; the exit status is 1 if a type is dearer than the goal."""
    parser = argparse.ArgumentParser(prog="python -m bench.arena.prices", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each row (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the search (default: 1)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        is_met = asyncio.run(_run(Path(folder), chosen.seconds, chosen.seed))
    raise SystemExit(0 if is_met else 1)


async def _run(folder: Path, seconds: float, seed: int) -> bool:
    async with metered_arena(folder) as port:
        return await asyncio.to_thread(_print_table, port, seconds, seed)


def _print_table(port: int, seconds: float, seed: int) -> bool:
    print(
        f"{'type':<26} {'time/price':>10} {'ms':>7} {'bytes':>6}  goal, and the input", flush=True
    )
    is_met, meter = True, Meter()
    for name, kind in [*message_types().items(), (HTTP, None)]:
        row = _worst(Client(port, name, kind, meter), Random(f"{seed} {name}"), seconds)
        is_met &= row.ratio <= GOAL
        text = row.text[:SHOWN].decode(errors="replace")
        print(
            f"{name:<26} {row.ratio:>10.2f} {1000 * row.seconds:>7.3f} {len(row.text):>6}"
            f"  {met(row.ratio <= GOAL)}; {text!a}",
            flush=True,
        )
    return is_met


class Client:
    """Sends inputs of one type, and measures them."""

    def __init__(
        self, port: int, name: str, kind: type[msgspec.Struct] | None, meter: Meter
    ) -> None:
        self.kind = kind
        self._port = port
        self._path = name.split()[0].encode()
        self._meter = meter
        self._is_first = kind in {None, Hello}  # else behind a hello, on an open connection

    def measure(self, text: bytes) -> Row:
        """Return the figures of an input, without the rest of its connection where it has one."""
        seconds, units = self._measure_first(text) if self._is_first else self._measure_next(text)
        return Row(seconds / (units * UNIT_SECONDS), seconds / COPIES, text)

    def _measure_first(self, text: bytes) -> tuple[float, float]:
        """Return the seconds and units of some connections that each begin with an input."""
        seconds, units = self._meter.seconds(), self._meter.units()
        for _ in range(COPIES):
            self._send_alone(text)
        seconds = self._meter.seconds() - seconds
        return seconds, self._meter.units() - units + COPIES * HANDSHAKE_UNITS

    def _measure_next(self, text: bytes) -> tuple[float, float]:
        """Return the seconds and units of some copies of an input on an open connection."""
        with open_websocket(self._port, self._path) as connection:
            connection.settimeout(ANSWER_SECONDS)
            if self._path == b"/play":
                connection.sendall(frame(TEXT, HELLO))
            seconds, units = self._meter.seconds(), self._meter.units()
            with suppress(OSError):
                connection.sendall(frame(TEXT, text) * COPIES)
                self._await_answers(connection)
            return self._meter.seconds() - seconds, self._meter.units() - units

    def _send_alone(self, text: bytes) -> None:
        """Send a request, or a message as the first one of its connection, and read the end."""
        with suppress(OSError):
            if self.kind:
                connection, sent = open_websocket(self._port, self._path), frame(TEXT, text)
            else:
                connection, sent = socket.create_connection(("127.0.0.1", self._port)), text
            with connection:
                connection.settimeout(1.0)
                connection.sendall(sent)
                if self.kind:
                    connection.recv(65536)
                else:
                    while connection.recv(65536):
                        pass

    def _await_answers(self, connection: socket.socket) -> None:
        """Read the answers to questions, or up to the answer to a ping."""
        wanted: Callable[[bytes], int] = _pongs
        if self._path == b"/watch" and self.kind is not Watch:
            wanted = _answers
        connection.sendall(frame(PING, b"?"))
        data, end = b"", time.monotonic() + ANSWER_SECONDS
        while wanted(data) < (1 if wanted is _pongs else COPIES) and time.monotonic() < end:
            received = connection.recv(1 << 20)
            if not received:
                return
            data += received


HELLO = (
    b'{"type":"hello","protocol":1,"name":"c","games":["take_stones"],"casual":true,"matches":8}'
)


def _pongs(data: bytes) -> int:
    return data.count(bytes([0x80 | PONG, 1]) + b"?")


def _answers(data: bytes) -> int:
    """Return the number of answers and errors among bytes."""
    return data.count(b'"request":1,') + data.count(b'"request":1}') + data.count(b'"unreadable"')


def _worst(client: Client, random: Random, seconds: float) -> Row:
    """Search for the dearest input: the best so far are changed, and the better ones kept."""
    found: list[tuple[Row, dict[str, object]]] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end or not found:
        message: dict[str, object] = {}
        if client.kind is None:
            text = random_request(random)
        else:
            if len(found) < POPULATION or random.random() < 0.3:
                message = random_message(random, client.kind)
            else:
                message = mutated(random, random.choice(found)[1], client.kind)
            text = encoded(random, message)
        row = client.measure(text)
        if not found or row.ratio > found[0][0].ratio:  # or another process has slowed it down
            row = min(row, client.measure(text))
        found = sorted([*found, (row, message)], key=lambda each: -each[0].ratio)[:POPULATION]
    return found[0][0]


if __name__ == "__main__":
    main()
