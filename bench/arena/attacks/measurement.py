"""Measurement of one attack: honest bots before, beside and after it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import NamedTuple

from arena.model.results import MatchRecord, MatchResult, Pairing, Termination
from arena.processors import processors_apart
from arena.spectators.workers.process import IDLE_SECONDS
from arena.storage.writer import create_database
from bench.arena.attacks import attacker, honest_bots, questions
from bench.arena.attacks.arena_command import ArenaCommand, peak_memory, pinned
from bench.arena.attacks.attacker import Attack, Report
from bench.arena.attacks.honest_bots import Measurement
from bench.arena.attacks.questions import Answers
from bench.arena.load import ChildProcess, run_process
from bench.arena.simulated_bots import GAME

RAMP = 1.0  # seconds in which the attackers connect, before the measurement
SETTLE = 2.0  # seconds after the attack, after which the memory is read
# Seconds in which the memory can come back after that: worker processes end when they are idle.
PATIENCE = IDLE_SECONDS + 10.0
SHORTEST = 2.0  # seconds of a measurement for the percentiles to mean something

NOTHING = "nothing"
NEIGHBOUR = "busy-core"  # an attack that does nothing to the arena
GOAL_RATIO = 0.8  # of the moves a second beside NEIGHBOUR, which has the cores of the attackers
GOAL_LATENCY = 2.0, 0.005  # times the 99th percentile of the base, plus seconds
# Times the memory before, plus MiB that the allocator keeps for the next connections. The long run
# shows that it does not keep more and more.
GOAL_MEMORY = 1.1, 16.0
GOAL_ANSWER = 5.0  # seconds until an honest question is answered

HISTORY = 500, 100_000  # names and matches of the large database


class Cores(NamedTuple):
    """The cores of the arena, of the honest bots, and of the attackers."""

    arena: int
    bots: set[int]
    attackers: set[int]

    @classmethod
    def of_this_machine(cls) -> "Cores":
        """Return separate cores; with two, the attackers use the rest of the honest bots' core."""
        cores = processors_apart()
        if len(cores) < 2:
            raise SystemExit("this benchmark needs two cores: one for the arena, one for clients")
        return cls(cores[0], {cores[1]}, {*cores[2:3]} or {cores[1]})


class Row(NamedTuple):
    """The figures of an attack.

    Attributes:
        attack: The attack.
        base: The honest bots before it.
        busy: The honest bots beside a neighbour that keeps the cores of the attackers busy.
        attacked: The honest bots beside it.
        after: The honest bots after it.
        costs: The arena's processor time for each move of `base`, `busy` and `attacked`, in
            microseconds.
        memory: The memory of the arena before it, its peak, and after it, in MiB.
        report: The ends of the attacker's connections.
        answers: The seconds until honest questions were answered.
    """

    attack: Attack
    base: Measurement
    busy: Measurement
    attacked: Measurement
    after: Measurement
    costs: tuple[float, float, float]
    memory: tuple[float, float, float]
    report: Report
    answers: Answers

    @property
    def ratio(self) -> float:
        """The moves a second beside the attack, divided by those before it."""
        return self.attacked.rate / self.base.rate if self.base.rate else 0.0

    @property
    def ratio_of_busy(self) -> float:
        """The moves a second beside the attack, divided by those beside a busy neighbour."""
        return self.attacked.rate / self.busy.rate if self.busy.rate else 0.0

    @property
    def is_answered(self) -> bool:
        """Whether the attacker's connections were closed, refused or throttled, if necessary."""
        ends = self.report.ends
        were_closed = ends.total() - ends["done"] >= self.attack.connections
        return self.attack.may_stay or were_closed or not self.report.open

    def missed(self) -> list[str]:
        """Return the names of the goals that were missed."""
        times, seconds = GOAL_LATENCY
        before, _, after = self.memory
        answer = getattr(self.answers, self.attack.probed, 0.0)
        goals = {
            "rate": self.ratio_of_busy >= GOAL_RATIO,
            "p99": percentile(self.attacked, 99) <= times * percentile(self.base, 99) + seconds,
            "lost": not self.attacked.failures and not self.attacked.disconnections,
            "memory": is_back(before, after),
            "attackers": self.is_answered,
            "answer": answer is not None and answer <= GOAL_ANSWER,
        }
        return [name for name, is_met in goals.items() if not is_met]


