"""Process in which bots play, as seen from its worker. Blocking: for one thread of the worker.

Users' bots may hang, end their process, fork, print and close files: the process is a group of its
own that is killed as a whole, and memory that it shares with the worker names the match and the
player that it has died or hung with.
"""

import os
import select
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from mmap import mmap
from tempfile import TemporaryFile

from arena.bulk.batch import Batch, LostBatch, encode_pairings
from arena.bulk.job import Job
from arena.bulk.turn_watch import (
    CREATION_SECONDS,
    MATCH,
    SIZE,
    TURN,
    TURNS_BEFORE,
    WAITING_SECONDS,
    is_creation,
    player_of,
    turn_number,
)
from arena.ipc import HEADER, ONE_THREAD, frame, pack
from arena.model.results import Pairing
from arena.model.time_control import parse_controls
from arena.sandbox.process import describe_status

PROGRAM = "arena.bulk.program"
CHECK_SECONDS = 1.0  # between two looks at a process that has not answered
START_SECONDS = 300.0  # without a match: the process starts, or the records are on their way
MARGIN_SECONDS = 60.0  # after which a turn is ended that the process itself should have ended
HANG_SECONDS = WAITING_SECONDS + MARGIN_SECONDS  # of a turn without a clock
EXIT_SECONDS = 5.0  # for what bots do at the exit of their process
PAUSE_SECONDS = 1.0  # after a process that could not play: a sick machine must not draw all batches
MAX_ANSWER = 2**30  # bytes


class _Ended(Exception):
    """The process has ended, or has to be ended. The text is the cause."""


class MatchProcess:
    """Process that plays batches; it starts with the first one, and again after each death."""

    def __init__(self, job: Job, hang_seconds: float = HANG_SECONDS) -> None:
        """Start nothing yet.

        Args:
            job: The job of the worker.
            hang_seconds: The time of a turn without a clock after which the process is killed.
        """
        self._job = job
        self._hang_seconds = hang_seconds
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._is_playing = False
        self._closed = threading.Event()

    def play(self, batch: Batch) -> bytes | LostBatch:
        """Play a batch.

        Returns:
            Its records, for `arena.bulk.batch.decode_records`; or how it was lost.
        """
        played = self._play(batch)
        if isinstance(played, LostBatch) and played.match == 0:
            self._closed.wait(PAUSE_SECONDS)
        return played

    def close(self) -> None:
        """End the process for good, from any thread.

        An idle process exits by itself. One that plays is killed, and its batch is lost.
        """
        with self._lock:
            self._closed.set()
            if self._child and self._is_playing:
                self._child.kill()
            elif self._child:
                self._child.close()
                self._child = None

    def reset(self) -> None:
        """Kill the process, which has sent invalid records; the next batch starts another one."""
        with self._lock:
            if self._child:
                self._child.end()
                self._child = None

    def _play(self, batch: Batch) -> bytes | LostBatch:
        try:
            child = self._begin()
        except (OSError, _Ended) as error:
            return LostBatch(batch.number, f"no process can be started: {error}", 0)
        try:
            return child.play(batch, self._hang_seconds)
        except (_Ended, OSError) as error:
            return self._lost(child, batch, str(error) if isinstance(error, _Ended) else "")
        finally:
            self._finish()

    def _finish(self) -> None:
        """Note that the process plays no longer."""
        with self._lock:
            self._is_playing = False
            if self._child and self._closed.is_set():  # `close` has killed it in the last moment
                self._child.end()
                self._child = None

    def _begin(self) -> "_Child":
        with self._lock:
            if self._closed.is_set():
                raise _Ended("the run has ended")
            self._child = self._child or _Child(self._job)
            self._is_playing = True
            return self._child

    def _lost(self, child: "_Child", batch: Batch, cause: str) -> LostBatch:
        """Return how a batch was lost, and forget the process."""
        with self._lock:
            self._child = None
            status = child.end()
        match, *_ = child.state()
        return LostBatch(batch.number, cause or f"its process {describe_status(status)}", match)


