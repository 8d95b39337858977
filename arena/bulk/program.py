"""Program of a process in which bots play: `python -m arena.bulk.program IN OUT LIFE MEMORY`.

Its arguments are file descriptors. It reads messages from IN (arena.ipc): first the job, a pickle,
then batches of pairings; it writes the records of each batch to OUT. Standard input and output are
/dev/null, as bots may read and print. MEMORY is shared with the worker (arena.bulk.turn_watch).

LIFE is a pipe, and the worker holds its other end: when the worker ends, however it ends, Linux
kills this process and all others of its group. Elsewhere the process ends with IN, after its batch.
"""

import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from mmap import mmap
from types import FrameType
from typing import BinaryIO

from arena.bulk.batch import decode_pairings, encode_records
from arena.bulk.job import Job
from arena.bulk.match_player import play_match
from arena.bulk.players import Players
from arena.bulk.turn_watch import SIZE, TurnWatch
from arena.ipc import frame, read_bodies
from arena.sandbox.process import IS_SUPPORTED, kill_at_end


def serve(incoming: BinaryIO, outgoing: BinaryIO, watch: TurnWatch) -> None:
    """Play batches until the worker ends."""
    process = os.getpid()
    bodies = read_bodies(incoming)
    for body in bodies:
        job: Job = pickle.loads(body)
        with closing(Players(job)) as players:
            play = partial(play_match, time_control=job.time, create=players.create, watch=watch)
            for batch in bodies:
                began = time.perf_counter()
                watch.arm()
                records = [play(pairing) for pairing in decode_pairings(batch)]
                if os.getpid() != process:  # a bot has forked, and its copy has come this far
                    os._exit(0)
                outgoing.write(frame(encode_records(records, time.perf_counter() - began)))
                outgoing.flush()
                watch.disarm()


def die_with(life: int) -> None:
    """Let the system kill the group of this process when the other end of a pipe is closed."""
    kill_at_end(life, os.getpgrp())
    if select.select([life], [], [], 0)[0]:  # it was closed before
        sys.exit()


def _ignore(_signal: int, _frame: FrameType | None) -> None:
    """Ignore a signal."""


def main(arguments: Sequence[str]) -> None:
    """Play until the worker ends."""
    incoming, outgoing, life, memory = map(int, arguments)
    if IS_SUPPORTED:
        die_with(life)
    # The worker decides when it ends, also where Ctrl-C or SIGTERM reach both. Users' programs,
    # which would inherit SIG_IGN, do not ignore them.
    signal.signal(signal.SIGINT, _ignore)
    signal.signal(signal.SIGTERM, _ignore)
    watch = TurnWatch(mmap(memory, SIZE))
    # They are never closed: the end of OUT tells the worker that this process has ended.
    with (
        open(incoming, "rb", closefd=False) as reading,
        open(outgoing, "wb", closefd=False) as writing,
    ):
        serve(reading, writing, watch)


if __name__ == "__main__":
    main(sys.argv[1:])
