"""Cost of matches in process: `python -m bench.arena.in_process`.

All figures are ratios of runs that alternate on the same machine:

- The referee's share: random bots play the same games by a bare loop over Board, by the adjudicator
  (rules, clock, moves and result), and as a worker plays them (records and bots created too).
- The same tournament in process, and over WebSockets.
- One worker, and two; and what two processes without a driver reach on the machine. With them the
  processor time that the driver needs for a match.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from mmap import mmap
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from arena.bulk.job import Job
from arena.bulk.match_player import play_match
from arena.bulk.players import Players, bot_seed
from arena.bulk.turn_watch import SIZE, TurnWatch
from arena.match.adjudicator import Adjudicator
from arena.model.observer import Observer
from arena.model.played_matches import PlayedMatches
from arena.model.results import Pairing
from arena.model.time_control import TimeControl
from bench.arena.pool_run import make_plan, play_plan
from bench.arena.tournaments import play_random
from bench.goals import met
from bots.client import ClockReading
from bots.random_bot import RandomBot
from core.take_stones import Board

SHARE_GOAL = 1.25  # times the bare loop
DRIVER_GOAL = 25.0  # us of processor time a match
STONES = 20
GAMES = 500
RUNS = 41
ROUNDS = 3  # runs of each tournament
WORKERS = 2
LOADS = (  # bot, stones, matches and goal, two workers in terms of one
    ("random", 20, 40_000, 1.5),  # so many that the start of the processes does not count
    ("spec:2", 50, 20_000, 1.8),
    ("spec:6", 50, 4000, 1.8),
    ("spec:8", 50, 2000, 1.8),
)
ALONE_GAMES = 20_000

TIME = "unlimited"
CONTROL = TimeControl.parse(TIME)
JOB = Job({"one": "random", "two": "random"}, TIME, seed=1)
PAIRINGS = [
    Pairing(number, ("one", "two"), "take_stones", {"stones": STONES})
    for number in range(1, GAMES + 1)
]
SEEDS = [
    [bot_seed(JOB.seed, name, number) for name in ("one", "two")] for number in range(1, GAMES + 1)
]
READING = ClockReading(5.0, 5.0, 0.0)


def play_bare() -> None:
    """Play the games without a referee."""
    for one, two in SEEDS:
        bots = RandomBot(one), RandomBot(two)
        board = Board(STONES)
        while not board.is_over:
            board.play(bots[board.player_to_move - 1](board, READING))


def play_adjudicated() -> None:
    """Play the games by the adjudicator."""
    for (one, two), pairing in zip(SEEDS, PAIRINGS, strict=True):
        bots = RandomBot(one), RandomBot(two)
        match = Adjudicator(pairing, CONTROL)
        match.set_up()
        match.begin_turn(perf_counter())
        position = match.position
        while not match.result:
            match.play(bots[match.player_to_move - 1](position, READING), perf_counter())


def play_as_worker() -> None:
    """Play the games as a worker does."""
    watch, create = TurnWatch(mmap(-1, SIZE)), Players(JOB).create
    watch.arm()
    for pairing in PAIRINGS:
        play_match(pairing, TIME, create, watch)
    watch.disarm()


def seconds(play: Callable[[], None]) -> float:
    """Return the processor time of the games."""
    start = process_time()
    play()
    return process_time() - start


def referee_share() -> Iterator[str]:
    """Yield the ratios to the bare loop."""
    ways = {"bare loop": play_bare, "adjudicator": play_adjudicated, "in process": play_as_worker}
    runs = [[seconds(way) for way in ways.values()] for _ in range(RUNS)]
    for place, way in enumerate(ways):
        ratio = median(run[place] / run[0] for run in runs)
        rate = GAMES / median(run[place] for run in runs)
        goal = f" (goal {SHARE_GOAL}: {met(ratio <= SHARE_GOAL)})" if place else ""
        yield f"{way}: {rate:,.0f} games/s and core, {ratio:.2f} times the bare loop{goal}"


class Counter(Observer):
    """Observer that counts matches, as the page does, and makes no events of them."""

    def __init__(self) -> None:
        self.matches = 0

    def played(self, matches: PlayedMatches) -> None:
        """Count matches."""
        self.matches += matches.rated


def pool_rate(bot: str, stones: int, matches: int, workers: int) -> tuple[float, float]:
    """Return matches per second of a tournament in process, and us of the driver a match."""
    plan = make_plan(bot, stones, matches)
    with tempfile.TemporaryDirectory() as folder:
        times = play_plan(plan, workers, Path(folder) / "arena.db", Counter())
    return matches / times.seconds, 1e6 * times.driver / matches


def tournaments() -> Iterator[str]:
    """Yield the ratio of a tournament in process to one over WebSockets."""
    load = LOADS[0][:3]
    rates = [(play_random(1000).rate, pool_rate(*load, WORKERS)[0]) for _ in range(ROUNDS)]
    sockets, pool = (median(rate[place] for rate in rates) for place in (0, 1))
    ratio = median(rate[1] / rate[0] for rate in rates)
    yield f"random - random, {STONES} stones: {sockets:,.0f} matches/s over WebSockets,"
    yield f"  {pool:,.0f} matches/s by {WORKERS} workers in process ({ratio:.1f} times)"


def play_alone(games: int) -> None:
    """Play games without a referee, as a process that shares nothing with others."""
    for _ in range(games // GAMES):
        play_bare()


def machine_scaling() -> float:
    """Return how many times the work of one process two of them do, without a driver."""
    with ProcessPoolExecutor(WORKERS) as pool:
        times = []
        for processes in (WORKERS, 1, WORKERS):  # the first run starts them
            start = perf_counter()
            [*pool.map(play_alone, [ALONE_GAMES] * processes)]
            times.append(perf_counter() - start)
    return WORKERS * times[1] / times[2]


def scaling() -> Iterator[str]:
    """Yield the ratio of two workers to one."""
    limit = median(machine_scaling() for _ in range(ROUNDS))
    yield f"{WORKERS} processes without a driver: {limit:.2f} times one"
    for bot, stones, matches, goal in LOADS:
        runs = [
            [pool_rate(bot, stones, matches, workers) for workers in (1, WORKERS)]
            for _ in range(ROUNDS)
        ]
        one, two = (median(run[place][0] for run in runs) for place in (0, 1))
        ratio = median(run[1][0] / run[0][0] for run in runs)
        driver = median(run[1][1] for run in runs)
        yield f"{bot}, {stones} stones: 1 worker {one:,.0f} matches/s, {WORKERS} {two:,.0f}"
        yield f"  ({ratio:.2f} times; goal {goal}: {met(ratio >= goal)})"
        reached = met(driver <= DRIVER_GOAL)
        yield f"  driver: {driver:.1f} us a match (goal {DRIVER_GOAL:g}: {reached})"


def main() -> None:
    """Print the figures."""
    argparse.ArgumentParser(
        prog="python -m bench.arena.in_process", description="Measure matches in process."
    ).parse_args()
    for lines in (referee_share(), tournaments(), scaling()):
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
