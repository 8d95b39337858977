"""Who hears of what is being played."""

from typing import Any

import pytest

from arena.model.observer import Observer, CompositeObserver
from arena.model.results import MatchRecord, Pairing, PlayedMove
from tests.support.records import a_pairing, a_record

PAIRING = a_pairing()
MOVE = PlayedMove(0, 3, 1.5, 0.0, 1.5, 0.0)
RECORD = a_record()

# What happens, by the name of the method that hears of it.
HAPPENINGS: dict[str, tuple[Any, ...]] = {
    "scheduled": (PAIRING,),
    "started": (7, PAIRING),
    "moved": (7, MOVE),
    "taken_back": (7, 3),
    "finished": (RECORD,),
    "joined": ("Ann", "::1"),
    "left": ("Ann",),
    "refused": ("name_taken", "::1"),
}
EACH = pytest.mark.parametrize(("what", "facts"), HAPPENINGS.items())

Heard = list[tuple[Any, ...]]


class Listener(Observer):
    """Writes down what it hears, under its name."""

    def __init__(self, name: str, heard: Heard) -> None:
        self.name = name
        self.heard = heard

    def scheduled(self, pairing: Pairing) -> None:
        self.heard.append((self.name, "scheduled", pairing))

    def started(self, match: int, pairing: Pairing) -> None:
        self.heard.append((self.name, "started", match, pairing))

    def moved(self, match: int, move: PlayedMove) -> None:
        self.heard.append((self.name, "moved", match, move))

    def taken_back(self, match: int, ply: int) -> None:
        self.heard.append((self.name, "taken_back", match, ply))

    def finished(self, record: MatchRecord) -> None:
        self.heard.append((self.name, "finished", record))

    def joined(self, name: str, address: str) -> None:
        self.heard.append((self.name, "joined", name, address))

    def left(self, name: str) -> None:
        self.heard.append((self.name, "left", name))

    def refused(self, code: str, address: str) -> None:
        self.heard.append((self.name, "refused", code, address))


class Broken(Observer):
    """Cannot bear to hear anything."""

    def scheduled(self, pairing: Pairing) -> None:
        raise OSError(f"no room for {pairing.number}")


def test_every_happening_is_tried_here() -> None:
    assert [*HAPPENINGS] == [name for name in vars(Observer) if not name.startswith("_")]


@EACH
def test_an_observer_does_nothing_unless_it_is_told_to(what: str, facts: tuple[Any, ...]) -> None:
    assert getattr(Observer(), what)(*facts) is None


@EACH
def test_several_hear_it_in_order(what: str, facts: tuple[Any, ...]) -> None:
    heard: Heard = []
    getattr(CompositeObserver([Listener("one", heard), Listener("two", heard)]), what)(*facts)
    assert heard == [("one", what, *facts), ("two", what, *facts)]


@EACH
def test_nobody_need_hear_it(what: str, facts: tuple[Any, ...]) -> None:
    getattr(CompositeObserver([]), what)(*facts)


def test_what_one_raises_comes_out() -> None:
    with pytest.raises(OSError, match="no room for 1"):
        CompositeObserver([Broken(), Observer()]).scheduled(PAIRING)
