"""Fair queue: turns of addresses, in a waiting room."""

import pytest

from arena.spectators.workers import fair_queue
from arena.spectators.workers.fair_queue import FairQueue


def filled(*items: str) -> FairQueue[str]:
    """Return a queue of items, each named after its address and its number."""
    queue: FairQueue[str] = FairQueue(9, 99)
    for item in items:
        assert queue.add(item[0], item) is None
    return queue


def drain(queue: FairQueue[str]) -> list[str]:
    return [*iter(queue.take, None)]


def test_addresses_take_turns_new_ones_first() -> None:
    assert drain(filled("a1", "a2", "a3", "b1", "c1", "b2")) == ["a1", "b1", "c1", "a2", "b2", "a3"]
    queue = filled("a1", "a2", "b1", "b2")
    assert [queue.take(), queue.take()] == ["a1", "b1"]
    queue.add("c", "c1")
    assert drain(queue) == ["c1", "a2", "b2"]
    queue = filled("a1")
    assert queue.take() == "a1"
    for item in ("a2", "b1"):
        queue.add(item[0], item)
    assert drain(queue) == ["b1", "a2"]


def test_old_turns_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MAX_REMEMBERED", 1)
    queue = filled("a1", "b1")
    drain(queue)
    for item in ("b2", "a2"):
        queue.add(item[0], item)
    assert drain(queue) == ["a2", "b2"]  # the turn of a is forgotten, that of b is not


def test_discarded_items_have_no_turn() -> None:
    queue = filled("a1", "a2", "b1")
    for item in ("a1", "b1"):
        queue.discard(item[0], item)
    assert drain(queue) == ["a2"]
