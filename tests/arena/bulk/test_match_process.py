"""Processes in which bots play: what they play, how they die, and that nothing of them is left."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil
import pytest

from arena.bulk.batch import Batch, LostBatch, decode_records
from arena.bulk.job import Job
from arena.bulk.match_process import CHECK_SECONDS, MatchProcess
from arena.model.results import Termination
from tests.support.computing.bulk import games, make_batch, make_job, match_processes, play_here
from tests.support.computing.bulk_bots import (
    ClosesFiles,
    Exits,
    Forks,
    LeavesFork,
    Prints,
    Signals,
    Sleeps,
    Stubborn,
    StubbornUnborn,
    Writes,
    WritesLengths,
)
from tests.support.polling import TEST_TIMEOUT, join, wait_until

ROOT = Path(__file__).parents[3]
KILLED = "its process ended with SIGKILL"


@contextmanager
def match_process(job: Job, hang_seconds: float = TEST_TIMEOUT) -> Iterator[MatchProcess]:
    with closing(MatchProcess(job, hang_seconds)) as process:
        yield process


def play(process: MatchProcess, job: Job, batch: Batch) -> dict[int | None, object]:
    """Return the games of a batch that is not lost."""
    data = process.play(batch)
    assert isinstance(data, bytes), data
    return games(decode_records(batch, job.time, data).matches.records())


@pytest.mark.usefixtures("measured")
def test_one_process_plays_all_batches_until_it_ends() -> None:
    """It is started when it is needed, and leaves no file open."""
    job, files = make_job("random", "greedy"), len(os.listdir("/dev/fd"))
    with match_process(job) as process:
        process.reset()  # there is none yet
        assert not match_processes()
        for batch in (make_batch(3), make_batch(5, number=2, stones=30)):
            assert play(process, job, batch) == games(play_here(job, batch))
        [first] = match_processes()
        first.kill()
        assert process.play(make_batch(3)) == LostBatch(1, KILLED, 0)
        assert play(process, job, make_batch(3)) == games(play_here(job, make_batch(3)))
        [second] = match_processes()
        process.reset()
        assert play(process, job, make_batch())
        [third] = match_processes()
    assert len({first, second, third}) == 3
    assert not third.is_running()
    assert len(os.listdir("/dev/fd")) == files


def test_a_process_that_ends_its_batch_at_the_end_of_the_run_is_reaped() -> None:
    """Which may come between the answer and the note that it plays no longer."""
    job = make_job()
    process = MatchProcess(job, TEST_TIMEOUT)
    assert play(process, job, make_batch())
    process._is_playing = True
    process.close()
    process._finish()
    assert not match_processes()


@pytest.mark.parametrize(("bot", "opponent"), [(Prints, "random"), (Forks, "greedy")])
def test_bots_may_print_read_and_fork(bot: type, opponent: str) -> None:
    job = make_job(bot, opponent)
    with match_process(job) as process:
        for number in (1, 2):
            assert [*play(process, job, make_batch(2, number))] == [1, 2]


@pytest.mark.parametrize(
    ("bot", "cause"),
    [
        (Exits, "its process ended with status 3"),
        (LeavesFork, "its process ended with status 4"),
        (Signals, f"its process ended with signal {signal.SIGRTMIN + 6}"),
    ],
)
def test_the_match_with_which_a_process_dies_is_named(bot: type, cause: str) -> None:
    with match_process(make_job("random", bot)) as process:
        assert process.play(make_batch(2, number=7)) == LostBatch(7, cause, 1)
        assert process.play(make_batch(2, number=8)) == LostBatch(8, cause, 1)
    assert not match_processes()


def test_a_process_that_closes_its_files_is_lost() -> None:
    with match_process(make_job("random", ClosesFiles)) as process:
        assert isinstance(process.play(make_batch()), LostBatch)


@pytest.mark.parametrize("bot", [Writes, WritesLengths])
def test_what_a_process_sends_is_not_trusted(bot: type) -> None:
    job, batch = make_job("random", bot), make_batch()
    with match_process(job) as process:
        played = process.play(batch)
        if isinstance(played, LostBatch):
            assert played.cause.startswith("a bot has written to the connection of its process")
        else:
            with pytest.raises(ValueError, match="Expected `array`"):
                decode_records(batch, job.time, played)


def test_a_process_is_looked_at_while_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bulk.match_process.CHECK_SECONDS", 0.001)
    job, batch = make_job(time="unlimited"), make_batch()
    with match_process(job) as process:
        assert play(process, job, batch) == games(play_here(job, batch))


@pytest.mark.parametrize(
    ("bot", "time", "hang_seconds", "short", "cause"),
    [
        (
            Stubborn,
            "unlimited",
            2 * CHECK_SECONDS,
            [],
            f"did not answer within {2 * CHECK_SECONDS:g} s",
        ),
        # In the fourth turn: the bots were created in two, and the opponent has answered.
        (Stubborn, "0.1+0.1", TEST_TIMEOUT, ["MARGIN"], "did not answer within 1 s"),
        (
            StubbornUnborn,
            "1000",
            TEST_TIMEOUT,
            ["MARGIN", "CREATION"],
            "was not created within 1 s",
        ),
    ],
)
def test_a_bot_that_cannot_be_interrupted_is_killed(
    monkeypatch: pytest.MonkeyPatch,
    bot: type,
    time: str,
    hang_seconds: float,
    short: list[str],
    cause: str,
) -> None:
    for name in short:
        monkeypatch.setattr(f"arena.bulk.match_process.{name}_SECONDS", 0.5)
    with match_process(make_job("random", bot, time), hang_seconds) as process:
        assert process.play(make_batch()) == LostBatch(1, f"bert {cause}", 1)


@pytest.mark.usefixtures("measured")
def test_a_bot_that_does_not_answer_loses_on_time() -> None:
    job, batch = make_job("random", Sleeps, time="0.5"), make_batch()
    with match_process(job) as process:
        data = process.play(batch)
    assert isinstance(data, bytes)
    [record] = decode_records(batch, job.time, data).matches.records()
    assert (record.result.termination, record.winner) == (Termination.TIMEOUT, "anna")


def test_a_process_can_be_killed_while_it_plays() -> None:
    lost: list[bytes | LostBatch] = []
    process = MatchProcess(make_job(Sleeps))
    thread = threading.Thread(target=lambda: lost.append(process.play(make_batch())))
    thread.start()
    wait_until(lambda: process._child and process._child.state()[0], "the first match")
    process.close()
    join(thread)
    assert lost == [LostBatch(1, KILLED, 1)]
    assert process.play(make_batch()) == LostBatch(
        1, "no process can be started: the run has ended", 0
    )


def test_a_process_that_cannot_be_started_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere")
    files = len(os.listdir("/dev/fd"))
    with match_process(make_job()) as process:
        lost = process.play(make_batch())
    assert isinstance(lost, LostBatch)
    assert (lost.match, "/nowhere" in lost.cause) == (0, True)
    assert len(os.listdir("/dev/fd")) == files


WORKER = """
import threading
from arena.bulk.match_process import MatchProcess
from tests.support.computing.bulk import make_batch, make_job
from tests.support.computing.bulk_bots import Stubborn
process = MatchProcess(make_job("random", Stubborn))
threading.Thread(target=process.play, args=(make_batch(),)).start()
while not (process._child and process._child.state()[0]):
    pass
print("playing", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals the end of a pipe")
def test_the_end_of_a_worker_ends_its_process() -> None:
    command = [sys.executable, "-c", WORKER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == b"playing\n"
        started = match_processes(worker.pid)
        worker.kill()
    assert len(started) == 1
    _, alive = psutil.wait_procs(started, timeout=TEST_TIMEOUT)
    assert not alive
