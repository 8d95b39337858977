"""Tournaments in process, run as in a shell."""

import io
from pathlib import Path

import pytest

from arena.cli import playing
from arena.cli.arguments import UsageError
from arena.cli.parser import parse
from arena.cli.planning import make_plan, stored_plan
from arena.cli.playing import worker_count
from arena.cli.tournament_options import TournamentConfig
from arena.cli.tournament_output import print_overplay
from arena.processors import usable_processors
from arena.reports.progress import ProgressOutput
from arena.storage.schema import DatabaseInUse
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.servers.arena_command import (
    Run,
    configured,
    last_line,
    without_times,
)
from tests.support.servers.arena_server import read_matches

BOT = """
class First:
    def choose(self, position, clock):
        return position.legal_moves()[0]
"""
BOTS = ["--bots", "greedy", "spec:2", "spec:1", "--stones", "7", "9", "--seed", "1"]
GAME = ["tournament", *BOTS]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the bots of a user."""
    (tmp_path / "mybot.py").write_text(BOT)
    return tmp_path


def test_standings_progress_and_exit_status(db: Path, arena: Run) -> None:
    end = arena(*GAME, "--workers", "--db", db)
    assert end.status == 0
    assert end.out.startswith("take_stones, round-robin, time unlimited, seed 1: 12 of 12 matches")
    lines = end.err.splitlines()
    assert lines[0] == f"arena: seed 1, database {db}"
    assert lines[1].startswith("arena: people can watch at http://127.0.0.1:")
    assert lines[-1].startswith("[12/12] ")
    assert lines[-1].endswith("matches/s, 0 batches in flight")


@pytest.mark.slow
def test_games_are_those_over_connections(tmp_path: Path, arena: Run) -> None:
    connected, in_process = tmp_path / "connected.db", tmp_path / "in_process.db"
    assert arena(*GAME, "--quiet", "--db", connected, "--time", "600").status == 0
    assert arena(*GAME, "--quiet", "--db", in_process, "--workers").status == 0
    assert by_number(connected) == by_number(in_process)


def by_number(db: Path) -> list[object]:
    records = sorted(read_matches(db), key=lambda record: record.pairing.number or 0)
    return without_times(records)


@pytest.mark.slow
def test_games_do_not_depend_on_the_workers(tmp_path: Path, folder: Path, arena: Run) -> None:
    words = ["tournament", "--bots", "random", "python:mybot:First", "greedy", "--rounds", 3]
    words += ["--stones", 20, "--seed", 1, "--quiet", "--bot-files", folder, "--time", "500 nodes"]
    for workers in (1, 3):
        assert arena(*words, "--workers", workers, "--db", tmp_path / f"{workers}.db").status == 0
    one, three = (by_number(tmp_path / f"{workers}.db") for workers in (1, 3))
    assert len(one) == 18
    assert one == three


def test_matches_beyond_the_decision_are_counted() -> None:
    notices = io.StringIO()
    for matches in (0, 1, 2):
        print_overplay(ProgressOutput(notices), matches)
    assert notices.getvalue().splitlines() == [
        "arena: 1 match was finished beyond the decision of the sequential test",
        "arena: 2 matches were finished beyond the decision of the sequential test",
    ]


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
        (["greedy", "--cluster", "here"], "invalid cluster 'here' (expected local, tcp://"),
        (["greedy", "--cluster", ""], "invalid cluster '' (expected local, tcp://"),
        (["greedy", "--cluster", "here", "--dry-run"], "invalid cluster 'here' (expected"),
    ],
)
def test_early_problem(db: Path, folder: Path, arena: Run, words: list[str], problem: str) -> None:
    own = ["--workers", "--bot-files", folder, "--db", db, "--bots", "random"]
    status, out, err = arena("tournament", *own, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert problem in err
    assert not db.exists()


def test_a_plan_that_was_stored_meanwhile_is_kept(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(configured(TournamentConfig, *GAME, "--rounds", "2"))

    def play_another(*_: object) -> None:
        with DatabaseWriter(db) as writer:
            writer.save_plan(plan.to_json())

    monkeypatch.setattr(playing, "check_programs", play_another)
    error = f"^another arena has changed {db}: run the command again$"
    with pytest.raises(DatabaseInUse, match=error):
        playing.play(configured(TournamentConfig, *GAME, "--workers", "1", "--db", str(db)))
    assert stored_plan(db) == plan
    assert read_matches(db) == []


def test_unreachable_cluster(db: Path, arena: Run) -> None:
    end = arena(*GAME, "--cluster", "tcp://127.0.0.1:1", "--db", db)
    assert (end.status, end.out) == (1, "")
    line = last_line(end).err
    assert "continue" not in line  # nothing has begun
    assert "tcp://127.0.0.1:1" in line
    assert not db.exists()


def test_number_of_workers() -> None:
    assert worker_count(5, None) == 5
    assert worker_count(5, "local") == 5
    assert worker_count(None, "local") == usable_processors()
    assert worker_count(None, "tcp://127.0.0.1:1") is None


@loop_over(
    "words, workers, cluster",
    ("", None, None),
    ("--workers", usable_processors(), None),
    ("--workers 3", 3, None),
    ("--cluster local", None, "local"),
    ("--workers 3 --cluster x", 3, "x"),
)
def test_flags_of_workers(words: str, workers: int | None, cluster: str | None) -> None:
    config = configured(TournamentConfig, "tournament", *words.split())
    assert (config.workers, config.cluster) == (workers, cluster)
    assert config.in_process == bool(words)


OF_CONNECTIONS = ["--concurrency 2", "--grace 5", "--server", "--server 20:00", "--wait 5"]
OF_CONNECTIONS += ["--tokens x", "--open", "--logs x", "--affinity"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        *[
            (
                ["tournament", "--workers", *flag.split()],
                f"{flag.split()[0]} has no meaning in process, where no bot connects",
            )
            for flag in OF_CONNECTIONS
        ],
        *[
            (
                [command, "--time", "5 nodes"],
                "--time '5 nodes' requires arena tournament --workers",
            )
            for command in ("tournament", "serve")
        ],
    ],
)
def test_flags_that_do_not_fit(words: list[str], error: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(words)
    assert str(caught.value) == error
