"""Start of the commands: `python -m bench.arena.start [TREE ...]`.

Each row is a multiple of the start of a bare interpreter, the median of runs that take turns. With
other checkouts of the project, which must be compiled, their commands take turns with those here.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.goals import met

ROOT = Path(__file__).parents[2]
BARE = ("-I", "-c", "pass")
HELP_GOAL = 4.0  # times a bare interpreter
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "arena --help": ("-m", "arena", "--help"),
    "arena tournament --help": ("-m", "arena", "tournament", "--help"),
    "a bot, before it connects": ("-m", "bots", "spec:4", "--dry-run"),
    "python -m core.take_stones": ("-m", "core.take_stones", "7", "1", "3", "2"),
}
TOURNAMENT = ("-m", "arena", "tournament", "--events", "-", "--seed", "1", "--db")
FIRST_MOVE = b'{"event":"move"'


def environment(tree: Path) -> dict[str, str]:
    """Return the environment where a checkout is imported, also by the processes of bots."""
    variables = {**os.environ, "PYTHONPATH": str(tree)}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def time_command(tree: Path, *words: str) -> float:
    """Return the seconds of a command."""
    command, variables = [sys.executable, *words], environment(tree)
    start = perf_counter()
    subprocess.run(command, cwd=tree, env=variables, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def time_first_move(tree: Path) -> float:
    """Return the seconds from the start of a tournament of five bots to its first move."""
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        process = subprocess.Popen(
            [sys.executable, *TOURNAMENT, f"{folder}/start.db"],
            cwd=tree,
            env=environment(tree),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout
        with process:
            for line in process.stdout:
                if line.startswith(FIRST_MOVE):
                    seconds = perf_counter() - start
                    process.terminate()
                    return seconds
    raise RuntimeError("the tournament ended without a move")


def measurements(tree: Path) -> dict[str, Callable[[], float]]:
    """Return the measurement of each row in a checkout."""
    rows = {name: partial(time_command, tree, *words) for name, words in COMMANDS.items()}
    return {**rows, "first move of a tournament": partial(time_first_move, tree)}


def main() -> None:
    """Print a row for each command; the exit status is 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.arena.start")
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE", help="other checkouts")
    parser.add_argument("--runs", type=int, default=15, help="of each row (default: 15)")
    options = parser.parse_args()
    trees = [ROOT, *(tree.resolve() for tree in options.trees)]
    rows = [measurements(tree) for tree in trees]
    print(f"{'times a bare interpreter':<28}", *(f"{tree.name:>12.12}" for tree in trees))
    found: dict[str, list[float]] = {}
    for name in rows[0]:
        for row in rows:
            row[name]()  # compiles what was not yet
        times: list[list[float]] = [[] for _ in range(1 + len(trees))]
        for _ in range(options.runs):
            times[0].append(time_command(ROOT, *BARE))
            for place, row in enumerate(rows, 1):
                times[place].append(row[name]())
        bare, *others = map(median, times)
        found[name] = [seconds / bare for seconds in others]
        cells = (f"{ratio:>12.1f}" for ratio in found[name])
        print(f"{name:<28}", *cells, f"  (bare: {1000 * bare:.1f} ms)", flush=True)
    is_met = found["arena --help"][0] <= HELP_GOAL
    print(f"goal: arena --help at most {HELP_GOAL:g}: {met(is_met)}")
    sys.exit(not is_met)


if __name__ == "__main__":
    main()
