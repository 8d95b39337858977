"""Fair queue: turns of addresses, limits, and items that leave."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.spectators.workers import fair_queue
from arena.spectators.workers.fair_queue import FairQueue


def filled(*items: str, per_address: int = 9, total: int = 99) -> FairQueue[str]:
    """Return a queue of items, each named after its address and its number."""
    queue: FairQueue[str] = FairQueue(per_address, total)
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


def test_limits_of_an_address_and_of_all() -> None:
    queue = filled("a1", "a2", "b1", per_address=2)
    assert queue.add("a", "a3") == "a3"
    assert queue.take() == "a1"
    assert queue.add("a", "a3") is None
    assert len(queue) == 3
    queue = filled("a1", "a2", "a3", total=3)
    assert queue.add("b", "b1") == "a3"
    assert queue.add("c", "c1") == "a2"
    assert queue.add("d", "d1") == "d1"
    assert queue.add("a", "a4") == "a4"
    assert drain(queue) == ["a1", "b1", "c1"]


def test_discarded_items_have_no_turn() -> None:
    queue = filled("a1", "a2", "b1")
    for address, item in (("a", "a1"), ("b", "b1"), ("b", "b1"), ("c", "c1")):
        queue.discard(address, item)
    assert drain(queue) == ["a2"]
    assert len(queue) == 0


@given(st.lists(st.sampled_from("abcd+-"), max_size=60))
def test_limits_hold_and_no_item_is_lost(steps: list[str]) -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue(3, 6)
    inside: list[tuple[str, int]] = []
    for number, step in enumerate(steps):
        if step == "+":
            taken = queue.take()
            assert (taken is None) == (not inside)
            inside = [item for item in inside if item != taken]
        elif step == "-" and inside:
            item = inside.pop()
            queue.discard(item[0], item)
        else:
            inside.append((step, number))
            refused = queue.add(step, (step, number))
            inside = [item for item in inside if item != refused]
        assert len(queue) == len(inside) <= 6
        assert all(sum(item[0] == address for item in inside) <= 3 for address in "abcd-")
    for item in sorted(inside):
        queue.discard(item[0], item)
    assert queue.take() is None
