"""Questions for a worker process: they wait in a fair queue, and one is answered at a time.

Equal questions are one question with several askers.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from arena.protocol.codec import RequestError
from arena.spectators.workers.fair_queue import FairQueue

MAX_WAITING = 100  # questions in all
MAX_WAITING_PER_ADDRESS = 4

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(eq=False)
class _Waiting(Generic[Q, A]):
    """A question and the answers to its askers; an asker that leaves cancels its own."""

    address: str  # of the first asker
    question: Q
    answers: list[asyncio.Future[A]] = field(default_factory=list)

    @property
    def is_wanted(self) -> bool:
        return not all(answer.done() for answer in self.answers)

    def succeed(self, result: A) -> None:
        for answer in self.answers:
            if not answer.done():
                answer.set_result(result)

    def fail(self, error: Exception) -> None:
        for answer in self.answers:
            if not answer.done():
                answer.set_exception(error)


class Questions(Generic[Q, A]):
    """Queue of questions for one worker process, which answers one at a time.

    A question that is no longer wanted before its turn is never asked. One that is being answered
    runs to its time limit, as ending its process would cost more.
    """

    def __init__(self, ask: Callable[[Q], Awaitable[A]], key: Callable[[Q], Hashable]) -> None:
        """Start without questions.

        Args:
            ask: Returns the answer to a question, from the process.
            key: Returns what only equal questions have in common.
        """
        self._ask = ask
        self._key = key
        self._open: dict[Hashable, _Waiting[Q, A]] = {}
        self._queue: FairQueue[_Waiting[Q, A]] = FairQueue(MAX_WAITING_PER_ADDRESS, MAX_WAITING)
        self._running: asyncio.Task[None] | None = None

    async def ask(self, address: str, question: Q) -> A:
        """Return the answer to a question, when it is the turn of the address.

        Raises:
            RequestError: There is no answer, too many questions wait, or the arena closes.
        """
        key = self._key(question)
        waiting = self._open.get(key)
        is_first = waiting is None
        waiting = waiting or _Waiting(address, question)
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        waiting.answers.append(answer)
        if is_first:
            self._open[key] = waiting
            if refused := self._queue.add(address, waiting):
                text = "too many questions are waiting, retry later"
                refused.fail(RequestError("busy", text))
            self._start_next()
        try:
            return await answer
        except RequestError as error:
            if error.code != "busy" or address == waiting.address:
                raise
            self._forget(key, waiting)
            return await self.ask(address, question)  # too many of the first asker wait
        finally:
            if not waiting.is_wanted:
                self._queue.discard(waiting.address, waiting)
                self._forget(key, waiting)

    def _forget(self, key: Hashable, waiting: _Waiting[Q, A]) -> None:
        """Let the next equal question be asked anew."""
        if self._open.get(key) is waiting:
            del self._open[key]

    def _start_next(self) -> None:
        while self._running is None and (waiting := self._queue.take()):
            if waiting.is_wanted:
                self._running = asyncio.create_task(self._answer(waiting))

    async def _answer(self, waiting: _Waiting[Q, A]) -> None:
        """Answer a question, then start the next one."""
        try:
            waiting.succeed(await self._ask(waiting.question))
        except Exception as error:
            waiting.fail(error)
        self._running = None
        self._start_next()
