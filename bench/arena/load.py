"""`python -m bench.arena.load`: the arena under load, next to a bare echo server in the same run.

Server and bots are separate processes, and the bots are the same stand-ins for both servers
(bench/simulated_bots.py). The echo server sends the turns of one match over and over, and decodes and
judges nothing; as many messages are on their way to it as there are matches in the arena. All
results of matches are stored as in a tournament, on the disk of the folder for temporary files.
It needs Linux, whose /proc tells of other processes.
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
from bench.arena.arena_process import Load, Told

GOAL = 0.6  # of the echo's round trips
GOAL_DELAY = 5.0  # ms that 99 of 100 moves wait at most
GOAL_IDLE = 40.0  # KiB for each bot
AMPLE, SHORT = "1000+10", "1+0.01"
WARM_UP = 1.0  # seconds
BEGINNING = 0.2  # seconds, after which the first match has begun
THINK = 0.04, 0.06  # seconds, from and to: of bots that all take the same all answer at once
CONTEXT = multiprocessing.get_context("spawn")  # so that no process inherits another's memory


class Child(NamedTuple):
    """A process, and our end of the pipe to it."""

    pid: int
    pipe: Connection

    @property
    def cpu(self) -> float:
        """The processor time that it has taken, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # proc(5)


@contextmanager
def process(target: Callable[..., None], *arguments: Any) -> Iterator[Child]:
    """Run a function in a process of its own, with a pipe as its first argument."""
    ours, theirs = CONTEXT.Pipe()
    child = CONTEXT.Process(target=target, args=(theirs, *arguments), daemon=True)
    child.start()
    theirs.close()
    try:
        assert child.pid
        yield Child(child.pid, ours)
        child.join(30)
    finally:
        child.kill()
        child.join()


Times = dict[tuple[str, int], float]  # seconds, by match and ply


class Played(NamedTuple):
    """What came of a load."""

    records: list[MatchRecord]
    thought: Times
    told: Told
    seconds: float


class Speed(NamedTuple):
    """Round trips a second, and the server's processor time for each, in seconds."""

    rate: float
    cpu: float


def echo_speed(connections: int, seconds: float) -> Speed:
    """What the stand-ins count at the echo server."""
    with (
        process(echo_server.run, False) as server,
        process(simulated_bots.run, server.pipe.recv(), connections, 0.0, 0.0) as bots,
    ):
        bots.pipe.recv()
        speed = _watch(server, bots, seconds)
        bots.pipe.send(None)
        bots.pipe.recv()
        server.pipe.send(None)
    return speed


def arena_speed(matches: int, seconds: float) -> Speed:
    """What the stand-ins count in the arena, with two bots for each of the matches."""
    with tempfile.TemporaryDirectory() as folder:
        load = Load(2 * matches, matches, AMPLE)
        with (
            process(arena_process.run, Path(folder) / "arena.db", load) as server,
            process(simulated_bots.run, server.pipe.recv(), load.bots, 0.0, 0.0) as bots,
        ):
            bots.pipe.recv()
            server.pipe.send(None)
            speed = _watch(server, bots, seconds)
            server.pipe.send(None)
            server.pipe.recv()
            bots.pipe.send(None)
            bots.pipe.recv()
    return speed


def _watch(server: Child, bots: Child, seconds: float) -> Speed:
    time.sleep(WARM_UP)
    before = server.cpu
    bots.pipe.send(seconds)
    moves, passed = bots.pipe.recv()
    return Speed(moves / passed, (server.cpu - before) / moves)


def play(
    load: Load,
    shortest: float,
    longest: float,
    watch: Callable[[int], AbstractContextManager[Callable[[], None]]] | None = None,
) -> Played:
    """Let the arena play so many matches between stand-ins that think, and read what it stored.

    `watch` is given the port before the first match; what it gives is called when that has begun.
    """
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "arena.db"
        with ExitStack() as stack:
            server = stack.enter_context(process(arena_process.run, db, load))
            port = server.pipe.recv()
            bots = stack.enter_context(
                process(simulated_bots.run, port, load.bots, shortest, longest, load.stones)
            )
            bots.pipe.recv()
            look = stack.enter_context(watch(port)) if watch else None
            begun = time.monotonic()
            server.pipe.send(None)
            if look:
                time.sleep(BEGINNING)
                look()
            told = server.pipe.recv()
            seconds = time.monotonic() - begun
            bots.pipe.send(None)
            thought = bots.pipe.recv()
        with DatabaseReader(db) as records:
            return Played([*records.matches(moves=True)], thought, told, seconds)


