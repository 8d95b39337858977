"""Speed and memory of `arena export` and of data frames: `python -m bench.arena.export`.

The reference reads the same rows by plain sqlite3 and writes them by json.dumps. Every figure is
the best of several runs, which alternate.
"""

import argparse
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from itertools import groupby
from pathlib import Path

from arena.cli.commands.records import ExportConfig
from arena.integrations.frames import Results
from arena.model.observer import Observer
from arena.processors import usable_processors
from bench.arena.pool_run import make_plan, play_plan
from bench.memory import peak_memory

BOT, STONES = "spec:1", 50
FORMATS = ("jsonl", "pgn", "csv")
FRAMES = ("matches", "moves")
RUNS = 3
REFERENCE = "sqlite3 and json"

Run = Callable[[], object]


def write_rows(db: Path, output: Path) -> None:
    """Write all rows of a database as JSON, without the arena."""
    with closing(sqlite3.connect(db)) as rows, output.open("w") as out:
        moves = rows.execute("SELECT * FROM moves ORDER BY match, ply")
        by_match = groupby(moves, lambda row: row[0])
        for match in rows.execute("SELECT * FROM matches ORDER BY id"):
            _, played = next(by_match)
            out.write(f"{json.dumps([match, [row[1:] for row in played]])}\n")


def measure(run: Run) -> float:
    """Return the seconds of the processor that a call takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def print_fastest(runs: Mapping[str, Run], matches: int) -> None:
    """Print the speed of each run next to the reference, and the memory that they took."""
    before = peak_memory()
    seconds = [{name: measure(run) for name, run in runs.items()} for _ in range(RUNS)]
    growth = peak_memory() - before
    fastest = {name: min(times[name] for times in seconds) for name in runs}
    for name, best in fastest.items():
        ratio = fastest[REFERENCE] / best
        print(f"{name:>16}: {matches / best:9,.0f} matches/s, {ratio:.2f} times the reference")
    print(f"memory: at most {growth / 1024:.1f} MiB more than before", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.export",
        description="Export matches in each text format, and read them as frames of pandas.",
    )
    parser.add_argument("--matches", type=int, default=50_000, metavar="N", help="an even number")
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        db, output = Path(folder) / "arena.db", Path(folder) / "output"
        play_plan(make_plan(BOT, STONES, matches), usable_processors(), db, Observer())
        reference: dict[str, Run] = {REFERENCE: partial(write_rows, db, output)}
        exports: dict[str, Run] = {name: ExportConfig(db, name, output).run for name in FORMATS}
        print_fastest(reference | exports, matches)
        results = Results(db)
        results.standings()  # imports the libraries
        frames: dict[str, Run] = {f"frame of {name}": getattr(results, name) for name in FRAMES}
        print_fastest(reference | frames, matches)


if __name__ == "__main__":
    main()
