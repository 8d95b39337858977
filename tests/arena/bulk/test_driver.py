"""Driver: what it stores and announces, whatever its executor loses."""

import asyncio
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bulk.batch import Batch, LostBatch, PlayedBatch, WorkersFailed
from arena.bulk.match_player import play_match
from arena.bulk.workload import MAX_DEATHS, MAX_IDLE_DEATHS, WINDOW
from arena.model.observer import Observer, WorkersStatus
from arena.model.results import MatchRecord, Pairing
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.computing.bulk import (
    PLAN,
    Fate,
    SimulatedExecutor,
    job_of,
    long_plan,
    run_plan,
    stored_games,
)
from tests.support.tournaments.databases import run_script, stored_records
from tests.support.tournaments.observers import EventRecorder
from tests.support.tournaments.plans import plans


class Recorder(EventRecorder):
    """Observer that records events, in whose order a database is read."""

    def __init__(self) -> None:
        super().__init__()
        self.statuses: list[WorkersStatus] = []

    def scheduled(self, pairing: Pairing) -> None:
        self.lines.append(("scheduled", pairing))

    def computing(self, status: WorkersStatus) -> None:
        self.statuses.append(status)


def die(batch: Batch, match: int | None, is_worker: bool = True) -> LostBatch:
    return LostBatch(batch.number, "lost", match, is_worker)


def poison(*numbers: int, is_known: bool = True) -> Fate:
    """Return the fate of batches with poisoned matches."""

    def fate(batch: Batch) -> LostBatch | None:
        for pairing in batch.pairings:
            if pairing.number in numbers:
                return die(batch, pairing.number if is_known else None)
        return None

    return fate


# Runs


async def test_events_follow_the_store(db: Path) -> None:
    recorder = Recorder()
    plan = long_plan(matches=2)
    unplayed, driver = await run_plan(plan, SimulatedExecutor(job_of(plan), 1), db, recorder)
    assert (unplayed, driver.overplay) == ([], 0)
    one, two = stored_records(db)
    assert recorder.lines[:2] == [("scheduled", one.pairing), ("scheduled", two.pairing)]
    expected: list[tuple[Any, ...]] = []
    for record in (one, two):
        expected.append(("started", record.id, record.pairing))
        expected += [("moved", record.id, move) for move in record.moves]
        expected.append(("finished", record))
    assert recorder.lines[2:] == expected
    assert recorder.statuses[-1] == replace(recorder.statuses[-1], workers=1, in_flight=0, lost=0)


async def test_few_pairings_are_divided_among_the_workers(db: Path) -> None:
    plan = long_plan(replace(PLAN, format="swiss", bots=dict.fromkeys("abcdefgh", "random")))
    plan = replace(plan, rounds=3, pairs=2)
    executor = SimulatedExecutor(job_of(plan), 4)
    await run_plan(plan, executor, db)
    assert len(stored_games(db)) == 3 * 4 * 4
    assert max(len(batch.pairings) for batch in executor.submitted) <= 4


async def test_batches_grow(db: Path) -> None:
    plan = long_plan(matches=300)
    executor = SimulatedExecutor(job_of(plan), 2)
    await run_plan(plan, executor, db)
    sizes = [len(batch.pairings) for batch in executor.submitted]
    assert sizes[:6] == [1] * 6
    assert max(sizes) > 10


@pytest.mark.parametrize("workers", [0, 1, 2])
async def test_a_few_batches_wait_for_each_worker(db: Path, workers: int) -> None:
    waiting = []

    def choose(last: int) -> int:
        waiting.append(last + 1)
        return 0

    plan = long_plan(matches=20)
    await run_plan(plan, SimulatedExecutor(job_of(plan), workers, choose=choose), db)
    assert waiting[0] == max(waiting) == WINDOW * max(1, workers)


# Sequential tests


