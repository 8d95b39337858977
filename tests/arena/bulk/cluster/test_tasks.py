"""Batches as tasks of workers."""

from collections.abc import Iterable
from typing import Any

import pytest

from arena.bulk.batch import Batch, LostBatch
from arena.bulk.cluster.tasks import Losses, Tasks


def tasks(batches: int, **threads: int) -> Tasks:
    found = Tasks()
    found.workers.update(threads)
    for number in range(batches):
        found.submit(Batch(number, ()))
    return found


def started(tasks: Tasks) -> dict[int, tuple[str, set[str]]]:
    """Return the key and the workers of the tasks that start, by the numbers of their batches."""
    return {task.batch.number: (task.key, set(task.workers)) for task in tasks.start()}


def in_order(losses: Losses) -> list[tuple[int, bool]]:
    return [(lost.number, lost.is_worker) for lost in losses.values()]


def test_batches_wait_for_a_worker() -> None:
    waiting = tasks(3)
    assert started(waiting) == {}
    assert waiting.discard(1) is None
    waiting.workers["a"] = 1
    keys = started(waiting)
    assert [*keys] == [0, 2]
    assert sorted(keys.values()) == [*keys.values()]  # the order in which workers play
    assert waiting.discard(2) == keys[2][0]
    waiting.finish(keys[0][0])
    assert waiting.clear("lost") == {}


def test_suspect_has_a_worker_to_itself() -> None:
    busy = tasks(2, a=2, b=1)
    keys = [key for key, _ in started(busy).values()]
    for number in (2, 3, 4):
        busy.submit(Batch(number, (), is_suspect=True))
    busy.submit(Batch(5, ()))
    busy.finish(keys[0])
    assert started(busy) == {}  # the other batch is being played
    busy.finish(keys[1])
    suspects = started(busy)
    assert [*suspects] == [2, 3]
    assert sorted(address for _, [address] in suspects.values()) == ["a", "b"]
    busy.finish(suspects[2][0])
    assert started(busy) == {}
    busy.finish(suspects[3][0])
    [(key, _)] = started(busy).values()
    busy.finish(key)
    assert [*started(busy)] == [5]


def leaving(*actions: str, had: Iterable[object] = (), expected: bool = False) -> list[Any]:
    """Return the events of a worker that has joined and done something."""
    details = {"processing-tasks": {*had}, "expected": expected}
    return [(0.0, {"action": action, **details}) for action in ("add-worker", *actions)]


def test_a_dead_worker_was_playing_the_first_tasks_that_it_had() -> None:
    busy = tasks(6, a=2, b=1)
    keys = [key for key, _ in started(busy).values()]
    had = {"other-1", ("other", 2), *keys[1:5]}
    losses = busy.remove_worker("a", leaving("remove-worker", had=had))
    assert losses == {
        keys[1]: LostBatch(1, "worker a has left", None, True),
        keys[2]: LostBatch(2, "worker a has left", None, True),
    }
    assert busy.workers == {"b": 1}


def test_a_task_without_any_of_its_workers_is_lost() -> None:
    """Dask has passed the others on to workers that are there."""
    busy = tasks(2, a=1, b=1)
    early = [key for key, _ in started(busy).values()]
    assert busy.remove_worker("a", leaving("remove-worker", had=early, expected=True)) == {}
    busy.workers["c"] = 1
    busy.submit(Batch(2, ()))
    late = started(busy)
    losses = busy.remove_worker("b", leaving("remove-worker", had=early))
    assert in_order(losses) == [(0, True), (1, False)]
    assert late[2][1] == {"b", "c"}
    assert in_order(busy.clear("the scheduler was lost")) == [(2, False)]
    assert busy.workers == {}


@pytest.mark.parametrize(
    ("actions", "is_blamed"),
    [
        (["remove-worker"], True),
        (["closing-worker", "remove-worker"], False),
        (["closing-worker", "remove-worker", "add-worker", "remove-worker"], True),
    ],
)
def test_a_worker_that_closes_has_not_died(actions: list[str], is_blamed: bool) -> None:
    """Unlike another one that came after it at the same address."""
    busy = tasks(1, a=1)
    [(key, _)] = started(busy).values()
    losses = busy.remove_worker("a", [(0.0, "x"), *leaving(*actions, had=[key])])
    assert in_order(losses) == [(0, is_blamed)]
