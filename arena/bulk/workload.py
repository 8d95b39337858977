"""Workload of a run: its pairings as batches, and what becomes of lost ones. Pure."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from itertools import islice
from math import ceil

from arena.bulk.batch import Batch, LostBatch, PlayedBatch, WorkersFailed
from arena.bulk.batch_size import BatchSize, in_flight_limit
from arena.model.played_matches import PlayedMatch, PlayedMatches
from arena.model.results import MatchRecord, Pairing, Termination
from arena.tournament.schedule import MAX_ATTEMPTS, Schedule

WINDOW = 3  # batches for each worker: played, waiting, and being stored
MAX_DEATHS = 3  # of workers that play the same match
MAX_IDLE_DEATHS = 30  # of workers in a row, before any of their matches had begun


class Workload:
    """Batches of a schedule: in flight, to be stored, to be played again.

    Attributes:
        batches: The batches that workers have, by number.
        batches_lost: Number of batches lost so far.
        matches_replayed: Number of matches that were played again because of that, or are to be.
    """

    def __init__(self, schedule: Schedule, time_control: str) -> None:
        self.batches: dict[int, Batch] = {}
        self.batches_lost = 0
        self.matches_replayed = 0
        self._schedule = schedule
        self._time_control = time_control
        self._size = BatchSize()
        self._last_number = 0
        self._storing = 0  # batches
        self._matches_in_flight = 0  # in batches, or being stored
        self._again: deque[tuple[Pairing, ...]] = deque()  # each is one batch
        self._failures: Counter[int | None] = Counter()  # attempts that the referee has aborted
        self._deaths: defaultdict[int | None, list[str]] = defaultdict(list)  # causes
        self._idle_deaths = 0
        self._unplayed: dict[int | None, MatchRecord] = {}

    @property
    def in_flight(self) -> int:
        """The number of batches that are not stored yet."""
        return len(self.batches) + self._storing

    @property
    def unplayed(self) -> list[MatchRecord]:
        """The last attempts at pairings that could not be played."""
        return [*self._unplayed.values()]

    @property
    def overplay(self) -> int:
        """The number of finished matches that the decided test does not count."""
        decided_at = self._schedule.test and self._schedule.test.decided_at
        return self._schedule.finished_count - 2 * decided_at if decided_at else 0

    def next_batches(self, workers: int) -> tuple[list[Batch], list[Pairing]]:
        """Return new batches for the workers, and the pairings in them that are new.

        A few pairings are divided among the workers, many are put into batches of the best size.
        """
        if self._schedule.is_decided or self._is_undecidable:
            return [], []
        free = WINDOW * workers - self.in_flight
        batches = [
            self._new_batch(self._again.popleft()) for _ in range(min(free, len(self._again)))
        ]
        pairings = [
            *islice(self._new_pairings(), max(0, self._wanted(free - len(batches), workers)))
        ]
        size = self._size.matches
        if len(pairings) < size * (free - len(batches)):
            size = min(size, max(1, ceil(len(pairings) / workers)))
        for begin in range(0, len(pairings), size):
            batches.append(self._new_batch(tuple(pairings[begin : begin + size])))
        return batches, pairings

    @property
    def _is_undecidable(self) -> bool:
        """Whether a test, which counts the pairs in their order, lacks a match for good."""
        return bool(self._schedule.test and self._unplayed)

    def _wanted(self, batches: int, workers: int) -> int:
        """Return the number of matches to put into so many batches."""
        wanted = batches * self._size.matches
        if self._schedule.test:
            limit = max(workers, in_flight_limit(self._schedule.test))
            return min(wanted, limit - self._matches_in_flight)
        return wanted

    def _new_pairings(self) -> Iterator[Pairing]:
        return iter(self._schedule.next_pairing, None)

    def _new_batch(self, pairings: tuple[Pairing, ...]) -> Batch:
        self._last_number += 1
        is_suspect = len(pairings) == 1 and pairings[0].number in self._deaths
        batch = Batch(self._last_number, pairings, is_suspect)
        self.batches[batch.number] = batch
        self._matches_in_flight += len(pairings)
        return batch

    def discard(self) -> list[int]:
        """Drop what workers have or are to get again; return the numbers of the batches."""
        numbers = [*self.batches]
        self.batches.clear()
        self._again.clear()
        return numbers

    def add_played(self, played: PlayedBatch) -> PlayedMatches:
        """Take the outcome of a batch, and return the matches to store."""
        self._idle_deaths = 0
        del self.batches[played.number]
        self._size.add(len(played.matches), played.seconds)
        self._storing += 1
        return played.matches

    def add_stored(self, stored: PlayedMatches) -> None:
        """Report stored results to the schedule, and play aborted matches again."""
        self._storing -= 1
        self._matches_in_flight -= len(stored)
        for pairing, match in stored:
            if match.is_rated:
                assert pairing.number, "a schedule numbers its pairings"
                self._schedule.add_result(pairing.number, pairing.players, match.winner)
        aborted = [record for record in stored.irregular_records() if record.result.is_aborted]
        for record in aborted:
            self._add_failure(record)

    def _add_failure(self, record: MatchRecord) -> None:
        number = record.pairing.number
        self._failures[number] += 1
        if self._failures[number] < MAX_ATTEMPTS and not self._is_given_up(number):
            self._again.append((record.pairing,))
        else:
            self._unplayed[number] = record

    def _is_given_up(self, number: int | None) -> bool:
        return len(self._deaths.get(number, ())) == MAX_DEATHS

    def add_lost(self, lost: LostBatch, now: float) -> PlayedMatches | None:
        """Play a lost batch again, the match with which a worker died in a batch of its own.

        Args:
            lost: The outcome of the batch.
            now: Unix time.

        Returns:
            The attempts to store at a match that has been given up, or None.

        Raises:
            WorkersFailed: Too many workers have died before they could play.
        """
        batch = self.batches.pop(lost.number)
        self._matches_in_flight -= len(batch.pairings)
        self.batches_lost += 1
        self.matches_replayed += len(batch.pairings)
        if not lost.is_worker:
            self._again.append(batch.pairings)
            return None
        if lost.match == 0:
            self._add_idle_death(lost)
            self._again.append(batch.pairings)
            return None
        suspects = [pairing for pairing in batch.pairings if pairing.number == lost.match]
        if not suspects and len(batch.pairings) > 1:
            middle = len(batch.pairings) // 2
            self._again += batch.pairings[:middle], batch.pairings[middle:]
            return None
        [suspect] = suspects or batch.pairings
        if others := tuple(pairing for pairing in batch.pairings if pairing is not suspect):
            self._again.append(others)
        return self._add_death(suspect, lost.cause, now)

    def _add_idle_death(self, lost: LostBatch) -> None:
        self._idle_deaths += 1
        if self._idle_deaths >= MAX_IDLE_DEATHS:
            raise WorkersFailed(
                f"{self._idle_deaths} workers in a row ended before they could play,"
                f" the last one: {lost.cause}"
            )

    def _add_death(self, suspect: Pairing, cause: str, now: float) -> PlayedMatches | None:
        causes = self._deaths[suspect.number]
        causes.append(cause)
        if len(causes) < MAX_DEATHS:
            self._again.append((suspect,))
            return None
        self.matches_replayed -= 1
        self._storing += 1
        self._matches_in_flight += len(causes)
        attempts = [
            PlayedMatch(
                *(now, now, Termination.ABORTED, None, f"a worker ended: {cause}"),
                *(0, [], [], None),
            )
            for cause in causes
        ]
        return PlayedMatches([suspect] * len(attempts), self._time_control, attempts)
