"""Throttled queue: order and rate of turns, in a loop with a simulated clock."""

import asyncio
from collections.abc import Callable

from arena.network.budget import ThrottledQueue
from tests.support.simulation.simulated_loop import SimulatedLoop


def turns(rate: Callable[[], float], times: int, *clients: tuple[str, str]) -> list[str]:
    """Return who has had a turn, after up to `times` seconds, if all wait for turns of 8 units."""
    loop = SimulatedLoop()
    taken: list[str] = []
    queue = ThrottledQueue(rate)

    def enter() -> None:
        for address, name in clients:
            queue.enter(address, name, 8, lambda name=name: taken.append(name))  # type: ignore[misc]

    loop.call_soon(enter)
    for now in range(times):
        loop.run_once(float(now))
    queue.close()
    loop.close()
    return taken


def test_turns_come_at_the_rate_and_addresses_take_them() -> None:
    assert turns(lambda: 8.0, 1, ("here", "a"), ("here", "b")) == ["a"]
    clients = [("here", name) for name in "abcdef"]
    assert turns(lambda: 8.0, 3, *clients) == ["a", "b", "c"]
    assert turns(lambda: 4.0, 5, *clients) == ["a", "b", "c"]
    clients = [("here", "a"), ("here", "b"), ("here", "c"), ("there", "d"), ("there", "e")]
    assert turns(lambda: 8.0, 9, *clients) == ["a", "d", "b", "e", "c"]


def test_who_leaves_has_no_turn() -> None:
    loop = SimulatedLoop()
    taken: list[str] = []
    queue = ThrottledQueue(lambda: 8.0)

    async def scenario() -> None:
        for name in "abc":
            queue.enter("here", name, 8, lambda name=name: taken.append(name))  # type: ignore[misc]
        queue.enter("there", "d", 8, lambda: taken.append("d"))
        queue.leave("here", "b")
        queue.leave("there", "d")
        queue.leave("there", "d")

    loop.run_until_complete(scenario())
    for now in range(6):
        loop.run_once(float(now))
    assert taken == ["a", "c"]
    loop.close()


def test_all_may_leave_before_a_turn() -> None:
    loop = SimulatedLoop()
    queue = ThrottledQueue(lambda: 8.0)

    async def scenario() -> None:
        queue.enter("here", "a", 8, lambda: None)
        queue.leave("here", "a")
        await asyncio.sleep(0)

    loop.run_until_complete(scenario())
    loop.run_once(1.0)
    queue.close()
    loop.close()


def test_a_turn_can_lead_to_another() -> None:
    loop = SimulatedLoop()
    taken: list[float] = []
    queue = ThrottledQueue(lambda: 4.0)

    def turn() -> None:
        taken.append(loop.now)
        queue.enter("here", "a", 8, turn)

    loop.call_soon(queue.enter, "here", "a", 8, turn)
    for now in range(7):
        loop.run_once(float(now))
    queue.close()
    loop.close()
    assert taken == [0.0, 2.0, 4.0, 6.0]