def speeds(seconds: float, runs: int) -> Iterator[str]:
    """Round trips at a growing number of matches."""
    yield "          round trips a second  ratio                          us of the server's CPU"
    yield "matches      echo     arena  median  lowest..highest   goal      echo  arena  ratio"
    for matches in (1, 10, 100, 1000):
        pairs = [(echo_speed(matches, seconds), arena_speed(matches, seconds)) for _ in range(runs)]
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
    """Matches with little time between bots that use little of it, and the memory they take."""
    played = play(Load(500, 250, SHORT, matches), 0.0, 0.02)
    ends = Counter(record.result.termination for record in played.records)
    stopped = sum(record.result.reason == "the arena was stopped" for record in played.records)
    counted = len(played.records) - stopped
    lost = counted - ends[Termination.NO_LEGAL_MOVE]
    turns = sum(len(record.moves) for record in played.records)
    lag = max(move.lag for record in played.records for move in record.moves)
    yield f"{counted:,} matches at {SHORT} s, 250 at once, bots think up to 20 ms:"
    yield f"  {counted / played.seconds:.0f} matches/s, {turns / played.seconds:.0f} turns/s"
    yield f"  ended otherwise than on the board: {lost}, goal 0 {met(not lost)}"
    yield f"  the arena's own lag at worst {1000 * lag:.0f} ms"
    tenth, last = (size / 1024 for size in played.told)
    yield f"  memory {tenth:.1f} MiB after a tenth, {last:.1f} MiB at the end"


def delays(matches: int, seconds: float) -> Iterator[str]:
    """What the arena and the network add to the time that a bot takes."""
    played = play(Load(200, 100, AMPLE, matches), *THINK)
    elapsed = times(played)
    yield f"{len(elapsed):,} moves in 100 matches at once between bots that think 40 to 60 ms:"
    yield "  ms beyond  median  95 of 100  99 of 100  at most  goal"
    for name, delay in (
        ("echo", added(*echo_delays(100, seconds))),
        ("arena", added(elapsed, played.thought)),
    ):
        cuts = quantiles(delay, n=100)
        goal = f"  {GOAL_DELAY:g} {met(cuts[98] < GOAL_DELAY)}" if name == "arena" else ""
        yield (
            f"{name:>11}"
            + "".join(f"{value:9.2f}" for value in (cuts[49], cuts[94], cuts[98], max(delay)))
            + goal
        )


def times(played: Played) -> Times:
    """How long each turn took by the arena's clock."""
    return {
        (str(record.id), move.ply): move.elapsed
        for record in played.records
        for move in record.moves
    }


def added(elapsed: Times, thought: Times) -> list[float]:
    """By how many milliseconds turns took longer than the thinking about them."""
    return [1000 * (seconds - thought[turn]) for turn, seconds in elapsed.items()]


def echo_delays(connections: int, seconds: float) -> tuple[Times, Times]:
    """How long the turns of the echo server took, and how long the stand-ins thought."""
    with (
        process(echo_server.run, True) as server,
        process(simulated_bots.run, server.pipe.recv(), connections, *THINK) as bots,
    ):
        bots.pipe.recv()
        time.sleep(seconds)
        server.pipe.send(None)
        elapsed: Times = server.pipe.recv()
        bots.pipe.send(None)
        # In the first match on each connection bots were still coming.
        steady = {turn: took for turn, took in elapsed.items() if int(turn[0]) > connections}
        return steady, bots.pipe.recv()


def idle(bots: int) -> Iterator[str]:
    """The memory of bots that are connected and wait."""
    grown = []
    for count in (1, bots + 1):
        with tempfile.TemporaryDirectory() as folder:
            load = Load(count, 0, AMPLE)
            with (
                process(arena_process.run, Path(folder) / "arena.db", load) as server,
                process(simulated_bots.run, server.pipe.recv(), count, 0.0, 0.0) as connected,
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


def met(goal: bool) -> str:
    """Whether a goal is met, in a word."""
    return "met" if goal else "NOT"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.load", description="Measure the arena under load."
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="of each window (default: 3)")
    parser.add_argument("--runs", type=int, default=3, help="of each pair (default: 3)")
    parser.add_argument(
        "--matches", type=int, default=2000, help="with little time (default: 2000)"
    )
    parts = ("speeds", "losses", "delays", "idle")
    parser.add_argument("--only", choices=parts, help="one part of it")
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
