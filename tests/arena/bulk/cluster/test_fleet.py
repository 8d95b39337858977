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


def test_workers_receive_batches_evenly_and_two_for_each_thread() -> None:
    busy = fleet(9)
    assert assigned(busy) == []
    assert not busy.remove_batch(7)  # it was waiting
    busy.add_worker("a", 1)
    busy.add_worker("b", 2)
    order = [("a", 0), ("b", 1), ("b", 2), ("a", 3), ("b", 4), ("b", 5)]
    assert assigned(busy) == order
    assert busy.remove_batch(0)
    assert assigned(busy) == [("a", 6)]
    assert busy.remove_worker("c") == []
    assert assigned(busy) == []
    assert busy.remove_batch(1)
    assert assigned(busy) == [("b", 8)]


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


def test_workers_that_leave_were_playing_one_batch_in_each_thread() -> None:
    busy = fleet(8, a=2, b=1, c=1)
    workers, numbers = zip(*assigned(busy), strict=True)
    assert ("".join(workers), numbers) == ("abcaabca", (*range(8),))
    busy.remove_batch(3)
    assert busy.remove_worker("a") == [Loss(0, True), Loss(4, True), Loss(7, False)]
    assert busy.threads == 2
    assert not busy.remove_batch(0)
    assert sorted(busy.clear()) == [Loss(1, True), Loss(2, True), Loss(5, False), Loss(6, False)]
    assert busy.addresses == set()


def test_only_a_batch_that_has_begun_is_blamed_for_a_death() -> None:
    assert Loss(5, True).outcome("died", True) == LostBatch(5, "died", None, True)
    assert Loss(5, True).outcome("lost", False) == LostBatch(5, "lost", None, False)
    assert Loss(5, False).outcome("died", True) == LostBatch(5, "died", 0, False)
