"""Local pool: processes that are killed, bots that are poison, and drivers that are killed."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import psutil
import pytest

from arena.bulk.batch import Batch, LostBatch, PlayedBatch
from arena.bulk.executor import WorkersFailed
from arena.bulk.job import Job
from arena.bulk.pool import ProcessPool
from arena.bulk.workload import MAX_DEATHS
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.storage.verify import find_differences
from arena.tournament.schedule import Schedule
from tests.support.computing.bulk import (
    PLAN,
    games,
    job_of,
    long_plan,
    make_batch,
    make_job,
    match_processes,
    play_here,
    run_plan,
    stored_games,
)
from tests.support.computing.bulk_bots import Poison, Sleeps, Writes, specification
from tests.support.computing.bulk_run import MATCHES
from tests.support.polling import POLL_INTERVAL, TEST_TIMEOUT, awaited
from tests.support.servers.arena_server import in_event_loop
from tests.support.tournaments.databases import stored_records

ROOT = Path(__file__).parents[3]
KILLS = 20  # of drivers
MATCHES_A_KILL = 10  # of a process in which bots play


def expected_games(plan_matches: int, job: Job) -> dict[int | None, object]:
    """Return the games of the undisturbed run of `long_plan`."""
    schedule = Schedule(long_plan(PLAN, plan_matches), [])
    pairings = tuple(iter(schedule.next_pairing, None))
    return games(play_here(job, Batch(1, pairings)))


@in_event_loop
async def test_batches_are_played_on_all_processes() -> None:
    job = make_job()
    async with ProcessPool(job, 2) as pool:
        assert pool.workers() == 2
        batches = {number: make_batch(number, number) for number in (1, 2, 3)}
        for batch in batches.values():
            pool.submit(batch)
        for _ in batches:
            outcome = await pool.next_outcome()
            assert isinstance(outcome, PlayedBatch)
            assert games(outcome.records) == games(play_here(job, batches[outcome.number]))
        assert len(match_processes()) == 2
    assert not match_processes()


@in_event_loop
async def test_too_many_processes_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of which those that were started end."""
    start, started = threading.Thread.start, count()

    def start_few(thread: threading.Thread) -> None:
        if thread.name.startswith("worker ") and next(started) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_few)
    text = "^cannot start 5 workers: can't start new thread$"
    with pytest.raises(WorkersFailed, match=text):
        await ProcessPool(make_job(), 5).__aenter__()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("worker ")]


async def wait_for_process(other_than: psutil.Process | None = None) -> psutil.Process:
    """Return the process in which bots play, when there is another one than that."""
    async with awaited("a process in which bots play"):
        while not (found := {*match_processes()} - {other_than}):
            await asyncio.sleep(POLL_INTERVAL)
    return found.pop()


@in_event_loop
async def test_a_discarded_batch_has_no_outcome() -> None:
    async with ProcessPool(make_job(Sleeps), 1) as pool:
        for number in (1, 2, 3):
            pool.submit(make_batch(1, number))
        first = await wait_for_process()
        for number in (1, 2):
            pool.discard(number)
        first.kill()
        (await wait_for_process(first)).kill()
        assert (await pool.next_outcome()).number == 3


@in_event_loop
async def test_invalid_records_are_a_lost_batch() -> None:
    async with ProcessPool(make_job("random", Writes), 1) as pool:
        for number in (1, 2):
            pool.submit(make_batch(1, number))
            outcome = await pool.next_outcome()
            assert isinstance(outcome, LostBatch)
            assert (outcome.number, outcome.match) == (number, None)
            assert outcome.cause.startswith("a bot has damaged its results: Expected")


@in_event_loop
async def test_an_unexpected_error_is_raised() -> None:
    setup = {"stones": object()}
    pairing = Pairing(1, ("anna", "bert"), "take_stones", setup)  # type: ignore[arg-type]
    async with ProcessPool(make_job(), 1) as pool:
        pool.submit(Batch(1, (pairing,)))
        with pytest.raises(TypeError, match="object"):
            await pool.next_outcome()


@in_event_loop
async def test_waiting_batches_do_not_delay_the_end() -> None:
    async with ProcessPool(make_job(Sleeps), 1) as pool:
        for number in range(1, 100):
            pool.submit(make_batch(1, number))
        await wait_for_process()
    assert not match_processes()


class Killer(Observer):
    """Observer that kills a process in which bots play, now and then."""

    def __init__(self, matches: Iterator[int]) -> None:
        self.kills = 0
        self._finished = 0
        self._matches = matches
        self._next = next(matches)

    def finished(self, _record: MatchRecord) -> None:
        self._finished += 1
        if self._finished >= self._next and (found := match_processes()):
            found[self.kills % len(found)].kill()
            self.kills += 1
            self._next = next(self._matches)


@in_event_loop
async def test_killed_processes_lose_nothing(db: Path) -> None:
    plan = long_plan(PLAN, MATCHES)
    killer = Killer(iter(range(1, 10000, MATCHES_A_KILL)))
    unplayed, _ = await run_plan(plan, ProcessPool(job_of(plan), 2), db, killer)
    assert not unplayed
    assert killer.kills > MAX_DEATHS  # usually 10 to 17: many matches may arrive at once
    assert stored_games(db) == expected_games(MATCHES, job_of(plan))


@in_event_loop
async def test_poison_is_given_up_and_named(db: Path) -> None:
    bots = {"anna": specification(Poison), "bert": specification(Poison)}
    plan = long_plan(PLAN, 12)
    job = Job(bots, plan.time, plan.seed, job_of(plan).bot_files)
    unplayed, _ = await run_plan(plan, ProcessPool(job, 2), db)
    records = stored_records(db)
    poisoned = {record.pairing.number for record in unplayed}
    assert poisoned == {
        record.pairing.number for record in records if record.pairing.opening[0] == 3
    }
    assert 0 < len(poisoned) < 12
    aborted = [record for record in records if record.result.is_aborted]
    assert len(aborted) == MAX_DEATHS * len(poisoned)
    reason = "a worker ended: its process ended with SIGKILL"
    assert {record.result.reason for record in aborted} == {reason}
    assert {*games(records)} == {*range(1, 13)} - poisoned


def kill_driver(db: Path, random: Random) -> bool:
    """Start the run and kill it at some moment; return whether it has ended before."""
    command = [sys.executable, "-m", "tests.support.computing.bulk_run", str(db)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout
        for _ in range(random.choice([0, 1, 1, 10, 25])):
            process.stdout.readline()
        try:
            process.wait(random.random() * 0.02)
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait(TEST_TIMEOUT) == 0


def test_a_killed_driver_continues_where_it_was(db: Path) -> None:
    random = Random(1)
    for _ in range(KILLS):
        kill_driver(db, random)
    assert subprocess.run(
        [sys.executable, "-m", "tests.support.computing.bulk_run", str(db)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    plan = long_plan(PLAN, MATCHES)
    assert stored_games(db) == expected_games(MATCHES, job_of(plan))
    assert not [*filter(None, map(find_differences, stored_records(db)))]
