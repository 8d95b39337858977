"""Time and memory of grading many submissions.

    python -m bench.grading [--submissions 100] [--cases 20] [--jobs 2]

The submissions are copies of those in tests/data/submissions.
"""

import argparse
import csv
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "tests" / "data" / "submissions"
# Runs the command, then prints the largest memory of its process.
PROGRAM = """
import sys
from arena.__main__ import main
from bench.memory import peak_memory
status = main(sys.argv[1:])
print(peak_memory())
sys.exit(status)
"""


def copy_submissions(folder: Path, count: int) -> None:
    """Create the submissions."""
    sources = itertools.cycle(sorted(path for path in SOURCES.iterdir() if path.is_dir()))
    for number, source in zip(range(count), sources, strict=False):
        shutil.copytree(source, folder / f"{source.name}-{number:03}")


def main() -> None:
    """Grade the submissions and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sandbox", default="require")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, report = Path(name, "submissions"), Path(name, "report")
        folder.mkdir()
        copy_submissions(folder, arguments.submissions)
        words = ["grade", folder, "--output", report, "--cases", arguments.cases]
        words += ["--jobs", arguments.jobs, "--sandbox", arguments.sandbox]
        command = [sys.executable, "-c", PROGRAM, *map(str, words)]
        begin = time.monotonic()
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        seconds = time.monotonic() - begin
        _print_figures(report, seconds, arguments.jobs, int(ended.stdout.splitlines()[-1]))


def _print_figures(report: Path, seconds: float, jobs: int, memory: int) -> None:
    records = [json.loads(line) for line in (report / "journal.jsonl").read_text().splitlines()]
    built = sum(record["build_seconds"] for record in records[1:])
    ran = [run["seconds"] for record in records[1:] for run in record["runs"]]
    with (report / "grades.csv").open() as file:
        right = sum(row["points"] == "100.0" for row in csv.DictReader(file))
    share = (built + sum(ran)) / (jobs * seconds)
    print(f"{len(records) - 1} submissions, {len(ran)} runs, {right} without errors")
    print(f"{seconds:.1f} s with {jobs} jobs")
    print(f"builds {built:.1f} s, runs {sum(ran):.1f} s, {share:.0%} of the time of the jobs")
    print(f"memory of the arena's process: {memory / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
