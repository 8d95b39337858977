"""Process of an attacker: many connections that repeat a script and reconnect.

A script is a coroutine function that gets a Client. It ends when the arena closes the connection
(ConnectionError), or by itself; then it is run again on a new connection, as an attacker would.
"""

import asyncio
import itertools
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import NamedTuple

from bench.arena.attacks.client import Client, Refused

MODULES = ("handshakes", "http", "play", "players", "watch")

Script = Callable[[Client], Awaitable[object]]


@dataclass(frozen=True)
class Attack:
    """An attack: a script, and how many connections run it.

    Attributes:
        name: The name for `--only`.
        script: The actions of each connection.
        connections: The number of connections.
        addresses: The number of addresses that they come from.
        seconds: The shortest time that shows the arena's answer, such as a timeout.
        accompaniment: A script that runs on one connection, also without the attack.
        may_stay: Whether open connections are in order: of spectators, or of pairs of players.
        needs_history: Whether the arena has a large database.
        probed: The question of honest people that must be answered in time: "viewer" or "visitor".
    """

    name: str
    script: Script
    connections: int = 50
    addresses: int = 1
    seconds: float = 0.0
    accompaniment: Script | None = None
    may_stay: bool = False
    needs_history: bool = False
    probed: str = ""


ATTACKS: dict[str, Attack] = {}


def attack(
    connections: int = 50,
    *,
    addresses: int = 1,
    seconds: float = 0.0,
    accompaniment: Script | None = None,
    may_stay: bool = False,
    needs_history: bool = False,
    probed: str = "",
) -> Callable[[Script], Script]:
    """Return a decorator that makes a script an attack, named like the function."""

    def add(script: Script) -> Script:
        name = script.__name__.replace("_", "-")
        ATTACKS[name] = Attack(
            name,
            script,
            connections,
            addresses,
            seconds,
            accompaniment,
            may_stay,
            needs_history,
            probed,
        )
        return script

    return add


def load_attacks() -> dict[str, Attack]:
    """Return all attacks by name."""
    for module in MODULES:
        import_module(f"bench.arena.attacks.{module}")
    return ATTACKS


class Report(NamedTuple):
    """Ends of an attacker's connections.

    Attributes:
        ends: The ended connections, by status, close code or another word.
        open: The connections that have been open for a while, and that the arena reads.
        stalled: The open connections that wait for the arena.
        sent: The bytes sent a second.
        rate: The ended connections a second.
    """

    ends: Counter[str]
    open: int
    stalled: int
    sent: float
    rate: float


class Attacker:
    """All connections of an attack."""

    def __init__(self, port: int, script: Script, connections: int, addresses: int) -> None:
        self._port = port
        self._script = script
        self._addresses = addresses
        self._clients: set[Client] = set()
        self._numbers = itertools.count()
        self._ends: Counter[str] = Counter()
        self._sent = 0
        self._begun = time.monotonic()
        self._tasks = [asyncio.create_task(self._repeat()) for _ in range(connections)]

    async def _repeat(self) -> None:
        while True:
            client = Client(self._port, next(self._numbers), self._addresses)
            self._clients.add(client)
            try:
                result = await self._script(client)
                end = str(result or "done")
            except Refused as refusal:
                end = str(refusal.status)
            except OSError:
                end = str(client.close_code or "reset")
            finally:
                client.abort()
                self._clients.discard(client)
                self._sent += client.sent
            self._ends[end] += 1
            await asyncio.sleep(0)

    async def stop(self) -> Report:
        """End all connections."""
        seconds = time.monotonic() - self._begun
        ends, stalled = self._ends.copy(), sum(client.is_stalled for client in self._clients)
        sent = self._sent + sum(client.sent for client in self._clients)
        remaining = sum(client.is_lasting for client in self._clients)
        for task in self._tasks:
            task.cancel()
        results = await asyncio.gather(*self._tasks, return_exceptions=True)
        for result in results:
            if not isinstance(result, asyncio.CancelledError):
                raise RuntimeError("a script failed") from result
        return Report(ends, remaining, stalled, sent / seconds, ends.total() / seconds)


def run(pipe: Connection, port: int, name: str, accompanied: str) -> None:
    """Attack from this process: it sends None when ready, and a Report after a message.

    Args:
        pipe: The connection to the benchmark.
        port: The port of the arena.
        name: The name of the attack.
        accompanied: The name of the attack with the accompaniment.
    """
    # The attacker shares its core with the honest bots, and gets only the time that they leave.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    attacks = load_attacks()
    # The benchmark may have been killed; then there is nobody to report to.
    with suppress(ConnectionError):
        asyncio.run(_attack(pipe, port, attacks[name], attacks[accompanied].accompaniment))


async def _attack(
    pipe: Connection, port: int, chosen: Attack, accompaniment: Script | None
) -> None:
    attackers = []
    if accompaniment:
        attackers.append(Attacker(port, accompaniment, 1, 1))
    attackers.append(Attacker(port, chosen.script, chosen.connections, chosen.addresses))
    pipe.send(None)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_reader(pipe.fileno(), stop.set)
    await stop.wait()
    reports = [await attacker.stop() for attacker in attackers]
    pipe.send(reports[-1])
