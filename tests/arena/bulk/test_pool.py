"""Local pool: processes that are killed, and bots that are poison."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psutil
import pytest

from arena.bulk.batch import Batch, LostBatch, PlayedBatch, WorkersFailed
from arena.bulk.pool import ProcessPool
from arena.bulk.workload import MAX_DEATHS
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.tournament.schedule import Schedule
from tests.support.computing.bulk import (
    PLAN,
    games,
    long_plan,
    make_batch,
    make_job,
    match_processes,
    play_here,
    run_plan,
    stored_games,
)
from tests.support.computing.bulk_bots import First, Poison, Sleeps, Writes
from tests.support.polling import POLL_INTERVAL, awaited
from tests.support.tournaments.databases import stored_records

MATCHES = 20
MATCHES_A_KILL = 3  # of a process in which bots play


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
            played = outcome.matches.records()
            assert games(played) == games(play_here(job, batches[outcome.number]))
        assert len(match_processes()) == 2
    assert not match_processes()


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


async def test_invalid_records_are_a_lost_batch() -> None:
    async with ProcessPool(make_job("random", Writes), 1) as pool:
        for number in (1, 2):
            pool.submit(make_batch(1, number))
            outcome = await pool.next_outcome()
            assert isinstance(outcome, LostBatch)
            assert (outcome.number, outcome.match) == (number, None)
            assert outcome.cause.startswith("a bot has damaged its results: Expected")


async def test_an_unexpected_error_is_raised() -> None:
    setup = {"stones": object()}
    pairing = Pairing(1, ("anna", "bert"), "take_stones", setup)  # type: ignore[arg-type]
    async with ProcessPool(make_job(), 1) as pool:
        pool.submit(Batch(1, (pairing,)))
        with pytest.raises(TypeError, match="object"):
            await pool.next_outcome()


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


@pytest.mark.slow
async def test_killed_processes_and_poison_cost_no_other_match(db: Path) -> None:
    plan = long_plan(PLAN, MATCHES)
    killer = Killer(iter(range(1, 1000, MATCHES_A_KILL)))
    job, harmless = (make_job(bot, bot) for bot in (Poison, First))
    unplayed, _ = await run_plan(plan, ProcessPool(job, 2), db, killer)
    assert killer.kills
    pairings = tuple(iter(Schedule(plan, []).next_pairing, None))
    undisturbed = games(play_here(harmless, Batch(1, pairings)))
    poisoned = {pairing.number for pairing in pairings if pairing.opening[0] == 3}
    assert 0 < len(poisoned) < MATCHES
    assert {record.pairing.number for record in unplayed} == poisoned
    assert stored_games(db) == {
        number: game for number, game in undisturbed.items() if number not in poisoned
    }
    aborted = [record for record in stored_records(db) if record.result.is_aborted]
    assert Counter(record.pairing.number for record in aborted) == dict.fromkeys(
        poisoned, MAX_DEATHS
    )
    reason = "a worker ended: its process ended with SIGKILL"
    assert {record.result.reason for record in aborted} == {reason}
