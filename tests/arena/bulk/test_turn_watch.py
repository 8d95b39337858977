"""Watch on turns."""

import signal
from mmap import mmap

import pytest

from arena.bulk.turn_watch import (
    CREATION_SECONDS,
    CREATIONS,
    MATCH,
    SIZE,
    TURN,
    TURN_SECONDS,
    TURNS_BEFORE,
    WAITING_SECONDS,
    TimeUp,
    TurnWatch,
    player_of,
    turn_number,
)
from arena.match.referee import Referee
from arena.model.time_control import TimeControl
from tests.support.tournaments.records import make_pairing


class Times:
    """Clocks that a test sets."""

    def __init__(self) -> None:
        self.now = self.worked = 0.0

    def perf_counter(self) -> float:
        return self.now

    def process_time(self) -> float:
        return self.worked


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    """Return the clocks of the watch."""
    times = Times()
    monkeypatch.setattr("arena.bulk.turn_watch.time", times)
    return times


@pytest.fixture
def memory() -> mmap:
    """Return the shared memory."""
    return mmap(-1, SIZE)


def make_referee() -> Referee:
    return Referee("1", make_pairing(), TimeControl.parse("5"), 0.0)


def check(watch: TurnWatch) -> None:
    watch.check(0, None)


def skip_creations(watch: TurnWatch) -> None:
    for player in (1, 2):
        watch.begin_turn(player, make_referee())
        watch.end_turn()


def test_the_memory_has_the_match_and_the_player(memory: mmap) -> None:
    watch, cells = TurnWatch(memory), memoryview(memory).cast("q")
    watch.begin_match(17)
    seen = []
    for player in (1, 2, 2):
        watch.begin_turn(player, make_referee())
        assert (cells[MATCH], player_of(cells[TURN])) == (17, player)
        seen.append(cells[TURN])
        watch.end_turn()
    assert len({*seen}) == 3
    assert (turn_number(seen[-1]), cells[TURNS_BEFORE]) == (3, 0)
    watch.begin_match(18)
    assert cells[TURNS_BEFORE] == 3
    watch.disarm()
    assert cells[MATCH] == 0


def test_a_turn_ends_at_its_deadline(memory: mmap, times: Times) -> None:
    watch, referee = TurnWatch(memory), make_referee()
    watch.begin_match(1)
    referee.start(100.0)
    assert referee.deadline
    watch.begin_turn(1, referee)
    times.now = referee.deadline - 0.001
    check(watch)
    assert len(watch.expiry) == 0
    times.now = referee.deadline
    for _ in range(2):  # a bot may catch the first
        with pytest.raises(TimeUp):
            check(watch)
    assert watch.expiry == "no answer in time"
    watch.end_turn()
    check(watch)
    watch.begin_match(2)
    assert not watch.expiry


@pytest.mark.parametrize(
    ("worked", "waited", "turns", "expiry"),
    [
        (TURN_SECONDS, 0.0, 2, "no answer within 300 s of processor time"),
        (0.0, WAITING_SECONDS, 2, "no answer within 3000 s"),
        (0.0, CREATION_SECONDS, CREATIONS, "not created within 60 s"),
    ],
)
def test_a_turn_without_a_clock_ends(
    memory: mmap, times: Times, worked: float, waited: float, turns: int, expiry: str
) -> None:
    watch = TurnWatch(memory)
    times.now = times.worked = 1e6
    watch.begin_match(1)
    skip_creations(watch)
    if waited == CREATION_SECONDS:
        watch.begin_match(2)
    for _ in range(turns):
        watch.begin_turn(1, make_referee())
        check(watch)
        times.now += waited - 1
        times.worked += worked - 1
        check(watch)
    times.now += 1
    times.worked += 1
    with pytest.raises(TimeUp):
        check(watch)
    assert watch.expiry == expiry


def test_nothing_ends_between_turns(memory: mmap, times: Times) -> None:
    watch = TurnWatch(memory)
    check(watch)
    watch.begin_turn(1, make_referee())
    check(watch)
    watch.end_turn()
    times.now = times.worked = 1e6
    check(watch)
    assert not watch.expiry


def test_an_alarm_of_a_bot_does_not_ring_in_the_next_turn(memory: mmap) -> None:
    watch = TurnWatch(memory)
    watch.arm()
    watch.begin_turn(1, make_referee())
    signal.signal(signal.SIGALRM, signal.SIG_IGN)  # as a bot does that limits its own search
    signal.setitimer(signal.ITIMER_REAL, 0)
    watch.begin_turn(2, make_referee())
    assert signal.getsignal(signal.SIGALRM) == watch.check
    assert signal.getitimer(signal.ITIMER_REAL)[1] > 0
    watch.disarm()
