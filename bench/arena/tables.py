"""Cost of leaderboards with many bots and matches: `python -m bench.arena.tables`.

Each table is measured in the object of the worker process, in a process of its own, in processor
time: the first table with everything read from the database, a table after a handful of new
results, the margins on request, and the peak memory. With `--reference` the same ratings are
computed with matrices of all bots, which takes minutes for 1,000 of them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from arena.bulk.batch import played_match
from arena.model.played_matches import PlayedMatches
from arena.model.results import MatchRecord, MatchResult, Pairing, RatedResult, Tally, Termination
from arena.protocol.codec import RequestError
from arena.protocol.spectator import FindMargins
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import FormatState
from bench.goals import met
from bench.memory import peak_memory

GAME = "take_stones"
FIRST_GOAL, UPDATE_GOAL = 2.0, 0.05  # seconds of processor time
NEW_RESULTS, UPDATES = 5, 7
BATCH = 10_000  # matches that are stored together


@dataclass(frozen=True)
class Case:
    """Random matches among the bots of each of some groups of equal size."""

    bots: int
    matches: int
    group: int

    def results(self, count: int, seed: int) -> Iterator[RatedResult]:
        """Yield random results of bots with ratings around 0."""
        strength, random = Random(1), Random(seed)
        logits = [strength.gauss(0, 1) for _ in range(self.bots)]
        for _ in range(count):
            begin = self.group * random.randrange(self.bots // self.group)
            one, two = random.sample(range(begin, begin + self.group), 2)
            chance = 1 / (1 + 2.72 ** (logits[two] - logits[one] - 0.2))
            winner = 1 if random.random() < chance else 2
            names = f"bot {one:05}", f"bot {two:05}"
            yield RatedResult(*names, winner, Termination.NO_LEGAL_MOVE)


CASES = (
    Case(100, 100_000, 100),
    Case(500, 200_000, 500),
    Case(1000, 1_000_000, 1000),
    Case(10_000, 25_000, 10_000),
    Case(10_000, 25_000, 10),
)


def store(path: Path, results: Iterator[RatedResult]) -> None:
    """Append finished matches to a database."""
    with DatabaseWriter(path) as writer:
        while batch := [*islice(results, BATCH)]:
            records = [
                MatchRecord(
                    0,
                    Pairing(None, (result.one, result.two), GAME, {"stones": 20}),
                    "5",
                    0.0,
                    1.0,
                    MatchResult(result.termination, result.winner, ""),
                    (),
                )
                for result in batch
            ]
            writer.add_matches(
                PlayedMatches(
                    [record.pairing for record in records],
                    "5",
                    [played_match(record) for record in records],
                )
            ).result()


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of a call, and its result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def measure(case: Case, path: Path) -> dict[str, Any]:
    """Measure one case in this process, from its start."""
    from arena.spectators.leaderboards.queries import LeaderboardQueries  # imports numpy

    leaderboards = LeaderboardQueries(path)
    leaderboards.compute(None, FormatState())
    first, updates = time.process_time(), []
    for seed in range(UPDATES):
        store(path, case.results(NEW_RESULTS, seed + 2))
        spent, frame = seconds(lambda: leaderboards.compute(None, FormatState()))
        updates.append(spent)
    try:
        margins, _ = seconds(lambda: leaderboards.answer(FindMargins(1, GAME)))
    except RequestError:
        margins = None
    return {
        "first": first,
        "update": sorted(updates)[UPDATES // 2],
        "margins": margins,
        "memory": peak_memory() // 1024,
        "frame": len(frame) // 1024,
    }


def measure_reference(path: Path) -> dict[str, float]:
    """Measure the ratings with matrices of all bots, in this process."""
    from tests.support.tournaments.dense_ratings import dense_rate

    with DatabaseReader(path) as records:
        tally: Tally = records.tallies()[GAME]
    return {"reference": seconds(lambda: dense_rate(tally))[0]}


def run_child(case: Case, path: Path, *, reference: bool) -> Any:
    """Return the measurement of a separate process, which computes in one thread."""
    command = [sys.executable, "-m", "bench.arena.tables", "--child", str(path)]
    command += ["--case", json.dumps(asdict(case))] + ["--reference"] * reference
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment)
    return json.loads(done.stdout)


def report(reference: bool) -> None:
    """Print a line for each case."""
    print("  bots   matches groups |  first s  update ms  margins s   MiB  frame KiB  reference s")
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arena.db"
            store(path, case.results(case.matches, 1))
            found = run_child(case, path, reference=False)
            if reference and case.bots <= 1000:
                found |= run_child(case, path, reference=True)
        margins = "refused" if found["margins"] is None else f"{found['margins']:.2f}"
        dense = f"{found['reference']:.2f}" if "reference" in found else "-"
        print(
            f"{case.bots:6,} {case.matches:9,} {case.bots // case.group:6,} |"
            f" {found['first']:8.2f} {1000 * found['update']:10.1f} {margins:>10}"
            f" {found['memory']:5} {found['frame']:10} {dense:>12}",
            flush=True,
        )
        if case.matches == 1_000_000:
            print(f"  goal: first table in {FIRST_GOAL:g} s: {met(found['first'] < FIRST_GOAL)}")
            update = f"update in {1000 * UPDATE_GOAL:g} ms: {met(found['update'] < UPDATE_GOAL)}"
            print(f"  goal: {update}", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.tables", description="Measure the cost of leaderboards."
    )
    parser.add_argument("--reference", action="store_true", help="ratings with matrices, too")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--case", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is None:
        report(arguments.reference)
    elif arguments.reference:
        print(json.dumps(measure_reference(arguments.child)))
    else:
        print(json.dumps(measure(Case(**arguments.case), arguments.child)))


if __name__ == "__main__":
    main()
