"""Speed and memory of `arena export`: `python -m bench.arena.export`.

The reference reads the same rows by plain sqlite3 and writes them by json.dumps. Every figure is
the best of several runs, which alternate.
"""

import argparse
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import groupby
from pathlib import Path

from arena.cli.commands import export
from arena.cli.configuration import ExportConfig
from arena.model.observer import Observer
from arena.processors import usable_processors
from bench.arena.pool_run import make_plan, play_plan
from bench.memory import peak_memory

BOT, STONES = "spec:1", 50
FORMATS = ("jsonl", "pgn", "csv")
RUNS = 3


def write_rows(db: Path, output: Path) -> None:
    """Write all rows of a database as JSON, without the arena."""
    with closing(sqlite3.connect(db)) as rows, output.open("w") as out:
        moves = rows.execute("SELECT * FROM moves ORDER BY match, ply")
        by_match = groupby(moves, lambda row: row[0])
        for match in rows.execute("SELECT * FROM matches ORDER BY id"):
            _, played = next(by_match)
            out.write(f"{json.dumps([match, [row[1:] for row in played]])}\n")


def measure(run: Callable[[], object]) -> float:
    """Return the seconds of the processor that a call takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.export", description="Export matches in each text format."
    )
    parser.add_argument("--matches", type=int, default=50_000, metavar="N", help="an even number")
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as folder:
        db, output = Path(folder) / "arena.db", Path(folder) / "output"
        play_plan(make_plan(BOT, STONES, matches), usable_processors(), db, Observer())
        seconds: dict[str, list[float]] = {}
        before = peak_memory()
        for _ in range(RUNS):
            reference = measure(lambda: write_rows(db, output))
            seconds.setdefault("sqlite3 and json", []).append(reference)
            for name in FORMATS:
                config = ExportConfig(db, name, output)
                seconds.setdefault(name, []).append(measure(lambda: export.run(config)))  # noqa: B023
        growth = peak_memory() - before
    fastest = {name: min(runs) for name, runs in seconds.items()}
    for name, best in fastest.items():
        ratio = fastest["sqlite3 and json"] / best
        print(f"{name:>16}: {matches / best:9,.0f} matches/s, {ratio:.2f} times the reference")
    print(f"memory: at most {growth / 1024:.1f} MiB more than before")


if __name__ == "__main__":
    main()