@pytest.mark.parametrize("workers", [1, 4, 20])
async def test_a_decided_test_ends_the_run(db: Path, workers: int) -> None:
    bots = {"anna": "perfect", "bert": "random"}
    plan = long_plan(replace(PLAN, bots=bots, sprt="elo0=0 elo1=100"), 10_000)
    executor = SimulatedExecutor(job_of(plan), workers)
    unplayed, driver = await run_plan(plan, executor, db)
    with DatabaseReader(db) as records:
        finished = {number for number, _, _ in records.results()}
    assert not unplayed
    assert driver._schedule.is_decided
    decided_at = driver._schedule.test and driver._schedule.test.decided_at
    assert decided_at
    assert finished >= {*range(1, 2 * decided_at + 1)}
    assert driver.overplay == len(finished) - 2 * decided_at <= 3 * workers
    submitted = sum(len(batch.pairings) for batch in executor.submitted)
    assert submitted <= 2 * decided_at + 3 * workers


async def test_a_test_ends_without_a_decision_if_it_lacks_a_match(db: Path) -> None:
    """Its pairs are counted in their order; the rest would be played for nothing."""
    bots = {"anna": "perfect", "bert": "random"}
    plan = long_plan(replace(PLAN, bots=bots, sprt="elo0=0 elo1=100"), 10_000)
    unplayed, driver = await run_plan(plan, SimulatedExecutor(job_of(plan), 2, poison(3)), db)
    assert {record.pairing.number for record in unplayed} == {3}
    assert not driver._schedule.is_decided
    assert len(stored_games(db)) < 9000


# Losses


@given(st.data())
@settings(max_examples=25)
def test_every_match_is_played_once(data: st.DataObject) -> None:
    plan = data.draw(plans())
    plan = replace(plan, time="1000", bots=dict.fromkeys(plan.bots, "random"), sprt=None)
    losses = data.draw(st.lists(st.sampled_from([None, 0, 1, 2, "connection", "unknown"])))
    choices = data.draw(st.lists(st.integers(0, 20)))

    def fate(batch: Batch) -> LostBatch | None:
        match losses.pop() if losses else None:
            case None:
                return None
            case 0:
                return die(batch, 0)
            case "connection":
                return die(batch, None, is_worker=False)
            case "unknown" if len(batch.pairings) > 1:
                return die(batch, None)
            case int(place) if len(batch.pairings) > 1:
                return die(batch, batch.pairings[place % len(batch.pairings)].number)
        return None

    def choose(highest: int) -> int:
        return min(choices.pop() if choices else 0, highest)

    async def run(folder: str) -> None:
        undisturbed, disturbed = Path(folder, "1.db"), Path(folder, "2.db")
        await run_plan(plan, SimulatedExecutor(job_of(plan), 1), undisturbed)
        workers = data.draw(st.integers(1, 3))
        executor = SimulatedExecutor(job_of(plan), workers, fate, choose)
        unplayed, _ = await run_plan(plan, executor, disturbed)
        assert not unplayed
        assert stored_games(disturbed) == stored_games(undisturbed)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(folder))


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_poisoned_match_is_given_up(db: Path, is_known: bool) -> None:
    plan = long_plan(matches=100)
    executor = SimulatedExecutor(job_of(plan), 2, poison(50, 77, is_known=is_known))
    recorder = Recorder()
    unplayed, _ = await run_plan(plan, executor, db, recorder)
    assert {record.pairing.number for record in unplayed} == {50, 77}
    assert {*stored_games(db)} == {*range(1, 101)} - {50, 77}
    aborted = [record for record in stored_records(db) if record.result.is_aborted]
    assert Counter(record.pairing.number for record in aborted) == {50: MAX_DEATHS, 77: MAX_DEATHS}
    assert {record.result.reason for record in aborted} == {"a worker ended: lost"}
    assert all(record in aborted for record in unplayed)
    scheduled = Counter(line[1].number for line in recorder.lines if line[0] == "scheduled")
    assert scheduled == Counter(range(1, 101))
    assert recorder.statuses[-1].lost >= 2 * MAX_DEATHS
    assert recorder.statuses[-1].replayed >= 2 * (MAX_DEATHS - 1)
    suspects = [batch.pairings for batch in executor.submitted if batch.is_suspect]
    attempts = Counter(pairing.number for (pairing,) in suspects)
    assert attempts == {50: MAX_DEATHS - 1, 77: MAX_DEATHS - 1}


