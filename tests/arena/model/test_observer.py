"""Observers and the forwarding of events."""

from typing import Any

import pytest

from arena.model.observer import CompositeObserver, Observer, WorkersStatus
from arena.model.results import Pairing, PlayedMove
from tests.support.cases import loop_over
from tests.support.tournaments.records import make_pairing, make_record, played_matches

PAIRING = make_pairing()
MOVE = PlayedMove(0, 3, 1.5, 0.0, 1.5, 0.0)
RECORD = make_record(moves=(MOVE,))

# Arguments of each event, by the name of the method.
EVENTS: dict[str, tuple[Any, ...]] = {
    "scheduled": (PAIRING,),
    "started": (7, PAIRING),
    "moved": (7, MOVE),
    "taken_back": (7, 3),
    "finished": (RECORD,),
    "joined": ("Ann", "::1"),
    "left": ("Ann",),
    "refused": ("name_taken", "::1"),
    "degraded": ("tokens", "cannot read it"),
    "recovered": ("tokens",),
    "played": (played_matches(RECORD),),
    "computing": (WorkersStatus(2, 1500.0, 6, 1, 100),),
}
EACH_EVENT = loop_over(("event", "arguments"), EVENTS.items())

Calls = list[tuple[Any, ...]]


def recorder(name: str, calls: Calls, *ignored: str) -> Observer:
    """Return an observer that records all events, but those ignored, with its own name."""
    observer = Observer()
    for event in {*EVENTS} - {*ignored}:
        setattr(observer, event, lambda *told, event=event: calls.append((name, event, *told)))
    return observer


class Failing(Observer):
    """Observer that raises an exception."""

    def scheduled(self, pairing: Pairing) -> None:
        raise OSError(f"no space for {pairing.number}")


def test_every_event_is_tested() -> None:
    assert [*EVENTS] == [name for name in vars(Observer) if not name.startswith("_")]


@EACH_EVENT
def test_events_are_ignored_or_forwarded(event: str, arguments: tuple[Any, ...]) -> None:
    assert getattr(Observer(), event)(*arguments) is None
    calls: Calls = []
    getattr(CompositeObserver([recorder("one", calls), recorder("two", calls)]), event)(*arguments)
    assert calls == [("one", event, *arguments), ("two", event, *arguments)]
    getattr(CompositeObserver([]), event)(*arguments)


def test_match_in_process_has_all_events_by_default() -> None:
    calls: Calls = []
    matches = played_matches(RECORD, RECORD)
    recorder("one", calls, "played").played(matches)
    expected: Calls = []
    for record in matches.records():
        moves = [("one", "moved", record.id, move) for move in record.moves]
        assert moves
        expected.append(("one", "started", record.id, record.pairing))
        expected += [*moves, ("one", "finished", record)]
    assert calls == expected


def test_exception_of_an_observer_propagates() -> None:
    with pytest.raises(OSError, match="no space for 1"):
        CompositeObserver([Failing(), Observer()]).scheduled(PAIRING)
