"""Bulk play in tests: jobs, batches, runs, and an executor that loses batches as told."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from mmap import mmap
from pathlib import Path
from typing import Self

import psutil

from arena.bulk.batch import Batch, Executor, LostBatch, PlayedBatch, decode_records, encode_records
from arena.bulk.driver import Driver
from arena.bulk.job import Job
from arena.bulk.match_player import play_match
from arena.bulk.match_process import PROGRAM
from arena.bulk.players import Players
from arena.bulk.turn_watch import SIZE, TurnWatch
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from tests.support.computing.bulk_bots import FOLDER, specification

TIME = "1000"
PLAN = Plan("take_stones", {"anna": "random", "bert": "random"}, ({"stones": 9},), TIME, 1)


def make_job(one: str | type = "random", two: str | type = "random", time: str = TIME) -> Job:
    """Return a job of two bots, anna and bert; a bot of `bulk_bots` is given by its class."""
    one, two = (bot if isinstance(bot, str) else specification(bot) for bot in (one, two))
    return Job({"anna": one, "bert": two}, time, 1, FOLDER)


def make_batch(matches: int = 1, number: int = 1, stones: int = 20) -> Batch:
    """Return a batch of the matches from 1 on, in which both bots begin in turn."""
    return Batch(
        number,
        tuple(
            Pairing(
                match,
                ("anna", "bert") if match % 2 else ("bert", "anna"),
                "take_stones",
                {"stones": stones},
            )
            for match in range(1, matches + 1)
        ),
    )


def play_here(job: Job, batch: Batch, watch: TurnWatch | None = None) -> list[MatchRecord]:
    """Play a batch in the process of the test."""
    watch = watch or TurnWatch(mmap(-1, SIZE))
    play = partial(play_match, time_control=job.time, create=Players(job).create, watch=watch)
    return [play(pairing) for pairing in batch.pairings]


Fate = Callable[[Batch], LostBatch | None]
"""Decides how a batch is lost, None to play it."""


class SimulatedExecutor:
    """Executor that plays in the process of the test, in any order, and loses batches as told."""

    def __init__(
        self,
        job: Job,
        size: int,
        fate: Fate = lambda _: None,
        choose: Callable[[int], int] = lambda _: 0,
    ) -> None:
        """Start without batches.

        Args:
            job: The job.
            size: The number of workers.
            fate: Decides whether a batch is lost.
            choose: Chooses the batch to end, from the highest index of a waiting one.
        """
        self._job = job
        self._size = size
        self._fate = fate
        self._choose = choose
        self._batches: list[Batch] = []
        self._has_batch = asyncio.Event()
        self.submitted: list[Batch] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def workers(self) -> int:
        return self._size

    def submit(self, batch: Batch) -> None:
        self.submitted.append(batch)
        self._batches.append(batch)
        self._has_batch.set()

    def discard(self, number: int) -> None:
        self._batches = [batch for batch in self._batches if batch.number != number]

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        while not self._batches:
            self._has_batch.clear()
            await self._has_batch.wait()
        batch = self._batches.pop(self._choose(len(self._batches) - 1))
        lost = self._fate(batch)
        return lost or decode_records(
            batch, self._job.time, encode_records(play_here(self._job, batch), 0.01)
        )


async def run_plan(
    plan: Plan, executor: Executor, db: Path, observer: Observer | None = None
) -> tuple[list[MatchRecord], Driver]:
    """Play the rest of a plan; return the matches that could not be played, and the driver."""
    with DatabaseWriter(db) as writer, DatabaseReader(db) as records:
        schedule = Schedule(plan, records.results())
        async with executor:
            driver = Driver(schedule, executor, writer, observer or Observer(), plan.time)
            return await driver.play(), driver


def match_processes(of: int | None = None) -> list[psutil.Process]:
    """Return the processes in which bots play, of this process or of another one."""
    found = []
    for child in psutil.Process(of).children():
        with suppress(psutil.NoSuchProcess):  # it has just ended
            if PROGRAM in child.cmdline():
                found.append(child)
    return found


def job_of(plan: Plan) -> Job:
    """Return the job of a plan."""
    return Job(plan.bots, plan.time, plan.seed, FOLDER)


def games(records: Sequence[MatchRecord]) -> dict[int | None, object]:
    """Return the finished matches by number, without their ids and times."""
    found = [record for record in records if not record.result.is_aborted]
    by_number = {record.pairing.number: _game(record) for record in found}
    assert len(by_number) == len(found), "a match is stored twice"
    return by_number


def _game(record: MatchRecord) -> object:
    return record.pairing, record.result, [move.move for move in record.moves]


def stored_games(db: Path) -> dict[int | None, object]:
    """Return the finished matches in a database by number, without their ids and times."""
    with DatabaseReader(db) as records:
        return games([*records.matches(moves=True)])


def long_plan(plan: Plan = PLAN, matches: int = 100) -> Plan:
    """Return a round robin of two bots with this number of matches."""
    return replace(plan, rounds=matches // 2, opening_plies=2)
