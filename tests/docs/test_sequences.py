"""Sequences of Take-Stones as b-files."""

import subprocess
import sys
from functools import cache
from pathlib import Path

from core.take_stones.solver import WinningOpenings

SCRIPT = Path(__file__).parents[2] / "docs" / "sequences.py"
FOLDER = SCRIPT.parent / "explanation" / "sequences"
LAST = 100_000
CHECKED = [*range(1, 2001), *range(LAST - 50, LAST + 1)]


@cache
def terms(name: str) -> list[int]:
    """Return the terms of a file, whose indices must be 1, 2, 3 ..."""
    pairs = [line.split(" ") for line in (FOLDER / name).read_text().splitlines()]
    assert [int(index) for index, _ in pairs] == [*range(1, len(pairs) + 1)]
    return [int(term) for _, term in pairs]


@cache
def winning() -> dict[int, list[int]]:
    """Return the winning first moves with some numbers of stones."""
    return {**dict(WinningOpenings(1, 2000)), **dict(WinningOpenings(LAST - 50, LAST))}


def test_numbers_of_the_sequences() -> None:
    assert terms("b-losing.txt") == [n for n in range(1, 2001) if not winning()[n]]
    counts = terms("b-winning-openings.txt")
    assert len(counts) == LAST
    assert [counts[n - 1] for n in CHECKED] == [len(winning()[n]) for n in CHECKED]
    least = terms("b-least-winning-opening.txt")
    assert len(least) == LAST
    assert [least[n - 1] for n in CHECKED] == [min(winning()[n], default=0) for n in CHECKED]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_command_writes_the_first_terms_of_the_files(tmp_path: Path) -> None:
    assert run("--last", "1191", "--output", tmp_path).returncode == 0
    assert (tmp_path / "b-losing.txt").read_text() == (FOLDER / "b-losing.txt").read_text()
    for name in ("b-winning-openings.txt", "b-least-winning-opening.txt"):
        assert (FOLDER / name).read_text().startswith((tmp_path / name).read_text())


def test_too_few_stones_are_refused(tmp_path: Path) -> None:
    refused = run("--last", "1190", "--output", tmp_path)
    assert refused.returncode == 2
    assert "error: --last must be at least 1191, not 1190" in refused.stderr
    assert not [*tmp_path.iterdir()]
