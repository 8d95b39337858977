"""Sequences of Take-Stones as b-files."""

import signal
import subprocess
import sys
from pathlib import Path

from core.take_stones.solver import WinningOpenings
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, wait_until

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


def refusal(*arguments: str | Path) -> str:
    """Return the line with which a run ends that writes nothing else."""
    refused = run(*arguments)
    assert (refused.returncode, refused.stdout) == (1, "")
    [line] = refused.stderr.splitlines()
    return line


@loop_over(
    ("content", "error"),
    [
        (b"1 0\r\n2 0\r\n", r"line 1: expected '1 NUMBER', not '1 0\r'"),
        (b"1 0\n2\n3 0\n", "line 2: expected '2 NUMBER', not '2'"),
        (b"1 0\n3 0\n", "line 2: expected '2 NUMBER', not '3 0'"),
        (b"1 0\n\xff", r"line 2: expected '2 NUMBER', not '\ufffd'"),
        (b"my notes", "line 1: expected '1 NUMBER', not 'my notes'"),
    ],
)
def test_foreign_lines_are_refused_and_left(tmp_path: Path, content: bytes, error: str) -> None:
    file = tmp_path / "b-least-winning-opening.txt"
    file.write_bytes(content)
    assert refusal(tmp_path) == f"tools.sequences: {str(file)!r}, {error}"
    assert file.read_bytes() == content
    assert [*tmp_path.iterdir()] == [file]


def test_places_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert refusal(file) == f"tools.sequences: cannot write {str(file)!r}: File exists"
    below = file / "below"
    assert refusal(below) == f"tools.sequences: cannot write {str(below)!r}: Not a directory"
    taken = tmp_path / "b-winning-openings.txt"
    taken.mkdir()
    assert refusal(tmp_path) == f"tools.sequences: {str(taken)!r} is not a file"
    refused = run(tmp_path / "new", "--last", f"{10**30}")
    assert refused.returncode == 2
    assert "is too large for this machine's memory" in refused.stderr


def test_ctrl_c_ends_it_in_one_line_and_leaves_whole_lines(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.sequences", str(tmp_path), "--last", "200000"]
    counts = tmp_path / "b-winning-openings.txt"
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as running:
        wait_until(lambda: counts.exists() and counts.stat().st_size, "the first lines")
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=TEST_TIMEOUT)
    assert (running.returncode, errors) == (130, "tools.sequences: interrupted\n")
    assert not (tmp_path / "b-losing.txt").exists()
    assert run(tmp_path, "--last", "1191").returncode == 0
    assert len((tmp_path / "b-losing.txt").read_text().splitlines()) > 100
