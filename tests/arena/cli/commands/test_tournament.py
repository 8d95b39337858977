"""Command `arena tournament`, run as in a shell."""

import asyncio
import json
import os
import pty
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from datetime import datetime, timedelta
from io import FileIO, StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from arena.__main__ import main
from arena.model.results import Termination
from arena.protocol.player import Turn
from arena.protocol.spectator import About, Leaderboards, Lobby
from arena.storage.access import add_token, read_tokens
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import Plan
from arena.tournament.schedule import MAX_ATTEMPTS
from tests.support.disks import NO_BYTECODE
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import (
    COMMAND,
    GUEST,
    SMALL,
    CompletedCommand,
    Process,
    Run,
    connect_guest,
    last_line,
    running_bot,
    running_process,
    wait_for_exit,
    wait_for_line,
    wait_for_url,
    with_flags,
    without_times,
)
from tests.support.servers.arena_server import broken_game, read_matches
from tests.support.servers.spectators import ScriptedSpectator
from tests.support.tournaments.databases import stored_records
from tests.support.tournaments.plans import all_pairings

ABSENT = [
    "tournament",
    "--bots",
    "external:guest",
    "external:friend",
    "--stones",
    "7",
    "--seed",
    "1",
]
PAIR = ["tournament", "--bots", "random", "greedy", "--stones", "7", "--seed", "1"]


