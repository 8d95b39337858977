"""Distribution of batches over workers."""

from arena.bulk.batch import Batch, LostBatch
from arena.bulk.cluster.fleet import Fleet, Loss


def fleet(batches: int, **threads: int) -> Fleet:
    found = Fleet()
    for address, count in threads.items():
        found.add_worker(address, count)
    for number in range(batches):
        found.submit(Batch(number, ()))
    return found


def assigned(fleet: Fleet) -> list[tuple[str, int]]:
    return [(address, batch.number) for address, batch in fleet.assign()]


def test_without_workers_batches_wait() -> None:
    waiting = fleet(1)
    assert assigned(waiting) == []
    waiting.add_worker("a", 1)
    assert assigned(waiting) == [("a", 0)]


def test_workers_receive_batches_evenly_and_two_for_each_thread() -> None:
    assert assigned(fleet(7, a=1, b=2)) == [
        ("a", 0),
        ("b", 1),
        ("b", 2),
        ("a", 3),
        ("b", 4),
        ("b", 5),
    ]


def test_played_batch_makes_room() -> None:
    busy = fleet(3, a=1)
    assigned(busy)
    assert busy.remove_batch(0)
    assert assigned(busy) == [("a", 2)]


def test_suspect_has_an_idle_worker_to_itself() -> None:
    busy = fleet(1, a=2, b=1)
    assert assigned(busy) == [("a", 0)]
    for number in (1, 2, 3):
        busy.submit(Batch(number, (), is_suspect=True))
    busy.submit(Batch(4, ()))
    assert assigned(busy) == [("b", 1)]  # "a" is busy, and receives nothing until it is idle
    assert busy.remove_batch(0)
    assert assigned(busy) == [("a", 2)]
    assert not busy.remove_batch(3)  # it was waiting
    assert assigned(busy) == []
    assert busy.remove_worker("a") == [Loss(2, True)]
    assert assigned(busy) == []
    assert busy.remove_batch(1)
    assert assigned(busy) == [("b", 4)]


def test_discarded_batch_is_not_assigned() -> None:
    busy = fleet(2, a=1)
    assert not busy.remove_batch(0)
    assert assigned(busy) == [("a", 1)]


def test_worker_that_leaves_was_playing_one_batch_in_each_thread() -> None:
    busy = fleet(4, a=2)
    assigned(busy)
    busy.remove_batch(1)
    assert busy.remove_worker("a") == [Loss(0, True), Loss(2, True), Loss(3, False)]
    assert busy.threads == 0
    assert not busy.remove_batch(0)


def test_unknown_worker_has_no_batches() -> None:
    assert fleet(0).remove_worker("a") == []


def test_all_workers_can_be_lost() -> None:
    busy = fleet(2, a=1, b=1)
    assigned(busy)
    assert sorted(busy.clear()) == [Loss(0, True), Loss(1, True)]
    assert busy.addresses == set()


def test_only_a_batch_that_has_begun_is_blamed_for_a_death() -> None:
    assert Loss(5, True).outcome("died", True) == LostBatch(5, "died", None, True)
    assert Loss(5, True).outcome("lost", False) == LostBatch(5, "lost", None, False)
    assert Loss(5, False).outcome("died", True) == LostBatch(5, "died", 0, False)
