"""The arena under load, compared with a bare echo server: `python -m bench.arena.load`.

Server and bots are separate processes, with the same simulated bots for both servers
(bench/arena/simulated_bots.py). The echo server repeats the turns of one match and neither decodes
nor judges; its number of messages in transit equals the number of matches in the arena. All results
are stored as in a tournament, in the folder for temporary files. It needs /proc of Linux.
"""

import argparse
import multiprocessing
import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from arena.model.results import MatchRecord, Termination
from arena.storage.reader import DatabaseReader
from bench.arena import arena_process, echo_server, simulated_bots
from bench.arena.arena_process import Load, MemoryReport
from bench.goals import met

GOAL = 0.8  # of the echo server's round trips
GOAL_DELAY = 5.0  # ms, the delay of 99 % of the moves
GOAL_IDLE = 40.0  # KiB per bot
LONG_TIME, SHORT_TIME = "1000+10", "1+0.01"
WARM_UP = 1.0  # seconds
FIRST_MATCH = 0.2  # seconds until the first match has begun
THINK = 0.04, 0.06  # seconds, shortest and longest: equal times would synchronise the bots
CONTEXT = multiprocessing.get_context("spawn")  # so that no process inherits another's memory


class ChildProcess(NamedTuple):
    """A child process with the pipe to it."""

    pid: int
    pipe: Connection

    @property
    def cpu(self) -> float:
        """Return its processor time, in seconds."""
        return processor_time(self.pid)


