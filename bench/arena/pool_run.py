"""Runs of matches in process, as `arena tournament --workers` plays them, without the page."""

import asyncio
import time
from pathlib import Path

from arena.bulk.driver import Driver
from arena.bulk.job import Job
from arena.bulk.pool import ProcessPool
from arena.model.observer import Observer
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule

OPENING_PLIES = 4  # so that bots without a random choice play different games


def make_plan(bot: str, stones: int, matches: int) -> Plan:
    """Return the plan of an even number of matches of a bot against itself."""
    bots, setups = {"one": bot, "two": bot}, ({"stones": stones},)
    return Plan(
        "take_stones",
        bots,
        setups,
        "unlimited",
        seed=1,
        rounds=matches // 2,
        opening_plies=OPENING_PLIES,
        in_process=True,
    )


def play_plan(plan: Plan, workers: int, db: Path, observer: Observer) -> float:
    """Play a plan into a new database, and return how many seconds its matches took.

    Raises:
        ValueError: Not all matches have been stored.
    """
    with DatabaseWriter(db) as writer:
        seconds = asyncio.run(_play(plan, workers, writer, observer))
    with DatabaseReader(db) as records:
        stored = sum(1 for _ in records.results())
    if stored != plan.matches:
        raise ValueError(f"expected {plan.matches} matches, {stored} are stored")
    return seconds


async def _play(plan: Plan, workers: int, writer: DatabaseWriter, observer: Observer) -> float:
    async with ProcessPool(Job(plan.bots, plan.time, plan.seed), workers) as pool:
        start = time.perf_counter()
        await Driver(Schedule(plan, []), pool, writer, observer, plan.time).play()
        return time.perf_counter() - start