def is_back(before: float, after: float) -> bool:
    """Return whether the memory is as before, apart from noise; in MiB."""
    factor, kept = GOAL_MEMORY
    return after <= factor * before + kept


def percentile(measured: Measurement, percent: int) -> float:
    """Return a percentile of the latencies, in seconds; infinite if there are too few."""
    if len(measured.latencies) < 2:
        return float("inf")
    return quantiles(measured.latencies, n=100, method="inclusive")[percent - 1]


def measure(
    arena: ArenaCommand,
    bots: ChildProcess,
    cores: Cores,
    attack: Attack,
    seconds: float,
    patience: float = PATIENCE,
) -> Row:
    """Measure one attack on a running arena.

    Args:
        arena: The arena.
        bots: The process of the honest bots.
        cores: The cores to run attackers on.
        attack: The attack.
        seconds: The length of each measurement.
        patience: The seconds in which the memory can come back.
    """
    length = max(seconds, attack.seconds)
    before_length = length if attack.accompaniment else seconds
    with _attackers(arena, cores, NOTHING, attack.name):
        base, base_cost = _measured_with_cost(arena, bots, before_length)
    with _attackers(arena, cores, NEIGHBOUR, attack.name):
        busy, busy_cost = _measured_with_cost(arena, bots, before_length)
    before = arena.memory
    with peak_memory(arena) as peak, _attackers(arena, cores, attack.name, attack.name) as reports:
        time.sleep(RAMP)
        asking = threading.Thread(target=lambda: found.append(questions.ask(arena.port, length)))
        found: list[Answers] = []
        asking.start()
        attacked, attacked_cost = _measured_with_cost(arena, bots, length)
        asking.join()
    after = _measured(bots, SETTLE)
    end = time.monotonic() + patience
    while not is_back(before, arena.memory) and time.monotonic() < end:
        _measured(bots, 1.0)
    memory = before, peak[0], arena.memory
    costs = base_cost, busy_cost, attacked_cost
    return Row(attack, base, busy, attacked, after, costs, memory, reports[0], found[0])


@contextmanager
def honest_play(arena: ArenaCommand, cores: Cores) -> Iterator[ChildProcess]:
    """Run the honest bots, and warm the arena up."""
    with pinned(cores.bots), run_process(honest_bots.run, arena.port) as bots:
        bots.pipe.recv()
        questions.ask(arena.port, GOAL_ANSWER)  # starts the house bot and the arena's threads
        _measured(bots, SHORTEST)
        yield bots
        bots.pipe.send(None)


@contextmanager
def _attackers(
    arena: ArenaCommand, cores: Cores, name: str, accompanied: str
) -> Iterator[list[Report]]:
    """Attack; yield a list that gets the report at the end."""
    reports: list[Report] = []
    with (
        pinned(cores.attackers),
        run_process(attacker.run, arena.port, name, accompanied) as child,
    ):
        child.pipe.recv()
        with pinned(cores.bots):
            yield reports
        child.pipe.send(None)
        reports.append(child.pipe.recv())


def _measured_with_cost(
    arena: ArenaCommand, bots: ChildProcess, seconds: float
) -> tuple[Measurement, float]:
    """Return a measurement, and the arena's processor time for each move, in microseconds."""
    start = arena.cpu
    measured = _measured(bots, seconds)
    return measured, 1e6 * (arena.cpu - start) / max(1, measured.moves)


def _measured(bots: ChildProcess, seconds: float) -> Measurement:
    bots.pipe.send(seconds)
    measured: Measurement = bots.pipe.recv()
    return measured


def create_history(path: Path) -> None:
    """Create a database with many names and matches."""
    names, matches = HISTORY
    random = Random(1)
    with create_database(path) as database:
        for match in range(1, matches + 1):
            one, two = random.sample(range(names), 2)
            pairing = Pairing(None, (f"bot {one}", f"bot {two}"), GAME, {"stones": 7}, ())
            winner = 1 if random.random() * (one + two) < two else 2
            result = MatchResult(Termination.RESIGNATION, winner, "resigned")
            database.add(MatchRecord(match, pairing, "5", float(match), match + 1.0, result, ()))
