"""Lag of the event loop: a real loop that is blocked, and a loop with a simulated clock."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.server.loop_lag import SAMPLE_INTERVAL, LoopLag
from tests.support.cases import loop_over
from tests.support.simulation.simulated_loop import SimulatedLoop

BLOCKED = 0.05  # seconds


def measured_lag(rounds: Sequence[float], begin: float, now: float) -> float:
    """Return the worst lag of an interval, in a loop that ran at time 0 and at these times."""
    loop = SimulatedLoop()
    try:
        lag = LoopLag()
        loop.call_soon(lag.start)
        for when in (0.0, *rounds):
            loop.run_once(when)
        result = lag.worst_between(begin, now)
        lag.stop()
    finally:
        loop.close()
    return result


async def block() -> None:
    """Block the event loop for a while, then let it run."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    loop.call_soon(time.sleep, BLOCKED)
    loop.call_later(SAMPLE_INTERVAL, done.set)
    await done.wait()


# A real loop


async def test_a_blocked_loop_has_lag() -> None:
    lag = LoopLag()
    lag.start()
    begin = asyncio.get_running_loop().time()
    await block()
    assert lag.worst_between(begin, asyncio.get_running_loop().time()) >= BLOCKED - SAMPLE_INTERVAL
    lag.stop()


async def test_stop_cancels_the_timer() -> None:
    lag = LoopLag()
    lag.start()
    lag.stop()
    begin = asyncio.get_running_loop().time()
    await block()
    assert lag.worst_between(begin, begin) == 0


# A simulated clock


@loop_over(
    "rounds, begin, now, lag",
    ([], 0, 0, 0),
    ([0.01, 0.02, 0.03], 0, 0.03, 0),  # no lag
    ([0.01, 0.51], 0, 0.51, 0.49),  # it was due at 0.02
    ([0.01], 0, 0.51, 0.49),  # it is due since 0.02
    ([0.01, 0.51, 0.52, 0.53], 0, 0.53, 0.49),
    ([0.01, 0.51, 0.52, 0.53], 0.51, 0.53, 0),  # only before the interval
    ([0.01, 0.51, 0.52, 0.53], 0.5, 0.53, 0.01),  # mostly before the interval
    ([0.51, 0.72, 0.83], 0, 0.83, 0.5),  # the worst was first
    ([0.51, 0.72, 0.83], 0.51, 0.83, 0.2),
    ([0.51, 0.72, 0.83], 0.72, 0.83, 0.1),
    ([0.11, 0.32, 0.83], 0, 0.83, 0.5),  # the worst was last
)
def test_worst_lag_of_an_interval(
    rounds: list[float], begin: float, now: float, lag: float
) -> None:
    assert measured_lag(rounds, begin, now) == pytest.approx(lag)


@loop_over(
    "spent, excluded, lag",
    (0.2, None, 0.4),
    (0.2, "a", 0.0),  # half of it is enough
    (0.2, "b", 0.4),
    (0.19, "a", 0.4),
)
@loop_over("is_over", [False, True])
def test_the_lag_that_a_client_has_caused_is_left_out(
    spent: float, excluded: str | None, lag: float, is_over: bool
) -> None:
    loop = SimulatedLoop()
    monitor = LoopLag()
    loop.call_soon(monitor.start)
    loop.run_once(0.0)
    monitor.charge("a", spent)
    monitor.charge("b", 0.01)
    if is_over:
        loop.run_once(0.41)
        monitor.charge("a", 5.0)  # after the lag
    assert monitor.worst_between(0.0, 0.41, excluded) == pytest.approx(lag)
    monitor.stop()
    loop.close()


def test_nothing_is_charged_while_nothing_is_measured() -> None:
    loop = SimulatedLoop()
    monitor = LoopLag()
    monitor.charge("a", 5.0)
    loop.call_soon(monitor.start)
    loop.run_once(0.0)
    assert monitor.worst_between(0.0, 0.41, "a") == pytest.approx(0.4)
    monitor.stop()
    loop.close()


def test_a_second_start_changes_nothing() -> None:
    loop = SimulatedLoop()
    lag = LoopLag()
    for when in (0.0, SAMPLE_INTERVAL / 2):
        loop.call_soon(lag.start)
        loop.run_once(when)
    loop.run_once(0.25)
    assert lag.worst_between(0.0, 0.25) == pytest.approx(0.25 - SAMPLE_INTERVAL)
    loop.close()


def test_the_time_between_stop_and_start_is_no_lag() -> None:
    loop = SimulatedLoop()
    lag = LoopLag()
    for when, call in [(0.0, lag.start), (0.01, lag.stop), (5.0, lag.start)]:
        loop.call_soon(call)
        loop.run_once(when)
    assert lag.worst_between(0.0, 5.0) == 0
    loop.close()


def test_stop_without_start_does_nothing() -> None:
    LoopLag().stop()


gaps = st.lists(st.floats(0.001, 2), max_size=20)


@given(gaps, st.floats(0, 1), st.floats(0, 0.5))
def test_lag_is_the_longest_gap_up_to_the_sample_interval(
    gaps: list[float], share: float, pending: float
) -> None:
    rounds = [sum(gaps[:number]) for number in range(len(gaps) + 1)]
    now = rounds[-1] + pending
    begin = share * now
    longest = max(
        end - max(start, begin) for start, end in zip(rounds, [*rounds[1:], now], strict=True)
    )
    lag = measured_lag(rounds[1:], begin, now)
    assert longest - SAMPLE_INTERVAL - 1e-6 <= lag <= max(longest, 0) + 1e-6