async def test_lost_connections_are_blamed_on_no_match(db: Path) -> None:
    plan = long_plan(matches=4)
    losses = iter(range(8 * MAX_DEATHS))

    def fate(batch: Batch) -> LostBatch | None:
        return None if next(losses, None) is None else die(batch, None, is_worker=False)

    unplayed, _ = await run_plan(plan, SimulatedExecutor(job_of(plan), 1, fate), db)
    assert not unplayed
    assert {*stored_games(db)} == {1, 2, 3, 4}


async def test_workers_that_always_die_are_an_error(db: Path) -> None:
    plan = long_plan(matches=10)
    executor = SimulatedExecutor(job_of(plan), 2, lambda batch: die(batch, 0))
    text = f"{MAX_IDLE_DEATHS} workers in a row ended before they could play, the last one: lost"
    with pytest.raises(WorkersFailed, match=text):
        await run_plan(plan, executor, db)


async def test_matches_a_game_aborts_are_retried(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(long_plan(matches=4), setups=({"stones": 9},))
    failures = {2: 3, 3: 4}  # attempts by number

    def play(pairing: Pairing, **arguments: Any) -> MatchRecord:
        if failures.get(pairing.number or 0, 0):
            failures[pairing.number or 0] -= 1
            failed = play_match(replace(pairing, setup={"stones": -1}, opening=()), **arguments)
            return replace(failed, pairing=pairing)
        return play_match(pairing, **arguments)

    monkeypatch.setattr("tests.support.computing.bulk.play_match", play)
    unplayed, _ = await run_plan(plan, SimulatedExecutor(job_of(plan), 1), db)
    assert [record.pairing.number for record in unplayed] == [3]
    assert {*stored_games(db)} == {1, 2, 4}


# Failures of the driver


class FullDisk(Observer):
    """Observer that fails."""

    def finished(self, _record: MatchRecord) -> None:
        raise OSError("no space left")


class Broken(SimulatedExecutor):
    """Executor that fails."""

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        raise WorkersFailed("there is no cluster")


@pytest.mark.parametrize(
    ("executor", "observer", "tables", "error"),
    [
        (SimulatedExecutor, FullDisk(), "", OSError("no space left")),
        (Broken, Observer(), "", WorkersFailed("there is no cluster")),
        (
            SimulatedExecutor,
            Observer(),
            "INSERT INTO moves"
            " SELECT 1, value, 0, 0, 0, 0, 0 FROM json_each('[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]')",
            DatabaseError("UNIQUE constraint failed: moves"),
        ),
    ],
    ids=["observer", "executor", "database"],
)
async def test_an_error_ends_the_run(
    db: Path, executor: type[SimulatedExecutor], observer: Observer, tables: str, error: Exception
) -> None:
    with DatabaseWriter(db):
        pass
    run_script(db, tables)
    plan = long_plan(matches=10)
    with pytest.raises(type(error), match=str(error)):
        await run_plan(plan, executor(job_of(plan), 1), db, observer)


class Cancelling(SimulatedExecutor):
    """Executor that cancels the run after ten outcomes, which the driver has not handled yet."""

    outcomes = 0

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        outcome = await super().next_outcome()
        self.outcomes += 1
        if self.outcomes == 10:
            self.run.cancel()
        return outcome

    run: asyncio.Task[Any]


async def test_cancelled_runs_store_what_has_arrived_and_the_next_plays_the_rest(db: Path) -> None:
    plan = long_plan(matches=1000)
    executor = Cancelling(job_of(plan), 4)
    executor.run = asyncio.create_task(run_plan(plan, executor, db))
    with pytest.raises(asyncio.CancelledError):
        await executor.run
    stored = len(stored_games(db))
    assert stored >= 10
    rest = SimulatedExecutor(job_of(plan), 1)
    await run_plan(plan, rest, db)
    assert {*stored_games(db)} == {*range(1, 1001)}
    assert sum(len(batch.pairings) for batch in rest.submitted) == 1000 - stored


async def test_the_outcome_of_a_discarded_batch_is_ignored(db: Path) -> None:
    plan, recorder = long_plan(matches=2), Recorder()
    _, driver = await run_plan(plan, SimulatedExecutor(job_of(plan), 1), db, recorder)
    driver._handle(LostBatch(1000, "too late", 0))
    driver._handle(None)
    assert recorder.statuses[-1].lost == 0
