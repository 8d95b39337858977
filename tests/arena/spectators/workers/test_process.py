"""Worker processes: calls from the event loop, limits, and ends of all kinds."""

import asyncio
import os
import select
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

import psutil
import pytest

from arena.protocol.codec import RequestError
from arena.spectators.workers import process as program_of
from arena.spectators.workers.process import WorkerProcess
from core import GAMES
from core.game_families import GameFamilies
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, awaited, missed, until
from tests.support.servers.arena_command import running_process

BUILTINS = partial(import_module, "builtins")
PID = "__import__('os').getpid()"
LOOP = "open({!r}, 'w').close()\nwhile True: pass"  # once it has begun, a file exists


@asynccontextmanager
async def worker(seconds: float = 60.0, memory: int = 2**30) -> AsyncIterator[WorkerProcess]:
    """Yield a process that evaluates expressions."""
    process = WorkerProcess(BUILTINS, seconds, memory)
    try:
        yield process
    finally:
        await process.close()


async def busy(process: WorkerProcess, mark: Path) -> asyncio.Task[None]:
    """Return a call that lasts for ever, once it has begun."""
    task: asyncio.Task[None] = asyncio.create_task(process.call("exec", LOOP.format(str(mark))))
    await until(mark.exists, "the call to begin")
    return task


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended, which may not be a child of this one."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    with open(handle):
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(1000 * TEST_TIMEOUT), missed(f"the end of process {pid}")


async def test_calls_are_answered_by_one_process() -> None:
    async with worker() as process:
        pids = await asyncio.gather(*(process.call("eval", PID) for _ in range(3)))
        assert len({*pids, os.getpid()}) == 2
        assert await process.call("len", "x" * 10**6) == 10**6
        assert await process.call("eval", "'x' * 10**6") == "x" * 10**6


async def test_ctrl_c_and_sigterm_do_not_reach_the_process() -> None:
    async with worker() as process:
        pid = await process.call("eval", PID)
        assert os.getpgid(pid) == pid
        assert os.getsid(pid) == os.getsid(0)
        os.kill(pid, signal.SIGTERM)
        assert await process.call("eval", PID) == pid


async def test_the_process_computes_in_one_thread() -> None:
    async with worker(memory=2**28) as process:
        await process.call("exec", "import numpy; numpy.ones((500, 500)) @ numpy.ones((500, 500))")
        assert await process.call("eval", "len(__import__('os').listdir('/proc/self/task'))") == 1


async def test_of_families_only_games_of_the_arena_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(GAMES, "families", GameFamilies())
    hex_game = GAMES["openspiel:hex"]
    async with worker() as process:
        found = "__import__('core').GAMES['openspiel:{}'].title"
        assert await process.call("eval", found.format("hex")) == hex_game.title
        with pytest.raises(RequestError, match="this arena does not play it"):
            await process.call("eval", found.format("chess"))


@loop_over(
    "code, words, is_replaced",
    ("1 / 0", "division by zero", False),
    ("import os; os.kill(os.getpid(), 9)", "has ended", True),
    ("while True: pass", r"more than 0\.05 s of processor time", True),
)
async def test_a_failure_is_that_of_one_call(code: str, words: str, is_replaced: bool) -> None:
    async with worker(seconds=0.05 if "while" in code else 60.0) as process:
        pid = await process.call("eval", PID)
        with pytest.raises(RequestError, match=words) as caught:
            await process.call("exec", code)
        assert caught.value.code == "failed"
        assert (await process.call("eval", PID) != pid) == is_replaced


async def test_memory_is_bounded() -> None:
    async with worker(memory=2**28) as process:
        assert await process.call("eval", "len(bytearray(2**26))") == 2**26
        with pytest.raises(RequestError, match="MemoryError"):
            await process.call("eval", "len(bytearray(2**28))")


async def test_a_cancelled_call_gives_no_answer_to_the_next_one(tmp_path: Path) -> None:
    async with worker() as process:
        task = await busy(process, tmp_path / "mark")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await process.call("eval", "7") == 7


async def test_a_call_that_is_cancelled_at_the_start_of_the_process_leaves_none() -> None:
    before = {*psutil.Process().children()}
    async with worker() as process:
        task = asyncio.create_task(process.call("eval", PID))
        async with awaited("the start of the process"):
            while process._starting is None:  # it is for a moment
                await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not process.is_running
        assert {*psutil.Process().children()} <= before


async def test_an_idle_process_ends_until_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.spectators.workers.process.IDLE_SECONDS", 0.01)
    async with worker() as process:
        pid = await process.call("eval", PID)
        assert process.is_running
        await asyncio.to_thread(wait_for_end, pid)
        await until(lambda: not process.is_running, "the end of the process")
        assert await process.call("eval", PID) != pid


async def test_a_process_with_another_call_is_not_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.spectators.workers.process.IDLE_SECONDS", 0.0)
    async with worker() as process:
        assert len(set(await asyncio.gather(*(process.call("eval", PID) for _ in range(5))))) == 1


async def test_closing_waits_for_no_call(tmp_path: Path) -> None:
    process = WorkerProcess(BUILTINS)
    pid = await process.call("eval", PID)
    task = await busy(process, tmp_path / "mark")
    waiting = asyncio.create_task(process.call("eval", PID))
    await process.close()
    for call in (task, waiting, process.call("eval", PID)):
        with pytest.raises(RequestError, match="closing"):
            await call
    wait_for_end(pid)


async def test_a_process_that_cannot_be_started_fails_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with worker() as process:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(RequestError, match="no process can be started") as caught:
            await process.call("eval", "1")
        assert caught.value.code == "failed"
        monkeypatch.undo()
        assert await process.call("eval", "1") == 1


async def test_it_is_reported_whether_the_process_works(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    process = WorkerProcess(BUILTINS, report=reported.append)
    for name, value in ((sys, "executable"), "/nowhere"), ((program_of, "PROGRAM"), "nothing"):
        with monkeypatch.context() as broken:
            broken.setattr(*name, value)
            with pytest.raises(RequestError):
                await process.call("eval", "1")
    await process.call("eval", "1")
    await process.close()
    assert reported == [
        "no process can be started for the question: No such file or directory",
        "the process that answers questions has ended with status 1",
        "",
    ]


ARENA = """
import asyncio
from functools import partial
from importlib import import_module
from arena.spectators.workers.process import WorkerProcess

async def main():
    process = WorkerProcess(partial(import_module, "builtins"), 1.0)
    print(await process.call("eval", "__import__('os').getpid()"), flush=True)
    await process.call("exec", {!r})

asyncio.run(main())
"""


@loop_over("call", ["import time; time.sleep(0.5)", "while True: pass"])
def test_the_process_does_not_outlive_an_arena_that_was_killed(call: str) -> None:
    with running_process(sys.executable, "-c", ARENA.format(call)) as arena:
        assert arena.stdout
        pid = int(arena.stdout.readline())
        arena.kill()
        wait_for_end(pid)
