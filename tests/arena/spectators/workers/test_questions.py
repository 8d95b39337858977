"""Questions for a worker process: turns, limits, and askers that leave."""

import asyncio
from collections.abc import Callable

import pytest

from arena.protocol.codec import RequestError, encode
from arena.protocol.spectator import FindRecord
from arena.spectators.queries import Question
from arena.spectators.workers import questions
from arena.spectators.workers.questions import Questions


class Answering:
    """A process that answers when a test lets it."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self._answers: asyncio.Queue[Callable[[], str]] = asyncio.Queue()

    async def ask(self, question: Question) -> str:
        assert isinstance(question, FindRecord)
        self.asked.append(question.match)
        return (await self._answers.get())()

    def answer(self, answer: Callable[[], str] = lambda: "yes") -> None:
        self._answers.put_nowait(answer)


def start(waiting: Questions[Question, str], address: str, number: int) -> asyncio.Task[str]:
    return asyncio.create_task(waiting.ask(address, FindRecord(1, number)))


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_question_at_a_time_is_asked_in_fair_turns() -> None:
    process = Answering()
    waiting = Questions(process.ask, encode)
    tasks = [start(waiting, address, number) for number, address in enumerate("aaab")]
    await settle()
    assert process.asked == [0]
    for _ in tasks:
        process.answer()
    assert await asyncio.gather(*tasks) == ["yes"] * 4
    assert process.asked == [0, 3, 1, 2]


async def test_an_error_is_that_of_one_question() -> None:
    def fail() -> str:
        raise RequestError("failed", "no")

    process = Answering()
    waiting = Questions(process.ask, encode)
    one, other = start(waiting, "a", 1), start(waiting, "b", 2)
    process.answer(fail)
    process.answer()
    with pytest.raises(RequestError, match="no"):
        await one
    assert await other == "yes"


async def test_too_many_questions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MAX_WAITING", 3)
    monkeypatch.setattr(questions, "MAX_WAITING_PER_ADDRESS", 2)
    process = Answering()
    waiting = Questions(process.ask, encode)
    tasks = [start(waiting, address, n) for n, address in enumerate(("x", *"aaabc"))]
    await settle()
    refused = [task for task in tasks if task.done()]
    assert refused == [tasks[2], tasks[3]]  # too many of a; one of a has given way to c
    for task in refused:
        with pytest.raises(RequestError, match="too many questions are waiting") as caught:
            await task
        assert caught.value.code == "busy"
    for _ in range(4):
        process.answer()
    await asyncio.gather(*(task for task in tasks if task not in refused))
    assert process.asked == [0, 1, 4, 5]


async def test_a_question_without_an_asker_is_never_asked() -> None:
    process = Answering()
    waiting = Questions(process.ask, encode)
    running, gone, other = (start(waiting, address, n) for n, address in enumerate("abc"))
    await settle()
    gone.cancel()
    running.cancel()
    await settle()
    assert process.asked == [0]  # it runs to its end, as the process cannot be interrupted
    process.answer()
    process.answer()
    assert await other == "yes"
    assert process.asked == [0, 2]


async def test_an_asker_may_leave_at_the_moment_of_its_turn() -> None:
    process = Answering()
    waiting = Questions(process.ask, encode)
    running, gone, other = (start(waiting, address, n) for n, address in enumerate("abc"))
    await settle()
    process.answer()  # the task of this question runs before the one that is cancelled next
    gone.cancel()
    process.answer()
    assert [await running, await other] == ["yes", "yes"]
    assert process.asked == [0, 2]


async def test_an_asker_may_leave_at_the_moment_of_its_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "MAX_WAITING", 2)
    process = Answering()
    waiting = Questions(process.ask, encode)
    running, kept, gone = (start(waiting, address, n) for n, address in enumerate("abb"))
    await settle()
    new = start(waiting, "c", 3)  # takes the place of the one that is cancelled next
    gone.cancel()
    for _ in range(3):
        process.answer()
    assert {*await asyncio.gather(running, kept, new)} == {"yes"}
    assert process.asked == [0, 1, 3]


async def test_equal_questions_share_an_answer() -> None:
    process = Answering()
    waiting = Questions(process.ask, encode)
    askers = [("a", 0), ("a", 1), ("b", 1), ("c", 1), ("c", 2)]
    gone, *others = (start(waiting, address, number) for address, number in askers[1:])
    first = start(waiting, *askers[0])
    await settle()
    gone.cancel()  # the others still want the answer
    for _ in range(3):
        process.answer()
    assert {*await asyncio.gather(first, *others)} == {"yes"}
    assert sorted(process.asked) == [0, 1, 2]
    later = start(waiting, "b", 1)
    process.answer(lambda: "new")
    assert await later == "new"


async def test_an_equal_question_of_another_address_has_a_place_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "MAX_WAITING", 3)
    process = Answering()
    waiting = Questions(process.ask, encode)
    askers = [("x", 0), ("a", 1), ("a", 2), ("a", 3), ("b", 3), ("c", 4)]
    tasks = [start(waiting, *asker) for asker in askers]
    await settle()
    # The last of a has given way to c, and the one before to the equal question of b.
    refused = [task for task in tasks if task.done()]
    assert refused == [tasks[2], tasks[3]]
    for task in refused:
        with pytest.raises(RequestError, match="too many questions"):
            await task
    for _ in range(4):
        process.answer()
    assert {*await asyncio.gather(*(task for task in tasks if task not in refused))} == {"yes"}
    assert sorted(process.asked) == [0, 1, 3, 4]
