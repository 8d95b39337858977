"""Runs of batches on an executor, as a driver plays them."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from arena.bulk.batch import Batch, Executor, LostBatch, PlayedBatch, decode_records
from arena.bulk.job import Job
from arena.bulk.match_process import MatchProcess
from arena.model.results import MatchRecord, Pairing

JOB = Job({"a": "random", "b": "greedy"}, "60", 7)
SUBMITTED = 8  # batches at a time

Games = Mapping[int | None, Any]
"""Result and moves by the number of the match."""


def make_batches(count: int, size: int = 10) -> list[Batch]:
    numbers = range(1, count * size + 1)
    pairings = [
        Pairing(number, ("a", "b") if number % 2 else ("b", "a"), "take_stones", {"stones": 12})
        for number in numbers
    ]
    return [
        Batch(start // size, tuple(pairings[start : start + size]))
        for start in range(0, len(pairings), size)
    ]


async def play_batches(
    executor: Executor,
    batches: Iterable[Batch],
    after: Callable[[PlayedBatch | LostBatch], None] = lambda _: None,
) -> tuple[list[MatchRecord], list[LostBatch]]:
    """Play batches, lost ones again; return all records and the losses.

    When `after` is called, a batch has just been submitted, unless all have been.
    """
    remaining = iter(batches)
    submitted: dict[int, Batch] = {}

    def submit(batch: Batch) -> None:
        submitted[batch.number] = batch
        executor.submit(batch)

    records: list[MatchRecord] = []
    losses: list[LostBatch] = []
    for batch in islice(remaining, SUBMITTED):
        submit(batch)
    while submitted:
        outcome = await executor.next_outcome()
        batch = submitted.pop(outcome.number)
        if isinstance(outcome, LostBatch):
            losses.append(outcome)
            submit(batch)
        else:
            records += outcome.matches.records()
            for following in islice(remaining, 1):
                submit(following)
        after(outcome)
    return records, losses


def games(records: Iterable[MatchRecord]) -> Games:
    """Return the games without their times; each match must have been played once."""
    found: dict[int | None, Any] = {}
    for record in records:
        assert record.pairing.number not in found
        assert not record.result.is_aborted, record.result.reason
        moves = [move.move for move in record.moves]
        found[record.pairing.number] = record.pairing.players, record.result, moves
    return found


def undisturbed_games(batches: Iterable[Batch], job: Job = JOB) -> Games:
    """Return the games that one process plays on its own."""
    process = MatchProcess(job)
    records: list[MatchRecord] = []
    for batch in batches:
        data = process.play(batch)
        assert isinstance(data, bytes)
        records += decode_records(batch, job.time, data).matches.records()
    process.close()
    return games(records)
