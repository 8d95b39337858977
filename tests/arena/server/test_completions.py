"""Completions: results of another thread in the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from arena.server.completions import Completions


def futures(count: int) -> list[Future[int]]:
    return [Future() for _ in range(count)]


async def test_results_and_errors_of_another_thread_are_delivered() -> None:
    completions, (good, bad) = Completions(), futures(2)
    waiting = [completions.wait(good), completions.wait(bad)]
    await asyncio.to_thread(good.set_result, 1)
    await asyncio.to_thread(bad.set_exception, ValueError("bad"))
    assert await waiting[0] == 1
    with pytest.raises(ValueError, match="bad"):
        await waiting[1]


async def test_a_result_that_is_already_there_is_delivered() -> None:
    completions, (future,) = Completions(), futures(1)
    future.set_result(1)
    assert await completions.wait(future) == 1


async def test_the_loop_wakes_up_once_for_many_results(monkeypatch: pytest.MonkeyPatch) -> None:
    completions = Completions()
    loop, calls = asyncio.get_running_loop(), []

    def wake_up(call: Callable[[], None]) -> None:
        calls.append(call)
        loop.call_soon(call)

    monkeypatch.setattr(loop, "call_soon_threadsafe", wake_up)
    for _ in range(2):
        done = futures(3)
        waiting = [completions.wait(future) for future in done]
        for number, future in enumerate(done):
            future.set_result(number)
        assert await asyncio.gather(*waiting) == [0, 1, 2]
    assert len(calls) == 2


async def test_a_cancelled_wait_does_not_disturb_the_others() -> None:
    completions, (first, second) = Completions(), futures(2)
    cancelled, waiting = completions.wait(first), completions.wait(second)
    cancelled.cancel()
    first.set_result(1)
    second.set_result(2)
    assert await waiting == 2
    assert first.result() == 1


def test_results_after_the_end_of_the_loop_are_dropped(caplog: pytest.LogCaptureFixture) -> None:
    completions, (future,) = Completions(), futures(1)

    async def wait() -> None:
        completions.wait(future)

    asyncio.run(wait())
    future.set_result(1)
    assert not caplog.records
