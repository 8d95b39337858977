"""The program in which bots play: it ends with its worker, even one that has ended before it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from mmap import mmap
from tempfile import TemporaryFile

import pytest

from arena.bulk.batch import decode_records, encode_pairings
from arena.bulk.match_process import PROGRAM
from arena.bulk.program import main, serve
from arena.bulk.turn_watch import SIZE, TurnWatch
from arena.ipc import frame, pack, read_bodies
from tests.support.computing.bulk import games, make_batch, make_job, play_here


@contextmanager
def files_of_an_ended_worker() -> Iterator[list[int]]:
    """Yield the file descriptors that are the arguments of the program."""
    with TemporaryFile() as memory, ExitStack() as stack:
        memory.truncate(SIZE)
        life, other_end = os.pipe()
        os.close(other_end)
        files = [os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY), life]
        for descriptor in files:
            stack.callback(os.close, descriptor)
        yield [*files, memory.fileno()]


@pytest.mark.usefixtures("measured")
def test_a_program_without_a_worker_ends() -> None:
    with files_of_an_ended_worker() as files:
        command = [sys.executable, "-m", PROGRAM, *map(str, files)]
        subprocess.run(command, pass_fds=files, check=True)


def test_elsewhere_than_on_linux_it_ends_with_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bulk.program.IS_SUPPORTED", False)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with files_of_an_ended_worker() as files:
        main([str(descriptor) for descriptor in files])


def test_batches_are_played_in_order() -> None:
    job, batches, outgoing = make_job(), [make_batch(1), make_batch(3)], BytesIO()
    messages = [frame(encode_pairings(batch.pairings)) for batch in batches]
    serve(BytesIO(pack(job) + b"".join(messages)), outgoing, TurnWatch(mmap(-1, SIZE)))
    outgoing.seek(0)
    for batch, data in zip(batches, read_bodies(outgoing), strict=True):
        played = decode_records(batch, job.time, data)
        assert games(played.matches.records()) == games(play_here(job, batch))


def test_a_copy_of_the_process_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter([1, 2])
    monkeypatch.setattr("os.getpid", lambda: next(numbers))
    monkeypatch.setattr("os._exit", sys.exit)
    data, outgoing = pack(make_job()) + frame(encode_pairings(make_batch().pairings)), BytesIO()
    watch = TurnWatch(mmap(-1, SIZE))
    with pytest.raises(SystemExit):
        serve(BytesIO(data), outgoing, watch)
    watch.disarm()
    assert not outgoing.getvalue()