class _Child:
    """A running process, its pipes and the memory that it shares."""

    def __init__(self, job: Job) -> None:
        with TemporaryFile() as file, ExitStack() as theirs, ExitStack() as ours:
            file.truncate(SIZE)
            self._cells = memoryview(mmap(file.fileno(), SIZE)).cast("q")
            (incoming, self._commands), (self._answers, outgoing), (life, self._life) = (
                os.pipe() for _ in range(3)
            )
            for descriptor in (incoming, outgoing, life):
                theirs.callback(os.close, descriptor)
            for descriptor in (self._commands, self._answers, self._life):
                ours.callback(os.close, descriptor)
            self._process = _start(incoming, outgoing, life, file.fileno())
            self._files = ours.pop_all()
        self._time_control = job.time
        self._greeting = pack(job)
        self._poll = select.poll()
        self._poll.register(self._answers, select.POLLIN)

    def play(self, batch: Batch, hang_seconds: float) -> bytes:
        """Return the records of a batch. Raises _Ended and OSError."""
        greeting, self._greeting = self._greeting, b""
        self._cells[MATCH] = 0
        _write(self._commands, greeting + frame(encode_pairings(batch.pairings)))
        watch = _HangWatch(batch, self._time_control, hang_seconds)
        (length,) = HEADER.unpack(self._read(HEADER.size, watch))
        if length > MAX_ANSWER:
            raise _Ended(f"a bot has written to the connection of its process: {length} bytes")
        return self._read(length, watch)

    def _read(self, size: int, watch: "_HangWatch") -> bytes:
        data = bytearray()
        while len(data) < size:
            while not self._poll.poll(1000 * CHECK_SECONDS):
                if self._has_ended():  # a process that a bot has forked keeps the pipe open
                    raise _Ended
                watch.check(*self.state())
            part = os.read(self._answers, size - len(data))
            if not part:
                raise _Ended
            data += part
        return bytes(data)

    def _has_ended(self) -> bool:
        return self._process.poll() is not None

    def state(self) -> tuple[int, int, int]:
        """Return the number of the match that is or was being played, the turn, turns before it."""
        return self._cells[MATCH], self._cells[TURN], self._cells[TURNS_BEFORE]

    def kill(self) -> None:
        """Kill the group of the process."""
        with suppress(ProcessLookupError, PermissionError):  # macOS: for a group without processes
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> int:
        """Kill the group, and return the status of the process."""
        self.kill()
        status = self._process.wait()
        self._files.close()
        return status

    def close(self) -> None:
        """Let an idle process exit, and kill what is left of it."""
        os.dup2(self._life, self._commands)  # closes it, which the process waits for
        self._poll.poll(1000 * EXIT_SECONDS)
        self.end()


class _HangWatch:
    """Time during which the turn of a process has not changed.

    It is counted in checks: a machine that sleeps, or a worker that is stopped, does not count. The
    time before the first match and after the last one counts as a turn, too.
    """

    def __init__(self, batch: Batch, time_control: str, seconds: float) -> None:
        self._pairings = {pairing.number: pairing for pairing in batch.pairings}
        self._time_control = time_control
        self._limit = seconds
        self._last = 0, 0
        self._seconds = 0.0

    def check(self, match: int, turn: int, turns_before: int) -> None:
        """Add the time since the last check; raise _Ended after the limit."""
        is_same = (match, turn) == self._last
        self._seconds = self._seconds + CHECK_SECONDS if is_same else 0.0
        self._last = match, turn
        pairing = self._pairings.get(match)  # None: no match, or a bot has written to the memory
        number = turn_number(turn) - turns_before
        limit = self._limit_of(pairing, player_of(turn), number)
        if not match:
            limit = max(limit, START_SECONDS)
        if self._seconds >= limit:
            name = pairing.players[player_of(turn) - 1] if pairing else "a bot"
            failure = "was not created" if pairing and is_creation(number) else "did not answer"
            raise _Ended(f"{name} {failure} within {limit:g} s")

    def _limit_of(self, pairing: Pairing | None, player: int, turn: int) -> float:
        """Return the limit of a player's turn in seconds."""
        if pairing is None:
            return self._limit
        if is_creation(turn):
            return CREATION_SECONDS + MARGIN_SECONDS
        control = parse_controls(pairing.time or self._time_control)[player - 1]
        if not control.has_clock:
            return self._limit
        # No clock has more, as less than all turns have added an increment to it.
        longest = control.base + control.increment * turn + control.margin
        return longest + MARGIN_SECONDS


def _start(*descriptors: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", PROGRAM, *map(str, descriptors)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **ONE_THREAD},
        pass_fds=descriptors,
        start_new_session=True,
    )


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
