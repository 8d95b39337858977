"""Small submissions for a tournament of a class."""

from pathlib import Path

from arena.grading.builds import Build

# Plays the smallest legal move: six lines, without a search.
PROGRAM = """
import sys
stones, count, *taken, depth = map(int, sys.argv[1:])
move = next(n for n in range(1, stones + 1) if n not in taken and (
    n % 2 and 2 * n < stones if not taken else n % taken[-1] == 0 or taken[-1] % n == 0))
print("Move:", move)
print("Value: 0.5\\nNumber of Nodes Visited: 3\\nNumber of Nodes Evaluated: 1")
print("Max Depth Reached: 0\\nAvg Effective Branching Factor: 1.0")
"""


def write_submission(folder: Path, name: str, text: str = PROGRAM) -> Path:
    """Write a submission in Python into a folder of submissions, which is returned."""
    path = folder / name
    path.mkdir(parents=True, exist_ok=True)
    (path / "main.py").write_text(text)
    return folder


def write_class(folder: Path, *names: str) -> Path:
    """Write submissions that play, and return their folder."""
    for name in names:
        write_submission(folder, name)
    return folder


def program(folder: Path, text: str) -> Build:
    """Return a build that is a shell script."""
    (folder / "main").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "main").chmod(0o755)
    return Build("ada", folder, ("./main",), "")