def processor_time(pid: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # proc(5)


@contextmanager
def run_process(target: Callable[..., None], *arguments: Any) -> Iterator[ChildProcess]:
    """Run a function in a separate process, with a pipe as its first argument."""
    ours, theirs = CONTEXT.Pipe()
    child = CONTEXT.Process(target=target, args=(theirs, *arguments), daemon=True)
    child.start()
    theirs.close()
    try:
        assert child.pid
        yield ChildProcess(child.pid, ours)
        child.join(30)
    finally:
        child.kill()
        child.join()


Times = dict[tuple[str, int], float]  # seconds, by match and ply


class LoadResult(NamedTuple):
    """The result of a load."""

    records: list[MatchRecord]
    thinking_times: Times
    memory: MemoryReport
    seconds: float


class Throughput(NamedTuple):
    """Round trips per second, and the server's processor time for each, in seconds."""

    rate: float
    cpu: float


def echo_throughput(connections: int, seconds: float) -> Throughput:
    """Return the throughput of the echo server."""
    with (
        run_process(echo_server.run, False) as server,
        run_process(simulated_bots.run, server.pipe.recv(), connections, 0.0, 0.0) as bots,
    ):
        bots.pipe.recv()
        speed = _measure(server, bots, seconds)
        bots.pipe.send(None)
        bots.pipe.recv()
        server.pipe.send(None)
    return speed


def arena_throughput(matches: int, seconds: float) -> Throughput:
    """Return the throughput of the arena, with two bots per match."""
    with tempfile.TemporaryDirectory() as folder:
        load = Load(2 * matches, matches, LONG_TIME)
        with (
            run_process(arena_process.run, Path(folder) / "arena.db", load) as server,
            run_process(simulated_bots.run, server.pipe.recv(), load.bots, 0.0, 0.0) as bots,
        ):
            bots.pipe.recv()
            server.pipe.send(None)
            speed = _measure(server, bots, seconds)
            server.pipe.send(None)
            server.pipe.recv()
            bots.pipe.send(None)
            bots.pipe.recv()
    return speed


def _measure(server: ChildProcess, bots: ChildProcess, seconds: float) -> Throughput:
    time.sleep(WARM_UP)
    before = server.cpu
    bots.pipe.send(seconds)
    moves, passed = bots.pipe.recv()
    return Throughput(moves / passed, (server.cpu - before) / moves)


def play(
    load: Load,
    shortest: float,
    longest: float,
    watch: Callable[[int], AbstractContextManager[Callable[[], None]]] | None = None,
) -> LoadResult:
    """Play matches between simulated bots, and read the stored records.

    Args:
        load: The load of the arena.
        shortest: The shortest time to think about a move, in seconds.
        longest: The longest time to think about a move, in seconds.
        watch: Called with the port before the first match; the function that its context yields
            is called when that match has begun.
    """
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "arena.db"
        with ExitStack() as stack:
            server = stack.enter_context(run_process(arena_process.run, db, load))
            port = server.pipe.recv()
            bots = stack.enter_context(
                run_process(simulated_bots.run, port, load.bots, shortest, longest, load.stones)
            )
            bots.pipe.recv()
            start_watching = stack.enter_context(watch(port)) if watch else None
            begun = time.monotonic()
            server.pipe.send(None)
            if start_watching:
                time.sleep(FIRST_MATCH)
                start_watching()
            memory = server.pipe.recv()
            seconds = time.monotonic() - begun
            bots.pipe.send(None)
            thinking_times = bots.pipe.recv()
        with DatabaseReader(db) as records:
            return LoadResult([*records.matches(moves=True)], thinking_times, memory, seconds)


def speeds(seconds: float, runs: int) -> Iterator[str]:
    """Yield the table of round trips by number of matches."""
    yield "          round trips per second  ratio                        us of the server's CPU"
    yield "matches      echo     arena  median  lowest..highest   goal      echo  arena  ratio"
    for matches in (1, 10, 100, 1000):
        pairs = [
            (echo_throughput(matches, seconds), arena_throughput(matches, seconds))
            for _ in range(runs)
        ]
        ratios = [ours.rate / bare.rate for bare, ours in pairs]
        ratio, spread = median(ratios), f"{min(ratios):.2f}..{max(ratios):.2f}"
        goal = "" if matches < 100 else f"{GOAL} {met(ratio >= GOAL)}"
        bare, ours = (median(speed.rate for speed in column) for column in zip(*pairs, strict=True))
        costs = [1e6 * median(speed.cpu for speed in column) for column in zip(*pairs, strict=True)]
        yield (
            f"{matches:7d}  {bare:8.0f}  {ours:8.0f}  {ratio:6.2f}  {spread:>15}  {goal:>7}"
            f"  {costs[0]:6.1f} {costs[1]:6.1f} {costs[0] / costs[1]:6.2f}"
        )


def losses(matches: int) -> Iterator[str]:
    """Yield time losses and memory use of fast matches."""
    played = play(Load(500, 250, SHORT_TIME, matches), 0.0, 0.02)
    ends = Counter(record.result.termination for record in played.records)
    stopped = sum(record.result.reason == "the arena was stopped" for record in played.records)
    counted = len(played.records) - stopped
    lost = counted - ends[Termination.NO_LEGAL_MOVE]
    turns = sum(len(record.moves) for record in played.records)
    lag = max(move.lag for record in played.records for move in record.moves)
    yield f"{counted:,} matches at {SHORT_TIME} s, 250 at once, bots think up to 20 ms:"
    yield f"  {counted / played.seconds:.0f} matches/s, {turns / played.seconds:.0f} turns/s"
    yield f"  ended other than by the rules: {lost}, goal 0 {met(not lost)}"
    yield f"  maximum lag of the arena {1000 * lag:.0f} ms"
    tenth, last = (size / 1024 for size in played.memory)
    yield f"  memory {tenth:.1f} MiB after a tenth, {last:.1f} MiB at the end"


def delays(matches: int, seconds: float) -> Iterator[str]:
    """Yield the delay that the arena and the network add to the thinking time."""
    played = play(Load(200, 100, LONG_TIME, matches), *THINK)
    elapsed = times(played)
    yield f"{len(elapsed):,} moves in 100 matches at once between bots that think 40 to 60 ms:"
    yield "  ms beyond   median     95 %     99 %  maximum  goal"
    for name, delay in (
        ("echo", overheads(*echo_delays(100, seconds))),
        ("arena", overheads(elapsed, played.thinking_times)),
    ):
        cuts = quantiles(delay, n=100)
        goal = f"  {GOAL_DELAY:g} {met(cuts[98] < GOAL_DELAY)}" if name == "arena" else ""
        yield (
            f"{name:>11}"
            + "".join(f"{value:9.2f}" for value in (cuts[49], cuts[94], cuts[98], max(delay)))
            + goal
        )


def times(played: LoadResult) -> Times:
    """Return the elapsed time of each turn by the arena's clock."""
    return {
        (str(record.id), move.ply): move.elapsed
        for record in played.records
        for move in record.moves
    }


def overheads(elapsed: Times, thinking_times: Times) -> list[float]:
    """Return by how many milliseconds turns took longer than the thinking."""
    return [1000 * (seconds - thinking_times[turn]) for turn, seconds in elapsed.items()]


def echo_delays(connections: int, seconds: float) -> tuple[Times, Times]:
    """Return the elapsed times of the echo server's turns, and the thinking times of the bots."""
    with (
        run_process(echo_server.run, True) as server,
        run_process(simulated_bots.run, server.pipe.recv(), connections, *THINK) as bots,
    ):
        bots.pipe.recv()
        time.sleep(seconds)
        server.pipe.send(None)
        elapsed: Times = server.pipe.recv()
        bots.pipe.send(None)
        # During the first match on each connection bots were still connecting.
        steady = {turn: took for turn, took in elapsed.items() if int(turn[0]) > connections}
        return steady, bots.pipe.recv()


def idle(bots: int) -> Iterator[str]:
    """Yield the memory use of connected idle bots."""
    grown = []
    for count in (1, bots + 1):
        with tempfile.TemporaryDirectory() as folder:
            load = Load(count, 0, LONG_TIME)
            with (
                run_process(arena_process.run, Path(folder) / "arena.db", load) as server,
                run_process(simulated_bots.run, server.pipe.recv(), count, 0.0, 0.0) as connected,
            ):
                connected.pipe.recv()
                server.pipe.send(None)
                time.sleep(WARM_UP)
                server.pipe.send(None)
                grown.append(server.pipe.recv().last)
                connected.pipe.send(None)
                connected.pipe.recv()
    each = (grown[1] - grown[0]) / bots
    yield f"{bots:,} idle bots: {each:.1f} KiB each, goal {GOAL_IDLE:g} KiB {met(each < GOAL_IDLE)}"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.load", description="Measure the arena under load."
    )
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="length of each measurement (default: 3)"
    )
    parser.add_argument("--runs", type=int, default=3, help="number of measurements (default: 3)")
    parser.add_argument(
        "--matches", type=int, default=2000, help="number of fast matches (default: 2000)"
    )
    parts = ("speeds", "losses", "delays", "idle")
    parser.add_argument("--only", choices=parts, help="run one part only")
    chosen = parser.parse_args()
    needed = 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(needed, hard)), hard))
    for part, lines in {
        "speeds": speeds(chosen.seconds, chosen.runs),
        "losses": losses(chosen.matches),
        "delays": delays(1000, chosen.seconds),
        "idle": idle(1000),
    }.items():
        if chosen.only in (None, part):
            for line in lines:
                print(line, flush=True)


if __name__ == "__main__":
    main()
