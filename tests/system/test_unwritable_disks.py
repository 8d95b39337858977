"""Results are read from disks that cannot be written: they are how the results are saved."""

import shutil
import signal
from pathlib import Path

import pytest

from arena.model.results import MatchRecord
from arena.storage.writer import DatabaseWriter
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    running_process,
    wait_for_exit,
    wait_for_line,
)
from tests.support.servers.http_client import request
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.matches import play_match

MATCHES = 5
READ_ONLY = "mount --bind {0} {0} && mount -o remount,ro,bind {0}"
# The file `rest` takes what is left of a disk that has the database.
FULL = (
    "mkdir -p {0}.copy && cp {0}/* {0}.copy && mount -t tmpfs -o size=2m tmpfs {0}"
    " && cp {0}.copy/* {0} && export TMPDIR={0} && (cat /dev/zero > {0}/rest 2> {0}.error || true)"
)

pytestmark = [
    pytest.mark.needs("mount namespaces"),
    pytest.mark.parametrize("disk", [READ_ONLY, FULL], ids=["read-only", "full"]),
]


@pytest.fixture(params=["rest.db", "killed.db"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a database: one at rest, or one whose records are in the log of a killed arena."""
    with DatabaseWriter(tmp_path / "rest.db") as writer:
        for match in range(1, MATCHES + 1):
            record: MatchRecord = play_match("no legal move", match, match=match)
            store_record(writer, record)
        disk = tmp_path / "disk"
        disk.mkdir()
        if request.param == "killed.db":
            for suffix in ("", "-wal", "-shm"):
                shutil.copyfile(f"{tmp_path / 'rest.db'}{suffix}", f"{disk / 'killed.db'}{suffix}")
    if request.param == "rest.db":
        shutil.copyfile(tmp_path / "rest.db", disk / "rest.db")
    return disk / str(request.param)


def on_disk(disk: str, path: Path, *words: object) -> list[str]:
    """Return the command line of a command of the arena that sees the database on such a disk."""
    script = f'{disk.format(path.parent)} && exec "$@"'
    return ["unshare", "-rm", "sh", "-c", script, "sh", *COMMAND, *map(str, words)]


def run(disk: str, path: Path, *words: object) -> CompletedCommand:
    with running_process(*on_disk(disk, path, *words)) as process:
        return wait_for_exit(process)


def test_results_are_saved(disk: str, path: Path, tmp_path: Path) -> None:
    assert run(disk, path, "verify", path) == (0, f"{MATCHES} matches agree\n", "")
    assert f'"finished": {MATCHES}' in run(disk, path, "standings", "--json", path).out
    for command, name in ("export", "x.jsonl"), ("report", "x.html"), ("plot", "x.svg"):
        assert run(disk, path, command, path, "--output", tmp_path / name) == (0, "", "")
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == MATCHES


def test_results_are_shown(disk: str, path: Path) -> None:
    with running_process(*on_disk(disk, path, "view", path, "--port", "0")) as process:
        page = wait_for_line(process, r"is at (http://\S+),")
        assert request(page, "/").status == 200
        process.send_signal(signal.SIGINT)
        assert wait_for_exit(process).status == 130
