"""Questions for a worker process: they wait in a fair queue, and one is answered at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.protocol.errors import RequestError
from arena.spectators.workers.fair_queue import FairQueue

MAX_WAITING = 100  # questions in all
MAX_WAITING_PER_ADDRESS = 4

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(eq=False)
class _Waiting(Generic[Q, A]):
    """A question and its answer; the asker may have gone and cancelled it."""

    question: Q
    answer: asyncio.Future[A]

    def succeed(self, answer: A) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Questions(Generic[Q, A]):
    """Questions for one worker process, of which one at a time is answered.

    A question that is no longer wanted before its turn is never asked. One that is being answered
    runs to its time limit, as ending its process would cost more.
    """

    def __init__(self, ask: Callable[[Q], Awaitable[A]]) -> None:
        """Start without questions.

        Args:
            ask: Returns the answer to a question, from the process.
        """
        self._ask = ask
        self._queue: FairQueue[_Waiting[Q, A]] = FairQueue(MAX_WAITING_PER_ADDRESS, MAX_WAITING)
        self._running: asyncio.Task[None] | None = None

    async def ask(self, address: str, question: Q) -> A:
        """Return the answer to a question, when it is the turn of the address.

        Raises:
            RequestError: There is no answer, too many questions wait, or the arena closes.
        """
        waiting: _Waiting[Q, A] = _Waiting(question, asyncio.get_running_loop().create_future())
        if refused := self._queue.add(address, waiting):
            text = "too many questions are waiting, retry later"
            refused.fail(RequestError("busy", text))
        self._start_next()
        try:
            return await waiting.answer
        finally:
            self._queue.discard(address, waiting)

    def _start_next(self) -> None:
        while self._running is None and (waiting := self._queue.take()):
            if not waiting.answer.done():
                self._running = asyncio.create_task(self._answer(waiting))

    async def _answer(self, waiting: _Waiting[Q, A]) -> None:
        """Answer a question, then start the next one."""
        try:
            waiting.succeed(await self._ask(waiting.question))
        except Exception as error:
            waiting.fail(error)
        self._running = None
        self._start_next()
