"""Bots as processes: they start, join, start again, and never outlive the arena."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from psutil import process_iter

from arena.lobby.challenges import Challenges
from arena.protocol.codec import DecodeError, decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.runner import processes as launch
from arena.runner.processes import LimitExceeded, Process, Processes, check_limits
from tests.support.arena_server import TEST_TIMEOUT, ArenaServer, arena_server, in_event_loop

NOBODY_LISTENS = "ws://127.0.0.1:1/play"
STUBBORN = "trap '' TERM; while :; do sleep 100; done"

# An arena's process that does nothing but keep a bot.
KEEPER = """\
import sys
from arena.runner.processes import Processes
with Processes() as processes:
    processes.launch("orphan", "random", sys.argv[1], 1, 1)
    sys.stdin.read()
"""

T = TypeVar("T")


def until(found: Callable[[], T | None]) -> T:
    """Ask again and again until there is an answer."""
    deadline = time.monotonic() + TEST_TIMEOUT
    while time.monotonic() < deadline:
        if answer := found():
            return answer
    raise AssertionError("waited in vain")


class Lifeline:
    """Tells whether anybody who has opened it for writing is alive."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._ours = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> bytes | None:
        """What was written; nothing at its end, None as long as more may come."""
        try:
            return os.read(self._ours, 100)
        except BlockingIOError:
            return None

    def is_held(self) -> bool:
        """Whether somebody has opened it and said so."""
        return bool(self.read())

    def is_cut(self) -> bool:
        """Whether everybody who had opened it is gone."""
        return self.read() == b""

    def close(self) -> None:
        os.close(self._ours)


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    line = Lifeline(tmp_path / "lifeline")
    yield line
    line.close()


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    """Those that the test starts, which are ended after it."""
    started: list[Process] = []
    yield started
    for process in started:
        process.request_stop()
        process.end()


Sh = Callable[[str], Process]


