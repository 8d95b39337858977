"""Tournaments in process, run as in a shell."""

import io
import json
import signal
import subprocess
import sys
import uuid
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.configuration import InProcessOptions, TournamentConfig
from arena.cli.in_process import print_overplay, worker_count
from arena.cli.parser import parse
from arena.model.results import Termination
from arena.reports.progress import ProgressOutput
from tests.support.cases import loop_over
from tests.support.disks import NO_BYTECODE
from tests.support.games.user_programs import GOOD_LINES, faulty_lines, six_lines, write_programs
from tests.support.grading.sandboxes import wait_for_end_of
from tests.support.polling import wait_until
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    Run,
    configured,
    last_line,
    running_process,
    wait_for_exit,
    wait_for_line,
    without_times,
)
from tests.support.servers.arena_server import read_matches

BOT = """
class First:
    def choose(self, position, clock):
        return position.legal_moves()[0]


class Failing:
    def choose(self, position, clock):
        raise RuntimeError("of no use")
"""
BOTS = ["--bots", "greedy", "spec:2", "spec:1", "--stones", "7", "9", "--seed", "1"]
GAME = ["tournament", *BOTS]
LONG = ["tournament", "--bots", "random", "greedy", "--stones", "30", "--seed", "1"]
LONG += ["--rounds", "2000", "--workers", "2"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the bots of a user."""
    (tmp_path / "mybot.py").write_text(BOT)
    return tmp_path


def test_standings_progress_and_exit_status(db: Path, arena: Run) -> None:
    end = arena(*GAME, "--in-process", "--db", db)
    assert end.status == 0
    assert end.out.startswith("take_stones, round-robin, time unlimited, seed 1: 12 of 12 matches")
    lines = end.err.splitlines()
    assert lines[0] == f"arena: seed 1, database {db}"
    assert lines[1].startswith("arena: people can watch at http://127.0.0.1:")
    assert lines[-1].startswith("[12/12] ")
    assert lines[-1].endswith("matches/s, 0 batches in flight")


def test_games_are_those_over_connections(tmp_path: Path, arena: Run) -> None:
    connected, in_process = tmp_path / "connected.db", tmp_path / "in_process.db"
    assert arena(*GAME, "--quiet", "--db", connected, "--time", "600").status == 0
    assert arena(*GAME, "--quiet", "--db", in_process, "--in-process").status == 0
    assert by_number(connected) == by_number(in_process)


def by_number(db: Path) -> list[object]:
    records = sorted(read_matches(db), key=lambda record: record.pairing.number or 0)
    return without_times(records)


def test_games_do_not_depend_on_the_workers(tmp_path: Path, folder: Path, arena: Run) -> None:
    words = ["tournament", "--bots", "random", "python:mybot:First", "greedy", "--rounds", 3]
    words += ["--stones", 20, "--seed", 1, "--quiet", "--bot-files", folder, "--time", "500 nodes"]
    for workers in (1, 3):
        assert arena(*words, "--workers", workers, "--db", tmp_path / f"{workers}.db").status == 0
    one, three = (by_number(tmp_path / f"{workers}.db") for workers in (1, 3))
    assert len(one) == 18
    assert one == three


def test_database_is_verified(db: Path, folder: Path, arena: Run) -> None:
    words = ["--bots", "random", "python:mybot:Failing", "--bot-files", folder, "--stones", 7]
    assert arena("tournament", "--in-process", *words, "--db", db).status == 0
    assert {record.result.termination for record in read_matches(db)} == {Termination.DISCONNECT}
    reason = "(Failing) failed: Failing.choose raised RuntimeError: of no use (mybot.py, line 9)"
    assert all(record.result.reason.endswith(reason) for record in read_matches(db))
    assert arena("verify", db).out == "2 matches agree\n"


def test_clocks_run_in_process(db: Path, arena: Run) -> None:
    assert arena(*GAME, "--in-process", "--time", "60+1", "--json", "--db", db).status == 0
    assert {record.time_control for record in read_matches(db)} == {"60+1"}
    assert arena("verify", db).out == "12 matches agree\n"


def test_events_of_each_match(db: Path, tmp_path: Path, arena: Run) -> None:
    events = tmp_path / "events.jsonl"
    arena(*GAME, "--in-process", "--events", events, "--db", db)
    written = [json.loads(line) for line in events.read_text().splitlines()]
    kinds = [event["event"] for event in written]
    assert (kinds.count("scheduled"), kinds.count("started"), kinds.count("finished")) == (12,) * 3
    assert kinds.count("move") == sum(len(record.moves) for record in read_matches(db))
    assert kinds[-1] == "rating"


def test_sequential_test_is_decided(db: Path, arena: Run) -> None:
    words = ["--bots", "greedy", "random", "--sprt", "elo0=0", "elo1=300", "--stones", 20]
    end = arena("tournament", "--in-process", *words, "--seed", 1, "--db", db)
    assert end.status == 0
    assert "accepted H1 after" in end.out


def test_matches_beyond_the_decision_are_counted() -> None:
    notices = io.StringIO()
    for matches in (0, 1, 2):
        print_overplay(ProgressOutput(notices), matches)
    assert notices.getvalue().splitlines() == [
        "arena: 1 match was finished beyond the decision of the sequential test",
        "arena: 2 matches were finished beyond the decision of the sequential test",
    ]


def test_resuming_plays_only_the_rest(db: Path, arena: Run) -> None:
    with running_process(*COMMAND, *LONG, "--db", db) as process:
        wait_for_line(process, r"(people can watch)")
        # A line about the progress may come after all have ended.
        wait_until(lambda: read_matches(db), "the first stored match")
        process.send_signal(signal.SIGINT)
        end = wait_for_exit(process)
    words = "arena: stopped; run the same command on the same database to continue"
    assert last_line(end) == CompletedCommand(130, "", words)
    before = read_matches(db)
    assert 0 < len(before) < 4000
    assert f"{len(before):,} of 4,000 matches finished" in arena(*LONG, "--db", db).err
    after = {record.pairing.number: record for record in read_matches(db)}
    assert after.keys() == set(range(1, 4001))
    assert [after[record.pairing.number] for record in before] == before


def test_resuming_after_kill(db: Path, arena: Run) -> None:
    with running_process(*COMMAND, *LONG, "--db", db) as process:
        wait_for_line(process, r"^\[([1-9])")
        process.kill()
    assert arena(*LONG, "--quiet", "--db", db).status == 0
    numbers = sorted(record.pairing.number or 0 for record in read_matches(db))
    assert numbers == [*range(1, 4001)]


def test_resuming_with_programs_after_kill(tmp_path: Path, db: Path, arena: Run) -> None:
    marker = f"marker-{uuid.uuid4()}"
    words = ["tournament", "--bots", f"{GOOD_LINES} {marker}", "greedy", "--rounds", "50"]
    words += ["--stones", "12", "--opening-plies", "1", "--seed", "1", "--workers", "2"]
    words += ["--bot-files", str(write_programs(tmp_path / "bots"))]
    with running_process(*COMMAND, *words, "--db", db) as process:
        wait_for_line(process, r"(people can watch)")
        wait_until(lambda: read_matches(db), "the first stored match")
        process.kill()
    wait_for_end_of(marker)
    before = read_matches(db)
    assert arena(*words, "--quiet", "--db", db).status == 0
    after = {record.id: record for record in read_matches(db)}
    assert [after[record.id] for record in before] == before
    wait_for_end_of(marker)
    undisturbed = tmp_path / "undisturbed.db"
    assert arena(*words, "--quiet", "--db", undisturbed).status == 0
    assert by_number(db) == by_number(undisturbed)
    assert arena("verify", db).out == "100 matches agree\n"


def test_faults_of_programs_have_a_log(tmp_path: Path, db: Path, arena: Run) -> None:
    folder = write_programs(tmp_path / "bots")
    words = ["--bots", faulty_lines("exits"), six_lines("talks"), "--bot-files", folder]
    assert arena("tournament", "--in-process", *words, "--stones", 7, "--db", db).status == 0
    found = {
        (record.result.termination, record.log.splitlines()[-1]) for record in read_matches(db)
    }
    assert found <= {
        (Termination.DISCONNECT, "mode exits"),
        (Termination.MALFORMED, "mode talks"),
    }
    assert arena("verify", db).out == "2 matches agree\n"


def test_resuming_over_connections_is_refused(db: Path, arena: Run) -> None:
    arena(*GAME, "--in-process", "--quiet", "--db", db)
    end = arena(*GAME, "--db", db)
    differences = (
        "time: stored unlimited, given 5+0.05; in_process: stored yes (--in-process), given no"
    )
    line = f"arena: {db} belongs to a different tournament; {differences}\n"
    assert end == CompletedCommand(2, "", line)
    assert arena(*GAME, "--workers", 1, "--db", db).status == 0


def test_full_disk(db: Path, arena: Run) -> None:
    command = [*GAME, "--in-process", "--rounds", "300", "--db", str(db)]
    limited = ["sh", "-c", 'ulimit -f 300 && exec "$@"', "sh", *COMMAND, *command]
    end = subprocess.run(limited, capture_output=True, text=True, check=False, env=NO_BYTECODE)
    assert end.stderr.splitlines()[-1].startswith("arena: cannot write to the database: ")
    assert (end.returncode, end.stdout) == (1, "")
    assert arena(*command).status == 0
    assert len(read_matches(db)) == 3600


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["cmd:cat"],
            "bot cat cannot play in process: 'cmd:cat', there is no server to connect to"
            " (stdio:COMMAND runs a program that reads and writes lines)\n",
        ),
        (
            ["external:Ann"],
            "bot Ann cannot play in process: 'external:Ann', there is no server to connect to\n",
        ),
        (["stdio:./mybot.sh"], "bot 'stdio:./mybot.sh': program './mybot.sh' not found"),
        (["program:in=x sh"], "bot 'program:in=x sh': folder 'x' not found"),
        (["chess"], "unknown bot 'chess' (choose from random"),
        (["python:mybot:Second"], "no class 'Second' in mybot (classes: First, Failing)"),
        (["greedy", "--cluster", "here"], "invalid cluster 'here' (expected local, tcp://"),
        (["greedy", "--cluster", ""], "invalid cluster '' (expected local, tcp://"),
    ],
)
def test_problem_before_the_start(
    db: Path, folder: Path, arena: Run, words: list[str], problem: str
) -> None:
    words = [
        "--in-process",
        "--bot-files",
        str(folder),
        "--db",
        str(db),
        "--bots",
        "random",
        *words,
    ]
    status, out, err = arena("tournament", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert problem in err
    assert not db.exists()


def test_unreachable_cluster(db: Path, arena: Run) -> None:
    end = arena(*GAME, "--cluster", "tcp://127.0.0.1:1", "--db", db)
    assert (end.status, end.out) == (1, "")
    line = last_line(end).err
    assert "continue" not in line  # nothing has begun
    assert "tcp://127.0.0.1:1" in line


def test_missing_extra(db: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    find = PathFinder.find_spec
    monkeypatch.setattr(
        PathFinder,
        "find_spec",
        lambda name, *rest: None if name == "distributed" else find(name, *rest),
    )
    monkeypatch.delitem(sys.modules, "distributed", raising=False)
    line = "arena: --cluster needs Dask: pip install 'take-stones-arena[cluster]'\n"
    end = arena(*GAME, "--cluster", "local", "--db", db)
    assert end == CompletedCommand(2, "", line)


def test_dry_run(arena: Run) -> None:
    out = arena(*GAME, "--workers", 7, "--dry-run").out
    assert "matches: 12, 0 finished, 7 at once\n" in out
    out = arena(*GAME, "--cluster", "tcp://127.0.0.1:1", "--dry-run").out
    assert "matches: 12, 0 finished\n" in out


@loop_over(
    ("flags", "options"),
    [
        ([], None),
        (["--in-process"], InProcessOptions()),
        (["--workers", "3"], InProcessOptions(3)),
        (["--cluster", "local"], InProcessOptions(None, "local")),
        (["--in-process", "--workers", "3", "--cluster", "x"], InProcessOptions(3, "x")),
    ],
)
def test_flags(flags: list[str], options: InProcessOptions | None) -> None:
    assert configured(TournamentConfig, "tournament", *flags).in_process == options


def test_number_of_workers() -> None:
    assert worker_count(InProcessOptions(5)) == 5
    assert worker_count(InProcessOptions(5, "local")) == 5
    assert (worker_count(InProcessOptions()) or 0) >= 1
    assert worker_count(InProcessOptions(None, "tcp://127.0.0.1:1")) is None


@loop_over(
    "flags",
    [
        ["--concurrency", "2"],
        ["--grace", "5"],
        ["--server"],
        ["--at", "20:00"],
        ["--wait", "5"],
        ["--tokens", "x"],
        ["--open"],
        ["--connections", "1000"],
        ["--origin", "http://x"],
    ],
)
def test_flags_of_connections_are_refused(flags: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        parse(["tournament", "--in-process", *flags])
    assert str(caught.value) == f"{flags[0]} has no meaning in process, where no bot connects"


@loop_over("command", ["tournament", "serve"])
def test_connections_need_a_clock(command: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse([command, "--time", "5 nodes"])
    assert str(caught.value) == "--time '5 nodes' requires arena tournament --in-process"


def test_a_margin_needs_a_clock() -> None:
    with pytest.raises(UsageError) as caught:
        parse(["tournament", "--in-process", "--margin", "1"])
    assert str(caught.value) == "--margin requires a clock, not --time 'unlimited'"
