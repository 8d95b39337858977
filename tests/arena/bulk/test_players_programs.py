"""Users' programs in process: their matches, their faults, and that nothing of them is left."""

import os
import shlex
import subprocess
import sys
import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bulk.batch import Batch, LostBatch, decode_records
from arena.bulk.job import Job
from arena.bulk.match_process import MatchProcess
from arena.bulk.players import Programs
from arena.model.results import MatchRecord, Pairing, Termination
from arena.sandbox.limits import Policy
from arena.storage.verify import find_differences
from tests.support.computing.bulk import games, make_batch, match_processes
from tests.support.games.user_programs import GOOD_LINES, faulty_lines, six_lines, write_programs
from tests.support.grading.sandboxes import processes_with, wait_for_end_of
from tests.support.polling import wait_until

ROOT = Path(__file__).parents[3]
NEEDS_BUBBLEWRAP = pytest.mark.needs("bubblewrap")
SANDBOXES = [Policy.OFF, pytest.param(Policy.REQUIRE, marks=NEEDS_BUBBLEWRAP)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_programs(tmp_path / "bots")


def job_with(folder: Path, bot: str, time: str = "60", sandbox: Policy = Policy.OFF) -> Job:
    """Return a job of a bot, anna, against one that reads lines, bert."""
    return Job({"anna": bot, "bert": GOOD_LINES}, time, 1, folder, sandbox)


def play(process: MatchProcess, job: Job, matches: int = 1) -> list[MatchRecord]:
    return play_batch(process, job, make_batch(matches, stones=8))


def play_batch(process: MatchProcess, job: Job, batch: Batch) -> list[MatchRecord]:
    data = process.play(batch)
    assert isinstance(data, bytes), data
    records = decode_records(batch, job.time, data).matches.records()
    assert not any(map(find_differences, records))
    return [*records]


def play_once(job: Job, matches: int = 1) -> list[MatchRecord]:
    with closing(MatchProcess(job)) as process:
        return play(process, job, matches)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_programs_play_what_they_play_elsewhere(folder: Path, sandbox: Policy) -> None:
    """The three choose the first legal move."""
    (folder / "first.py").write_text(
        "class First:\n"
        "    def choose(self, position, clock):\n"
        "        return position.legal_moves()[0]\n"
    )
    bots = "python:first:First", GOOD_LINES, six_lines()
    played = [
        play_once(job_with(folder, bot, time, sandbox), 2)
        for bot, time in zip(bots, ("60", "unlimited", "5 nodes"), strict=True)
    ]
    one, two, three = map(games, played)
    assert one == two == three
    assert len(one) == 2
    assert not any(record.log for records in played for record in records)


# Bots, how their matches end and why, and what their logs have; no log is kept where it is None.
FAULTS: dict[str, list[tuple[str, Termination, str, str | None]]] = {
    "60": [
        (faulty_lines("exits"), Termination.DISCONNECT, " failed: {} ended with status 3", ""),
        (faulty_lines("illegal"), Termination.ILLEGAL_MOVE, " made an illegal move 1: ", ""),
        (faulty_lines("resigns"), Termination.RESIGNATION, " resigned", None),
        (six_lines("exits"), Termination.DISCONNECT, " failed: {} at depth 1 ended with stat", ""),
        (six_lines("illegal"), Termination.ILLEGAL_MOVE, " made an illegal move 1: ", ""),
        (six_lines("talks"), Termination.MALFORMED, " failed: {} at depth 1 printed no line", ""),
        ("stdio:./nothing", Termination.DISCONNECT, " failed: cannot run './nothing': No", None),
    ],
    "1": [
        (faulty_lines("talks"), Termination.TIMEOUT, " has used up its time", "(expected a numb"),
        (faulty_lines("hangs"), Termination.TIMEOUT, " has used up its time", ""),
        (six_lines("hangs"), Termination.TIMEOUT, " failed: {} at depth 1 took more than ", ""),
    ],
}


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("time", FAULTS)
def test_faults_of_programs(folder: Path, time: str) -> None:
    """One process plays a match of each bot."""
    (folder / "nothing").write_text("#!/nonexistent\n")
    (folder / "nothing").chmod(0o755)
    bots = {f"bot{number}": bot for number, (bot, *_) in enumerate(FAULTS[time])}
    job = Job({**bots, "bert": GOOD_LINES}, time, 1, folder, Policy.OFF)
    pairings = [
        Pairing(number, (name, "bert"), "take_stones", {"stones": 8})
        for number, name in enumerate(bots, 1)
    ]
    with closing(MatchProcess(job)) as process:
        records = play_batch(process, job, Batch(1, tuple(pairings)))
    for record, (bot, termination, reason, log) in zip(records, FAULTS[time], strict=True):
        name = record.pairing.players[0]
        assert (record.result.termination, record.winner) == (termination, "bert")
        why = f"player 1 ({name}){reason.format(Path(sys.executable).name)}"
        assert why in record.result.reason
        if log is None:
            assert record.log == ""
        else:
            assert f"mode {bot.rpartition(' ')[2]}" in record.log
            assert log in record.log


def test_a_hang_without_a_clock_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for that is the one of Python bots: here it is over at once."""
    start = "import arena.bulk.turn_watch as t, arena.bulk.program as p, sys; t.WAITING_SECONDS=.2;"
    (folder / "program.py").write_text(f"{start}p.main(sys.argv[1:])")
    monkeypatch.setattr("arena.bulk.match_process.PROGRAM", "program")
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    [record] = play_once(job_with(folder, faulty_lines("hangs"), "unlimited"))
    assert record.result.termination is Termination.DISCONNECT
    assert record.result.reason.endswith(" failed: no answer within 0.2 s")


def test_a_program_runs_for_many_batches(folder: Path) -> None:
    started = "import os; open('started', 'a').write('x')\nwhile input(): print(999, flush=True)"
    (folder / "counts.py").write_text(started)
    job = job_with(folder, f"stdio:{shlex.quote(sys.executable)} counts.py")
    with closing(MatchProcess(job)) as process:
        for _ in range(2):
            play(process, job, 2)
    assert (folder / "started").read_text() == "x"


@pytest.mark.usefixtures("measured")
def test_programs_do_not_inherit_ignored_signals(folder: Path) -> None:
    (folder / "signals.py").write_text(
        "import signal\n"
        "kinds = signal.SIGINT, signal.SIGTERM, signal.SIGALRM\n"
        "while input(): print(*map(signal.getsignal, kinds), sep='\\n', flush=True) or print(999)\n"
    )
    [record] = play_once(job_with(folder, f"stdio:{shlex.quote(sys.executable)} -u signals.py"))
    assert record.result.termination is Termination.ILLEGAL_MOVE
    assert "SIG_IGN" not in record.log
    assert "default_int_handler" in record.log


WORKER = """
import sys, threading
from pathlib import Path
from arena.bulk.batch import LostBatch
from arena.bulk.job import Job
from arena.bulk.match_process import MatchProcess
from arena.sandbox.limits import Policy
from tests.support.computing.bulk import make_batch
folder, bot, sandbox = sys.argv[1:]
job = Job({"anna": bot, "bert": "random"}, "unlimited", 1, Path(folder), Policy(sandbox))
MatchProcess(job).play(make_batch())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux signals the end of a pipe")
@pytest.mark.parametrize(
    ("kind", "sandbox"),
    [
        ("stdio", Policy.OFF),
        pytest.param("program", Policy.REQUIRE, marks=NEEDS_BUBBLEWRAP),
    ],
)
def test_programs_and_children_end_with_a_worker(folder: Path, kind: str, sandbox: Policy) -> None:
    marker = f"marker-{uuid.uuid4()}"
    (folder / "parent.sh").write_text(
        f"sh -c 'trap \"\" TERM; while :; do sleep 3600; done' {marker} & wait"
    )
    command = [sys.executable, "-c", WORKER, str(folder), f"{kind}:sh parent.sh", sandbox]
    with subprocess.Popen(command, cwd=ROOT) as worker:
        wait_until(lambda: processes_with(marker) or worker.poll() is not None, "a bot's program")
        assert worker.poll() is None
        worker.kill()
    wait_for_end_of(marker)


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_programs_end_with_the_process_that_asks_them(folder: Path, sandbox: Policy) -> None:
    marker = f"marker-{uuid.uuid4()}"
    job = job_with(folder, f"stdio:./lines.sh {marker}", sandbox=sandbox)
    with closing(MatchProcess(job)) as process:
        play(process, job)
        assert processes_with(marker)
        [child] = match_processes()
        child.kill()
        wait_for_end_of(marker)
        assert isinstance(process.play(make_batch()), LostBatch)
        play(process, job)
        assert processes_with(marker)
    wait_for_end_of(marker)


def test_programs_without_bubblewrap(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is absent")
    job = job_with(folder, "stdio:./absent")
    assert Programs(job).problem() == "anna: bot 'stdio:./absent': program './absent' not found"
    job = job_with(folder, GOOD_LINES, sandbox=Policy.REQUIRE)
    assert Programs(job).problem() == "anna: --sandbox require: it is absent"
    assert Programs(replace(job, bots={"anna": "random"})).problem() is None
    programs = Programs(job_with(folder, GOOD_LINES, sandbox=Policy.AUTO))
    assert programs.problem() is None
    assert programs.notice() == "programs run with limits, but not isolated: it is absent"