@pytest.fixture
def sh(processes: list[Process]) -> Sh:
    """Start a bot that is a program of the shell."""

    def start(program: str) -> Process:
        processes.append(Process("Ann", ["sh", "-c", program], {}))
        return processes[-1]

    return start


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is lost."""
    for name in ("STOP_SECONDS", "TERM_SECONDS", "FIRST_DELAY", "READ_SECONDS"):
        monkeypatch.setattr(launch, name, 0.01)


def failure(process: Process) -> str:
    return until(lambda: process.failure)


def next_message(process: Process) -> str:
    return until(process.supervise)


# Bots that join


async def joins(server: ArenaServer, processes: Processes, name: str) -> None:
    """Wait until a bot is here."""
    while server.arena.sessions.expect([name]):
        assert processes.failures() == {}
        await server.arena.wait_for_change(timeout=0.1)


@in_event_loop
async def test_a_casual_bot_joins_as_such(db: Path) -> None:
    with Processes() as processes:
        async with arena_server(db, challenges=Challenges({})) as server:
            processes.launch("Ann", "random", server.url, seed=None, matches=3, think=0.5)
            while not server.arena.sessions.has_casual_player("Ann"):
                assert processes.failures() == {}
                await server.arena.wait_for_change(timeout=0.1)


@pytest.mark.parametrize("bot", ["random", "greedy", "spec:1"])
@in_event_loop
async def test_a_bot_joins_under_the_name_it_is_given(db: Path, bot: str) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            processes.launch("Ann", bot, server.url, seed=1, matches=3)
            await joins(server, processes, "Ann")
            assert server.arena.sessions.bots["Ann"].capacity == 3


@in_event_loop
async def test_a_bot_offers_no_more_matches_than_it_may(db: Path) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            processes.launch("Ann", "random", server.url, seed=1, matches=1_000_000)
            await joins(server, processes, "Ann")
            assert server.arena.sessions.bots["Ann"].capacity == launch.MAX_MATCHES


def test_more_matches_would_be_unreadable() -> None:
    hello = Hello(PROTOCOL_VERSION, "Ann", [], launch.MAX_MATCHES + 1)
    with pytest.raises(DecodeError):
        decode_from_bot(encode(hello))


@in_event_loop
async def test_what_a_bot_complains_of_that_the_arena_refuses(db: Path) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            await server.connect_bot("Ann")
            processes.launch("Ann", "random", server.url, 1, 1)
            while not (failures := processes.failures()):
                await server.arena.wait_for_change(timeout=0.05)
    assert failures == {"Ann": "a bot named Ann is already connected (name_taken)"}


@in_event_loop
async def test_no_bot_outlives_an_arena_that_is_killed(db: Path) -> None:
    async with arena_server(db) as server:
        command = [sys.executable, "-c", KEEPER, server.url]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as keeper:
            while server.arena.sessions.expect(["orphan"]):
                await server.arena.wait_for_change()
            keeper.kill()
        await server.wait_until_disconnected("orphan")


def test_a_command_is_told_who_it_is_and_where_to_go() -> None:
    with Processes() as processes:
        what = """cmd:sh -c 'echo "$ARENA_NAME $ARENA_URL" >&2'"""
        processes.launch("Ann", what, "ws://here/play", 1, 1)
        assert until(processes.failures) == {"Ann": "Ann ws://here/play"}


def told_token(token: str | None) -> str:
    """What a command that is launched with a token sees of it."""
    with Processes() as processes:
        what = """cmd:sh -c 'echo "token=$ARENA_TOKEN" >&2'"""
        processes.launch("Ann", what, "ws://here/play", 1, 1, token)
        return until(processes.failures)["Ann"]


def test_a_command_is_told_its_token() -> None:
    assert told_token("tsa_secret") == "token=tsa_secret"


def test_the_organisers_own_token_is_not_for_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_own")
    assert told_token(None) == "token="


@pytest.mark.parametrize("bot", ["greedy", "stdio:cat"])
@in_event_loop
async def test_a_bots_token_is_on_no_command_line(db: Path, bot: str) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            processes.launch("Ann", bot, server.url, 1, 1, "tsa_secret")
            await joins(server, processes, "Ann")
            commands = [process.info["cmdline"] or [] for process in process_iter(["cmdline"])]
            assert any("bots" in command for command in commands)
            assert not any("tsa_secret" in word for command in commands for word in command)


def test_news_of_all() -> None:
    with Processes() as processes:
        processes.launch("Ann", "cmd:false", "ws://here/play", 1, 1)
        processes.launch("Bob", "cmd:cat", "ws://here/play", 1, 1)
        assert until(processes.supervise) == [
            "bot Ann has left: exited with status 1; restarting it in 0.5 s"
        ]


# Why they end


def test_while_it_runs_it_has_not_failed(sh: Sh) -> None:
    assert sh("cat").failure is None


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("exit 0", "exited with status 0"),
        ("exit 3", "exited with status 3"),
        ("kill -9 $$", "killed by SIGKILL"),
        ("kill -40 $$", "killed by signal 40"),
        ("echo bots: no such bot >&2; exit 2", "no such bot"),
        ("printf 'one\n two \n\n' >&2", "two"),
        ("printf '\\377' >&2", "\N{REPLACEMENT CHARACTER}"),
        ("printf %01500d 0 >&2", 1000 * "0"),
    ],
)
def test_why_it_has_ended(sh: Sh, program: str, reason: str) -> None:
    assert failure(sh(program)) == reason


def test_what_it_has_printed_is_no_reason(sh: Sh) -> None:
    assert failure(sh("echo why")) == "exited with status 0"


def test_who_complains_much_is_not_kept_waiting(sh: Sh) -> None:
    assert failure(sh("yes complaint | head -c 3000000 >&2; echo last >&2")) == "last"


def test_what_it_leaves_behind_is_ended_when_it_ends(sh: Sh, lifeline: Lifeline) -> None:
    process = sh(f"exec 3>{lifeline.path}; echo >&3; ({STUBBORN}) & exit 3")
    until(lifeline.is_held)
    assert failure(process) == "exited with status 3"
    until(lifeline.is_cut)


def test_who_escapes_does_not_hide_that_it_has_ended(sh: Sh, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "end")
    process = sh(f"setsid cat {tmp_path}/end & echo last >&2")
    with (tmp_path / "end").open("w"):  # the one that has standard error waits for its end
        assert failure(process) == "last"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot start {path}: No such file or directory"),
        ("", "cannot start {path}: Exec format error"),
    ],
)
def test_a_program_that_cannot_be_started(
    processes: list[Process], tmp_path: Path, text: str | None, reason: str
) -> None:
    path = tmp_path / "bot"
    if text is not None:
        path.write_text(text)
        path.chmod(0o700)
    processes.append(Process("Ann", [str(path)], {}))
    assert processes[0].failure == reason.format(path=path)


def test_who_never_started_can_be_ended(tmp_path: Path) -> None:
    with Processes() as processes:
        bot = tmp_path / "bot"
        bot.touch(0o700)
        processes.launch("Ann", f"cmd:{bot}", NOBODY_LISTENS, 1, 1)
        assert list(processes.failures()) == ["Ann"]


# Starting again


@pytest.mark.usefixtures("quick")
def test_one_that_ends_is_started_again(sh: Sh, tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = sh(f"echo >>{log}; test $(wc -l <{log}) = 3 && exec cat; exit 7")
    said = [next_message(process), next_message(process)]
    reason = "bot Ann has left: exited with status 7; restarting it in"
    assert said == [f"{reason} 0.01 s", f"{reason} 0.02 s"]
    until(lambda: process.supervise() or log.read_text() == "\n\n\n")
    assert process.supervise() is None


@pytest.mark.usefixtures("quick")
def test_delays_grow_to_the_last(sh: Sh, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "LAST_DELAY", 0.03)
    process = sh("exit")
    assert [next_message(process).split()[-2] for _ in range(4)] == ["0.01", "0.02", "0.03", "0.03"]


@pytest.mark.usefixtures("quick")
def test_the_delay_of_one_that_has_run_well_is_the_first(
    sh: Sh, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "STABLE_SECONDS", 0.0)
    process = sh("exit")
    assert [next_message(process).split()[-2] for _ in range(3)] == ["0.01"] * 3


def test_nothing_is_started_before_the_delay_is_over(
    sh: Sh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "FIRST_DELAY", 1000.0)
    process = sh(f"echo >>{tmp_path}/log")
    assert next_message(process).endswith("restarting it in 1000 s")
    assert [process.supervise(), process.supervise()] == [None, None]
    assert (process.failure, (tmp_path / "log").read_text()) == ("exited with status 0", "\n")


@pytest.mark.usefixtures("quick")
def test_a_program_that_comes_back_is_started(processes: list[Process], tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    process = Process("Ann", [str(bot)], {})
    processes.append(process)
    assert "cannot start" in next_message(process)
    bot.write_text("#!/bin/sh\nexec cat\n")
    bot.chmod(0o700)
    until(lambda: process.supervise() or process.failure is None)
    assert process.failure is None


# Ending


def held(program: str, lifeline: Lifeline) -> str:
    """A bot that says on the lifeline that it is ready, and holds it."""
    return f'cmd:sh -c "exec 3>{lifeline.path}; {program}"'


def ends(lifeline: Lifeline, program: str) -> None:
    """A tournament with this bot ends, and nothing of the bot is left."""
    with Processes() as processes:
        processes.launch("Ann", held(program, lifeline), NOBODY_LISTENS, 1, 1)
        until(lifeline.is_held)
    until(lifeline.is_cut)


def test_a_bot_of_ours_leaves_when_its_input_ends(processes: list[Process]) -> None:
    command = [sys.executable, "-m", "bots", "random", "--until-eof", "--url", NOBODY_LISTENS]
    process = Process("x", command, {})
    processes.append(process)
    process.request_stop()
    assert until(lambda: process.failure) == "exited with status 0"


def test_time_to_leave_in_good_order(lifeline: Lifeline, tmp_path: Path) -> None:
    ends(lifeline, f"echo >&3; cat; echo done >{tmp_path}/done")
    assert (tmp_path / "done").read_text() == "done\n"


def test_who_stays_is_told_to_end(
    lifeline: Lifeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "STOP_SECONDS", 0.01)
    ends(
        lifeline, f"trap 'echo >{tmp_path}/told; exit' TERM; echo >&3; while :; do sleep 100; done"
    )
    assert (tmp_path / "told").exists()


@pytest.mark.usefixtures("quick")
def test_who_ignores_that_too_is_killed(lifeline: Lifeline) -> None:
    ends(lifeline, f"trap '' TERM; echo >&3; {STUBBORN}")


@pytest.mark.usefixtures("quick")
def test_who_is_stopped_is_killed(lifeline: Lifeline) -> None:
    ends(lifeline, "echo >&3; kill -STOP $$")


@pytest.mark.usefixtures("quick")
def test_all_that_it_has_started_is_killed(lifeline: Lifeline) -> None:
    ends(lifeline, f"({STUBBORN}) & echo >&3; cat")


@pytest.mark.usefixtures("quick")
def test_what_waits_to_be_started_again_stays_ended() -> None:
    with Processes() as processes:
        processes.launch("Ann", "cmd:false", NOBODY_LISTENS, 1, 1)
        until(processes.supervise)
    assert processes.failures() == {"Ann": "exited with status 1"}


def test_who_will_not_wait_interrupts_a_second_time(lifeline: Lifeline) -> None:
    with pytest.raises(KeyboardInterrupt):
        ends(lifeline, f"echo >&3; cat; kill -INT $PPID; {STUBBORN}")
    until(lifeline.is_cut)


def test_signals_to_nobody(sh: Sh) -> None:
    process = sh("exit")
    failure(process)
    process.send_signal(signal.SIGTERM)


# What the system allows


@pytest.fixture
def allow(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Set the limits of open files and of processes."""

    def set_limits(files: int, processes: int) -> None:
        limits = {resource.RLIMIT_NOFILE: files, resource.RLIMIT_NPROC: processes}
        monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], 10**6))

    return set_limits


