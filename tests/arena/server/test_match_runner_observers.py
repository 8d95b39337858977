"""Events of running matches that observers receive."""

from pathlib import Path

import pytest

from arena.model.observer import Observer
from arena.protocol.player import Finished
from tests.support.cases import loop_over
from tests.support.servers.arena_server import arena_server, two_bots
from tests.support.tournaments.observers import RecordingObserver


class FailingObserver(Observer):
    """Observer that raises an exception at one event."""

    def __init__(self, event: str) -> None:
        self.event = event

    def fail_at(self, event: str) -> None:
        if event == self.event:
            raise OSError(f"no room for {event}")

    def started(self, *_: object) -> None:
        self.fail_at("started")

    def moved(self, *_: object) -> None:
        self.fail_at("moved")

    def finished(self, *_: object) -> None:
        self.fail_at("finished")


# Events


async def test_an_observer_receives_all_events_in_order(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        await two.play(6)
        await one.play(3)
        record = await task
    begin, end = ("started", record.id, record.pairing), ("finished", record)
    assert observer.lines == [begin, *(("moved", record.id, move) for move in record.moves), end]
    assert observer.stored == [record]  # before its end was observed


# Exceptions of the observer


@loop_over("event", ["started", "moved", "finished"])
async def test_an_exception_of_the_observer_is_raised_and_the_match_continues(
    db: Path, event: str
) -> None:
    async with arena_server(db, observer=FailingObserver(event)) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert (await one.receive(Finished)).winner == 1
        record = await task
        assert (record.winner, server.records()) == ("one", [record])
        with pytest.raises(OSError, match=f"no room for {event}"):
            await server.arena.server.wait_for_change()


async def test_an_exception_of_the_observer_wakes_a_waiting_task(db: Path) -> None:
    async with arena_server(db, observer=FailingObserver("started")) as server:
        await two_bots(server)
        await server.arena.server.wait_for_change()
        server.start_match("one", "two")
        with pytest.raises(OSError, match="no room"):
            await server.arena.server.wait_for_change()
