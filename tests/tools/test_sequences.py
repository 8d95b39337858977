"""Sequences of Take-Stones as b-files."""

import subprocess
import sys
from pathlib import Path

from core.take_stones.solver import WinningOpenings

ROOT = Path(__file__).parents[2]
LAST = 1200


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.sequences", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_command_writes_the_terms_from_1_on(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "sequences"
    assert run(folder, "--last", f"{LAST}").returncode == 0
    winning = dict(WinningOpenings(1, LAST))

    def text(terms: list[int]) -> str:
        return "".join(f"{i} {terms[i - 1]}\n" for i in range(1, len(terms) + 1))

    losing = ROOT / "docs" / "explanation" / "sequences" / "b-losing.txt"
    assert {each.name: each.read_text() for each in folder.iterdir()} == {
        "b-losing.txt": losing.read_text(),
        "b-winning-openings.txt": text([len(winning[n]) for n in range(1, LAST + 1)]),
        "b-least-winning-opening.txt": text([min(winning[n], default=0) for n in winning]),
    }
    assert losing.read_text() == text([n for n in winning if not winning[n]])


def test_an_ended_run_is_continued(tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "ended"
    run(whole, "--last", f"{LAST}")
    folder.mkdir()
    for name, size in (("b-winning-openings.txt", 5000), ("b-least-winning-opening.txt", 4001)):
        (folder / name).write_text((whole / name).read_text()[:size])
    for _ in range(2):  # the second run has nothing left to do
        assert run(folder, "--last", f"{LAST}").returncode == 0
        for file in whole.iterdir():
            assert (folder / file.name).read_text() == file.read_text()


def test_too_few_stones_are_refused(tmp_path: Path) -> None:
    refused = run(tmp_path, "--last", "1190")
    assert refused.returncode == 2
    assert "error: --last must be at least 1191, not 1190" in refused.stderr
    assert not [*tmp_path.iterdir()]