BOTS = {"a": "random", "b": "cmd:cat", "c": "external:c"}  # 40 + 3 * 2 + 2 * 2 files, 10 + 2 * 3


@pytest.mark.parametrize("limits", [(50, 16), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)])
def test_enough(allow: Callable[[int, int], None], limits: tuple[int, int]) -> None:
    allow(*limits)
    check_limits(BOTS)


@pytest.mark.parametrize(
    ("files", "processes", "message"),
    [
        (49, 16, "3 bots need 50 open files, the limit is 49 (see ulimit -n)"),
        (50, 15, "3 bots need 16 processes, the limit is 15 (see ulimit -u)"),
        (0, -1, "3 bots need 50 open files, the limit is 0 (see ulimit -n)"),
    ],
)
def test_too_little(
    allow: Callable[[int, int], None], files: int, processes: int, message: str
) -> None:
    allow(files, processes)
    with pytest.raises(LimitExceeded) as refusal:
        check_limits(BOTS)
    assert str(refusal.value) == message


def test_a_process_takes_two_files(processes: list[Process]) -> None:
    before = len(os.listdir("/proc/self/fd"))
    processes += [Process("x", ["cat"], {}) for _ in range(5)]
    assert len(os.listdir("/proc/self/fd")) - before == 2 * 5