class Played(NamedTuple):
    """A tournament that was played: what it printed, its database and its file of events."""

    end: CompletedCommand
    db: Path
    events: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play a tournament of two bots in this process."""
    folder = tmp_path_factory.mktemp("played")
    db, events = folder / "arena.db", folder / "events.jsonl"
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        status = main([*PAIR, "--plain", "--events", str(events), "--db", str(db)])
    return Played(CompletedCommand(status, out.getvalue(), err.getvalue()), db, events)


# A tournament


def test_a_tournament_ends_with_the_standings(played: Played) -> None:
    end = played.end
    assert end.status == 0
    heading = "take_stones, round-robin, time 5+0.05, seed 1: 2 of 2 matches\n\n#  bot "
    assert end.out.startswith(heading)
    lines = played.end.err.splitlines()
    assert lines[0] == f"arena: seed 1, database {played.db}"
    assert re.fullmatch(r"arena: people can watch at http://127\.0\.0\.1:\d+/", lines[1])
    assert [line.split()[0] for line in lines[2:]] == ["[1/2]", "[2/2]"]
    assert played.events.read_text().count('"event":"finished"') == 2


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


def test_json_is_the_only_output_and_without_a_terminal_no_match_has_a_line(
    db: Path, arena: Run
) -> None:
    host = "::1" if has_ipv6() else "127.0.0.1"
    end = arena(*PAIR, "--host", host, "--json", "--db", db)
    lines = end.err.splitlines()
    assert lines[0] == f"arena: seed 1, database {db}"
    assert not [line for line in lines if not line.startswith("arena: ")]
    facts = json.loads(end.out)
    assert (facts["seed"], facts["matches"], facts["finished"]) == (1, 2, 2)
    table = facts["standings"]["take_stones"]
    assert {line["bot"] for line in table} == {"random", "greedy"}


def chunks(shown: FileIO) -> Iterator[bytes]:
    """Yield what is written to a terminal until all writers have closed it."""
    try:
        while some := shown.read(4096):
            yield some
    except OSError:  # how Linux reports that the other side is closed
        return


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_a_terminal_gets_a_progress_bar(db: Path) -> None:
    screen, terminal = pty.openpty()
    with (
        open(screen, "rb", buffering=0) as shown,
        running_process(*COMMAND, *PAIR, "--db", db, err=terminal),
    ):
        os.close(terminal)
        text = b"".join(chunks(shown))
    assert (b"2/2" in text, b"\x1b[" in text, b"[1/2]" in text) == (True, True, False)


def test_a_database_is_new(tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.strftime", lambda _: "now")
    assert arena(*SMALL, "--open", "--host", "192.0.2.1").status == 2  # of no machine (RFC 5737)
    assert [*Path("results").iterdir()] == []
    Path("results", "now.db").touch()
    assert arena(*PAIR, "--workers", 1).status == 0
    assert {path.name for path in Path("results").glob("*.db")} == {"now.db", "now-2.db"}


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_a_spectator_follows_a_tournament_to_its_end(db: Path) -> None:
    async def scenario(address: str) -> None:
        connecting = connect(address.replace("/play", "/watch"), compression=None, proxy=None)
        async with connecting as connection, connect_guest(address) as player:
            spectator = ScriptedSpectator(connection)
            about = await spectator.receive(About)
            assert about.tournament
            assert about.tournament.format == "knockout"
            assert about.tournament.may_end_early
            await spectator.send("watch", match=None)
            [[final]] = (await spectator.receive(Leaderboards)).tables[0].rounds
            assert final.decided is None
            playing = asyncio.create_task(player.play_to_end())
            finished = 0
            with suppress(ConnectionClosed):
                while True:
                    finished = (await spectator.receive(Lobby)).finished or finished
            await playing
            assert finished >= 2
            assert connection.close_code == 1000

    command = [*COMMAND, *GUEST, "--format", "knockout", "--db", db]
    with running_process(*command) as process:
        asyncio.run(scenario(wait_for_url(process)))
        assert wait_for_exit(process).status == 0


SPRT = ["--bots", "spec:3", "random", "--stones", "40", "--sprt", "elo0=-300", "elo1=300"]


def test_a_sequential_test_is_decided(db: Path, arena: Run) -> None:
    command = ["tournament", *SPRT, "--opening-plies", 2, "--seed", 1, "--db", db]
    end = arena(*command)
    found = re.search(
        r"^SPRT elo0=-300 .*, accepted H1 after (\d+) pairs\nPairs by score", end.out, re.M
    )
    assert found
    assert len(read_matches(db)) <= 2 * int(found[1]) + 2
    assert arena(*command).out == end.out


def test_a_tournament_in_a_file(db: Path, tmp_path: Path, arena: Run) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'bots = ["random", "greedy"]\nstones = 7\nseed = 3\nquiet = true\nworkers = 1\n'
        'time = "0.5/move"'
    )
    end = arena("tournament", file, "--seed", 4, "--db", db)
    assert end.out.startswith("take_stones, round-robin, time 0.5/move, seed 4: 2 of 2 matches\n")
    assert end.err == ""


def test_dry_run(db: Path, arena: Run) -> None:
    end = arena(*SMALL, "--dry-run", "--db", db)
    assert (end.status, end.out.count("\nmatch ")) == (0, 6)
    assert end.err.startswith(
        "arena: where the clock ends a search, the moves of spec:1 depend on "
    )
    assert not db.exists()


def test_a_sequential_test_counts_no_copies(db: Path, arena: Run) -> None:
    words = ["--bots", "greedy", "greedy", "--sprt", "elo0=-300", "elo1=300", "--stones", 7]
    command = ["tournament", *words, "--workers", 1, "--seed", 1, "--db", db]
    end = arena(*command)
    told = "arena: no distinct openings are left, and the sequential test is undecided"
    assert told in end.err.splitlines()
    with DatabaseReader(db) as records:
        text = records.plan()
        assert text
        pairs = len({pairing.opening for pairing in all_pairings(Plan.from_json(text))})
        assert records.distinct_games("take_stones") == records.count_rated() == 2 * pairs
    assert f"LLR +0.00 (-2.94, 2.94), undecided after {pairs} pairs\n" in end.out
    again = arena(*command)
    assert (again.status, again.out) == (0, end.out)


def test_events_on_standard_output(db: Path, arena: Run) -> None:
    end = arena(*PAIR, "--events", "-", "--db", db)
    events = [json.loads(line)["event"] for line in end.out.splitlines()]
    assert (events.count("finished"), events[0], events[-1]) == (2, "scheduled", "rating")
    assert events.count("move") == sum(len(record.moves) for record in read_matches(db))


def test_events_that_cannot_be_written(db: Path, arena: Run) -> None:
    pair = [*PAIR, "--workers", 1]
    line = "arena: cannot write --events /dev/full: No space left on device"
    assert last_line(arena(*pair, "--events", "/dev/full", "--db", db)) == CompletedCommand(
        1, "", line
    )
    assert "matches: 2, 0 finished" in arena(*pair, "--dry-run", "--db", db).out


def test_events_that_cannot_be_opened(
    db: Path, tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"arena: --events: {tmp_path} is a folder\n"
    assert arena(*SMALL, "--events", tmp_path, "--db", db) == CompletedCommand(2, "", line)
    line = f"arena: --events {db} is the file of --db\n"
    assert arena(*SMALL, "--events", db, "--db", db) == CompletedCommand(2, "", line)
    file = tmp_path / "t.toml"
    file.write_text("stones = [7]")
    line = f"arena: --events {file} is the file of FILE\n"
    assert arena("tournament", file, "--events", file, "--db", db) == CompletedCommand(2, "", line)
    monkeypatch.chdir(tmp_path)  # the path of a socket has at most 107 bytes
    with socket.socket(socket.AF_UNIX) as other:
        other.bind("socket")
    line = "arena: --events: socket is not writable\n"
    assert arena(*PAIR, "--events", "socket", "--db", db) == CompletedCommand(2, "", line)
    os.mkfifo("pipe")
    for words in PAIR, [*PAIR, "--workers", 1]:
        end = last_line(arena(*words, "--events", "pipe", "--db", db))
        line = "arena: cannot write --events pipe: it is a socket, or a pipe that no process reads"
        assert end == CompletedCommand(2, "", line)
    assert not db.exists()


@pytest.mark.slow
def test_events_on_the_same_terminal_as_the_table(db: Path) -> None:
    screen, terminal = pty.openpty()
    command = [*COMMAND, *PAIR, "--events", "-", "--db", str(db)]
    with open(screen, "rb", buffering=0) as shown:
        program = subprocess.Popen(command, stdout=terminal, stderr=terminal)
        os.close(terminal)
        text = b"".join(chunks(shown))
        assert program.wait(TEST_TIMEOUT) == 0
    assert (text.count(b'"event":"finished"'), b"\x1b[" in text) == (2, False)


def test_quiet_prints_only_the_table_with_an_anchor(complete: Path, arena: Run) -> None:
    end = arena(*SMALL, "--anchor", "random=100", "--quiet", "--db", complete)
    assert re.search(r"random  \+100     0 ", end.out)
    assert end.err == ""


EXAMPLES = Path(__file__).parents[4] / "examples"


def test_programs_that_speak_the_protocol(db: Path, arena: Run) -> None:
    program = f"py=cmd:{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLES / 'bot.py'))}"
    lines = f"stdio:awk -W interactive -f {shlex.quote(str(EXAMPLES / 'bot.awk'))}"
    end = arena("tournament", "--bots", program, lines, "--stones", 20, "--json", "--db", db)
    table = json.loads(end.out)["standings"]["take_stones"]
    assert {line["bot"]: line["forfeits"] for line in table} == {"py": {}, "awk": {}}


@pytest.mark.slow
def test_full_disk(db: Path, arena: Run) -> None:
    command = [*PAIR, "--rounds", "40", "--plain", "--db", str(db)]
    limited = ["sh", "-c", 'ulimit -f 200 && exec "$@"', "sh", *COMMAND, *command]
    end = subprocess.run(limited, capture_output=True, text=True, check=False, env=NO_BYTECODE)
    assert end.stderr.splitlines()[-1].startswith("arena: cannot write to the database: ")
    assert (end.returncode, end.stdout) == (1, "")
    finished = len(without_times(read_matches(db)))
    assert finished == end.stderr.count("cannot move") > 0
    assert f"{finished} of 80 matches finished" in arena(*command).err
    assert len(without_times(read_matches(db))) == 80


OPEN = ["tournament", "--server", "--stones", "7", "--seed", "1"]


@pytest.mark.usefixtures("measured")
def test_connected_bots_take_part_in_an_open_tournament(db: Path) -> None:
    async def play(address: str) -> None:
        async with connect_guest(address) as player:
            await player.play_to_end()

    with running_process(*COMMAND, *OPEN, "--bots", "spec:1", "--db", db) as process:
        asyncio.run(play(wait_for_url(process)))
        assert "2 of 2 matches" in wait_for_exit(process).out
    assert {record.pairing.players[0] for record in read_matches(db)} == {"spec:1", "guest"}


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_an_open_tournament_waits_for_its_start_time(db: Path, arena: Run) -> None:
    at = datetime.now() + timedelta(seconds=2)
    words = with_flags(OPEN, ["--server", at.isoformat()])
    with running_process(*COMMAND, *words, "--db", db) as process:
        address = wait_for_url(process)
        with running_bot("greedy", "a", address), running_bot("random", "b", address):
            assert "2 of 2 matches" in wait_for_exit(process).out
    assert min(record.started_at for record in read_matches(db)) >= at.timestamp()
    assert "2 of 2 matches finished" in arena(*OPEN, "--db", db).err


def test_the_wait_for_external_bots_may_end(db: Path, arena: Run) -> None:
    end = arena(*ABSENT, "--wait", 0.1, "--db", db)
    line = "arena: not connected after 0.1 s: guest, friend"
    assert last_line(end) == CompletedCommand(1, "", line)
    assert not db.exists()


def test_the_wait_for_two_bots_may_end(db: Path, arena: Run) -> None:
    line = "arena: a tournament needs at least 2 bots, not 1"
    end = arena(*OPEN, "--bots", "random", "--wait", 0.1, "--db", db)
    assert last_line(end) == CompletedCommand(1, "", line)
    assert not db.exists()


def test_bots_may_join_until_the_start_time(db: Path, arena: Run) -> None:
    at = datetime.now() + timedelta(seconds=1)
    words = with_flags(OPEN, ["--server", at.isoformat(), "--wait", "0.1"])
    line = "arena: a tournament needs at least 2 bots, not 0"
    assert last_line(arena(*words, "--db", db)) == CompletedCommand(1, "", line)
    assert datetime.now() >= at


@pytest.mark.usefixtures("measured")
def test_a_bot_under_an_unknown_name_is_reported(db: Path) -> None:
    async def connect(address: str) -> None:
        async with connect_guest(address):
            pass

    words = with_flags(ABSENT, ["--bots", "external:gust", "external:friend"])
    with running_process(*COMMAND, *words, "--db", db) as process:
        asyncio.run(connect(wait_for_url(process)))
        assert wait_for_line(process, "a bot named (guest) connected, but is not in this")
        process.send_signal(signal.SIGINT)
        wait_for_exit(process)


def test_no_dry_run_of_an_open_tournament(arena: Run) -> None:
    line = "arena: --dry-run cannot be combined with --server: the bots are not known\n"
    assert arena(*OPEN, "--dry-run") == CompletedCommand(2, "", line)


@pytest.mark.slow
def test_unplayed_matches_are_told(db: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("arena.match.adjudicator.GAMES", {"take_stones": broken_game(MAX_ATTEMPTS)})
        end = arena(*PAIR, "--concurrency", 1, "--db", db)
    line = "arena: match 1 could not be played: MemoryError: no room"
    assert last_line(end)._replace(out="") == CompletedCommand(1, "", line)
    assert "seed 1: 1 of 2 matches" in end.out
    assert "2 of 2 matches" in arena(*PAIR, "--db", db).out


# Going on


def test_a_complete_tournament_is_not_played_again(complete: Path, arena: Run) -> None:
    before = read_matches(complete)
    end = arena(*SMALL, "--db", complete)
    assert "arena: 6 of 6 matches finished, nothing left to play\n" in end.err
    assert read_matches(complete) == before
    end = arena(*SMALL[:-2], "--db", complete)
    assert (end.status, end.err.splitlines()[0]) == (0, f"arena: seed 1, database {complete}")
    assert arena(*SMALL, "--events", "-", "--db", complete)._replace(err="") == CompletedCommand(
        0, "", ""
    )


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_tournament_is_continued(db: Path, how: signal.Signals) -> None:
    async def interrupt_the_first_match(process: Process) -> None:
        async with connect_guest(wait_for_url(process)) as player:
            await player.receive(Turn)
            process.send_signal(how)
            assert (await player.wait_closed())[0] == 1012

    words = f"arena: stopped; run the same command with --db {db} to continue\n"
    with running_process(*COMMAND, *GUEST, "--db", db) as process:
        asyncio.run(interrupt_the_first_match(process))
        assert wait_for_exit(process) == CompletedCommand(130, "", words)
    assert [record.result.termination for record in read_matches(db)] == [Termination.ABORTED]
    with (
        running_process(*COMMAND, *GUEST, "--db", db) as process,
        running_bot("greedy", "guest", wait_for_url(process)),
    ):
        assert wait_for_exit(process).status == 0
    assert [record.pairing.number for record in read_matches(db) if record.winner] == [1, 2]


def test_ctrl_c_before_the_start(db: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda _: signal.raise_signal(signal.SIGINT))
    assert arena(*SMALL[:-2], "--db", db) == CompletedCommand(130, "", "arena: stopped\n")


@pytest.mark.slow
def test_a_tournament_is_extended(complete: Path, arena: Run) -> None:
    before = read_matches(complete)
    bots = ["random", "greedy", "spec:1", "spec:2"]
    command = with_flags(SMALL, ["--bots", *bots, "--rounds", "2"])
    end = arena(*command, "--extend", "--tag", "Event=Cup", "Site=Lab", "--db", complete)
    assert (end.status, "24 of 24 matches" in end.out) == (0, True)
    assert "arena: 6 of 24 matches finished, continuing" in end.err
    matches = stored_records(complete)
    assert without_times(matches[:6]) == without_times(before)
    assert [record.tags["Round"] for record in matches[6:]] == ["1"] * 6 + ["2"] * 12
    assert {(record.tags["Event"], record.tags["Site"]) for record in matches[6:]} == {
        ("Cup", "Lab")
    }
    assert "24 of 24 matches finished" in arena(*command, "--db", complete).err


@pytest.mark.slow
def test_a_bot_that_cannot_play_does_not_extend(complete: Path, arena: Run) -> None:
    command = with_flags(SMALL, ["--bots", "random", "greedy", "spec:1", "external:late"])
    assert arena(*command, "--extend", "--wait", "0", "--db", complete).status == 1
    assert "6 of 6 matches" in arena(*SMALL, "--db", complete).out


def test_a_part_ends_when_its_matches_are_finished(db: Path, arena: Run) -> None:
    small = [*SMALL, "--workers", "1"]
    end = arena(*small, "--part", "3/3", "--plain", "--db", db)
    assert end.out.startswith("take_stones, round-robin, time unlimited, seed 1: 2 of 6 matches")
    assert "[2/2] " in end.err
    assert {record.pairing.number for record in read_matches(db)} == {5, 6}
    assert "arena: 2 of 2 matches finished" in arena(*small, "--part", "3/3", "--db", db).err
    plan = arena(*small, "--part", "2/3", "--db", db, "--dry-run").out
    assert "matches: 2, 0 finished, 1 at once\n" in plan
    assert re.findall(r"^match (\d)", plan, re.M) == ["3", "4"]


def test_a_part_without_matches_has_the_plan(db: Path, tmp_path: Path, arena: Run) -> None:
    assert arena(*SMALL, "--part", "4/5", "--db", db).status == 0
    assert arena(*SMALL, "--part", "5/5", "--db", tmp_path / "5.db").status == 0
    end = arena("merge", db, tmp_path / "5.db", "--output", tmp_path / "merged.db")
    assert (end.status, end.err) == (0, "")


# Tokens


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """Create the tokens of two bots, one of which the arena starts."""
    path = tmp_path / "tokens.json"
    add_token(path, "greedy", 0)
    return path


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_an_external_bot_needs_a_token_from_the_file(db: Path, tokens: Path) -> None:
    words = [*GUEST, "--tokens", tokens, "--db", db]
    with running_process(*COMMAND, *words) as process:
        address = wait_for_url(process)
        wait_for_line(process, f"(guest has no token in {tokens} yet)")
        env = {**os.environ, "ARENA_TOKEN": add_token(tokens, "guest", 0)}
        command = [*COMMAND, "bot", "greedy", "--name", "guest", "--url", address]
        with running_process(*command, env=env):
            assert "2 of 2 matches" in wait_for_exit(process).out
    assert {*read_tokens(tokens)} == {"greedy", "guest"}  # built-in bots need none
    with running_process(*COMMAND, *words) as process:
        assert "has no token" not in wait_for_exit(process).err


# Settings of single bots


def test_bots_have_their_own_settings(db: Path, arena: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text(
        "#!/bin/sh\n"
        'echo "$LEVEL $$" >> log\n'
        "while read -r line; do\n"
        '    echo "$line" >> lines\n'
        "    legal=${line##* legal=}; legal=${legal%% *}\n"
        '    echo "${legal%%,*} depth=1"\n'
        "done\n"
    )
    (tmp_path / "mine").chmod(0o755)
    words = ["--bots", "greedy", "stdio:./mine", "--stones", "7", "--seed", "1", "--db", db]
    own = ["--bot", "mine", "time=9+0.5", f"dir={tmp_path}", "env.LEVEL=23", "restart=on"]
    end = arena("tournament", *words, *own, "--affinity", "--concurrency", "1")
    assert end.status == 0
    assert "time 5+0.05 (mine 9+0.5)" in end.out
    assert [record.time_control for record in read_matches(db)] == [
        "5+0.05 vs 9+0.5",
        "9+0.5 vs 5+0.05",
    ]
    assert all({*map(str, record.infos.values())} for record in read_matches(db))
    starts = (tmp_path / "log").read_text().splitlines()
    assert len({line for line in starts if line.startswith("23 ")}) >= 2
    [line, *_] = (tmp_path / "lines").read_text().splitlines()
    assert " increment_ms=500 opponent_increment_ms=50 " in line
    assert arena("verify", db).out == "2 matches agree\n"
    again = arena("tournament", *words, "--bot", "mine", f"dir={tmp_path}")
    assert again.status == 2
    assert "settings: stored mine dir=" in again.err


def test_time_odds_in_process(db: Path, arena: Run) -> None:
    words = ["--bots", "spec:3", "random", "--stones", "20", "--seed", "1", "--db", db]
    own = ["--bot", "spec:3", "time=9 nodes", "--time", "5+1"]
    assert arena("tournament", *words, *own, "--workers", "1").status == 0
    controls = {record.time_control for record in read_matches(db)}
    assert controls == {"9 nodes vs 5+1", "5+1 vs 9 nodes"}
    assert arena("verify", db).out == "2 matches agree\n"


def test_flags_are_checked_before_a_book_is_read(arena: Run) -> None:
    for words, error in (
        (["--extend"], "--extend requires --db with a tournament"),
        (["--part", "1/2"], "--part requires --seed, the same one for all parts"),
    ):
        end = arena("tournament", "--book", "missing.txt", *words)
        assert end == CompletedCommand(2, "", f"arena: {error}\n")
