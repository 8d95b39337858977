"""The arena that is attacked, started as an operator does, and its memory."""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from arena.sandbox.process import Lifeline
from bench.arena.attacks.honest_bots import STONES
from bench.arena.load import processor_time

MEMORY = "/dev/shm"  # a folder
TIME = "1+0.05"  # short, so that a stall of a second loses a match
HOUSE_BOT = "random"
START_TIMEOUT = 120.0  # seconds; a large database takes a while to read
SAMPLE_INTERVAL = 0.1  # seconds between two readings of the memory
PAGE = resource.getpagesize()


@contextmanager
def pinned(cores: Collection[int]) -> Iterator[None]:
    """Run on some cores; processes that are started here stay on them."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def vanishing_folder() -> Iterator[Path]:
    """Yield a folder in memory that is removed at the end, also when this process is killed."""
    name = tempfile.mkdtemp(dir=MEMORY)
    command = ["sh", "-c", 'cat; rm -rf "$1"', "sh", name]  # its input ends with this process
    with subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0):
        yield Path(name)


class ArenaCommand:
    """A running `arena serve`.

    Attributes:
        port: The port that it listens on.
    """

    def __init__(
        self, folder: Path, process: subprocess.Popen[bytes], processors: Collection[int]
    ) -> None:
        self._folder = folder
        self._process = process
        self._processors = processors  # of the processes that it starts
        self.port = self._wait_for_port()

    @property
    def memory(self) -> float:
        """The resident memory of the arena and of the processes that it started, in MiB."""
        return sum(map(_resident, _with_children(self._process.pid))) * PAGE / 2**20

    @property
    def cpu(self) -> float:
        """The processor time of the arena without its children, in seconds."""
        return processor_time(self._process.pid)

    @property
    def descriptors(self) -> int:
        """The number of open descriptors."""
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    def release_children(self) -> None:
        """Let the processes that it has started leave its core, as without this benchmark."""
        for pid in _with_children(self._process.pid)[1:]:
            with suppress(OSError):  # it has ended
                for thread in Path(f"/proc/{pid}/task").iterdir():
                    os.sched_setaffinity(int(thread.name), self._processors)

    def errors(self) -> list[str]:
        """Return the lines of the log with the level error or above, and tracebacks."""
        log = (self._folder / "log").read_text().splitlines()
        errors = [line for line in log if json.loads(line)["level"] in {"error", "critical"}]
        out = (self._folder / "out").read_text()
        return errors + re.findall("^Traceback.*(?:\n.*)*", out, re.MULTILINE)

    def _wait_for_port(self) -> int:
        end = time.monotonic() + START_TIMEOUT
        while time.monotonic() < end and self._process.poll() is None:
            if found := re.search(r"ws://[^/]*:(\d+)/play", (self._folder / "out").read_text()):
                return int(found[1])
            time.sleep(0.05)
        raise RuntimeError(f"the arena did not start: {(self._folder / 'out').read_text()}")


@contextmanager
def running_arena(folder: Path, core: int) -> Iterator[ArenaCommand]:
    """Run `arena serve` on one core, with its database and its log in a folder.

    It is killed with this process.
    """
    command = [sys.executable, "-m", "arena", "serve", "--port", "0", "--open", "--time", TIME]
    command += ["--stones", str(STONES), "--offer", HOUSE_BOT]
    command += ["--db", str(folder / "arena.db"), "--log", str(folder / "log")]
    processors = os.sched_getaffinity(0)
    with closing(Lifeline()) as lifeline:
        with (folder / "out").open("wb") as out, pinned({core}):
            process = subprocess.Popen(
                command, stdout=out, stderr=out, pass_fds=[lifeline.inherited], process_group=0
            )
        lifeline.attach(process.pid)
        try:
            yield ArenaCommand(folder, process, processors)
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def peak_memory(arena: ArenaCommand) -> Iterator[list[float]]:
    """Yield a list that gets one element: the peak memory of the arena, in MiB.

    Meanwhile the processes that the arena starts leave its core.
    """
    peak, over = [arena.memory], threading.Event()

    def sample() -> None:
        while not over.wait(SAMPLE_INTERVAL):
            arena.release_children()
            peak[0] = max(peak[0], arena.memory)

    sampling = threading.Thread(target=sample)
    sampling.start()
    try:
        yield peak
    finally:
        over.set()
        sampling.join()


def _with_children(pid: int) -> list[int]:
    found = [pid]
    for each in found:  # grows
        try:
            for task in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        except OSError:  # it has ended
            continue
    return found


def _resident(pid: int) -> int:
    """Return the resident pages of a process, 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
