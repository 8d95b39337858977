"""Processes of bots: start, connection, restart and end."""

import os
import resource
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from psutil import process_iter

from arena.protocol.codec import DecodeError, decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.runner import processes as module
from arena.runner.bot_settings import ProcessSettings
from arena.runner.processes import LimitExceeded, Process, Processes, check_limits
from arena.sandbox.limits import Limits, Policy
from arena.sandbox.sandbox import Protection, Sandbox
from bots.specification import BotSpec, read_bots
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, wait_until
from tests.support.servers.arena_server import ArenaServer, arena_server

UNUSED_URL = "ws://127.0.0.1:1/play"
STUBBORN = "trap '' TERM; while :; do sleep 100; done"

# An arena that does nothing but run a bot.
KEEPER = """\
import sys
from arena.runner.processes import Processes
from bots.specification import BotSpec
with Processes() as processes:
    processes.launch("orphan", BotSpec.parse(sys.argv[2]), sys.argv[1], 1, 1)
    print(flush=True)
    sys.stdin.read()
"""

T = TypeVar("T")


def wait_for(condition: Callable[[], T | None]) -> T:
    """Poll a condition until it returns something true, and return that."""
    answer: T | None = None

    def holds() -> bool:
        nonlocal answer
        answer = condition()
        return bool(answer)

    wait_until(holds, f"what {condition} finds")
    assert answer
    return answer


class Lifeline:
    """Named pipe that shows whether any process that opened it for writing is alive."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._ours = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> bytes | None:
        """Return what was written, nothing at its end, None while it is open without data."""
        try:
            return os.read(self._ours, 100)
        except BlockingIOError:
            return None

    def is_held(self) -> bool:
        """Return whether a process has opened it and written to it."""
        return bool(self.read())

    def is_cut(self) -> bool:
        """Return whether all processes that had opened it have ended."""
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
    """Collect the processes that the test starts, and end them after it."""
    started: list[Process] = []
    yield started
    for process in started:
        process.request_stop()
        process.end()


Sh = Callable[[str], Process]


@pytest.fixture
def sh(processes: list[Process]) -> Sh:
    """Start a bot that is a shell script."""

    def start(program: str) -> Process:
        processes.append(Process("Ann", ["sh", "-c", program], {}))
        return processes[-1]

    return start


@pytest.fixture
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten all delays and timeouts."""
    for name in ("STOP_SECONDS", "TERM_SECONDS", "FIRST_DELAY", "READ_SECONDS"):
        monkeypatch.setattr(module, name, 0.01)


def wait_for_failure(process: Process) -> str:
    return wait_for(lambda: process.failure)


def next_message(process: Process) -> str:
    return wait_for(process.supervise)


# Connecting


async def wait_until_connected(server: ArenaServer, processes: Processes, name: str) -> None:
    """Wait until a bot is connected."""
    while server.arena.server.sessions.expect([name]):
        assert processes.failures() == {}
        await server.arena.server.wait_for_change(timeout=0.1)


@loop_over(
    ("bot", "matches"),
    [("random", 1_000_000), ("greedy", 3), ("spec:1", 3), ("openspiel:mcts:5", 3)],
)
async def test_a_bot_connects_with_name_and_capacity(db: Path, bot: str, matches: int) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            processes.launch("Ann", BotSpec.parse(bot), server.url, seed=1, matches=matches)
            await wait_until_connected(server, processes, "Ann")
            capacity = server.arena.server.sessions.bots["Ann"].capacity
            assert capacity == min(matches, module.MAX_MATCHES)
    with pytest.raises(DecodeError):  # the protocol allows no more matches
        decode_from_bot(encode(Hello(PROTOCOL_VERSION, "Ann", [], module.MAX_MATCHES + 1)))


async def test_failure_of_a_bot_that_the_arena_refuses(db: Path) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            await server.connect_bot("Ann")
            processes.launch("Ann", BotSpec.parse("random"), server.url, 1, 1)
            while not (failures := processes.failures()):
                await server.arena.server.wait_for_change(timeout=0.05)
    assert failures == {"Ann": "a bot named Ann is already connected (name_taken)"}


async def test_bots_end_when_the_arena_is_killed(db: Path) -> None:
    async with arena_server(db) as server:
        command = [sys.executable, "-c", KEEPER, server.url, "random"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as keeper:
            while server.arena.server.sessions.expect(["orphan"]):
                await server.arena.server.wait_for_change()
            keeper.kill()
        await server.wait_until_disconnected("orphan")


def test_a_command_ends_when_the_arena_is_killed(lifeline: Lifeline) -> None:
    command = [sys.executable, "-c", KEEPER, UNUSED_URL, holding(f"echo >&3; {STUBBORN}", lifeline)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout
        assert keeper.stdout.readline() == b"\n"
        wait_for(lifeline.is_held)
        keeper.kill()
    wait_for(lifeline.is_cut)


@loop_over(
    "token, seen",
    ("tsa_secret", "Ann ws://here/play?token=tsa_secret tsa_secret"),
    (None, "Ann ws://here/play "),  # the organiser's own token is not inherited
)
def test_a_command_gets_its_name_the_url_and_its_token(
    monkeypatch: pytest.MonkeyPatch, token: str | None, seen: str
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_own")
    with Processes() as processes:
        spec = """cmd:sh -c 'echo "$ARENA_NAME $ARENA_URL $ARENA_TOKEN." >&2'"""
        processes.launch("Ann", BotSpec.parse(spec), "ws://here/play", 1, 1, token)
        assert wait_for(processes.failures) == {"Ann": f"{seen}."}


@loop_over("bot", ["greedy", "stdio:cat"])
async def test_tokens_are_on_no_command_line(db: Path, bot: str) -> None:
    with Processes() as processes:
        async with arena_server(db) as server:
            processes.launch("Ann", BotSpec.parse(bot), server.url, 1, 1, "tsa_secret")
            await wait_until_connected(server, processes, "Ann")
            commands = [process.info["cmdline"] or [] for process in process_iter(["cmdline"])]
            assert any("bots" in command for command in commands)
            assert not any("tsa_secret" in word for command in commands for word in command)


def test_all_processes_are_supervised_and_found_by_their_names() -> None:
    with Processes() as processes:
        processes.launch("Ann", BotSpec.parse("cmd:false"), "ws://here/play", 1, 1)
        processes.launch("Bob", BotSpec.parse("cmd:cat"), "ws://here/play", 1, 1)
        assert wait_for(processes.supervise) == [
            "bot Ann has left: exited with status 1; restarting it in 0.5 s"
        ]
        process = processes.find("Bob")
        assert process
        assert process.name == "Bob"
        assert processes.find("Cid") is None
    assert processes.failures()["Ann"] == "exited with status 1"  # it stays ended


# Failures


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("exit 3", "exited with status 3"),
        ("kill -9 $$", "killed by SIGKILL"),
        ("kill -40 $$", "killed by signal 40"),
        ("echo why", "exited with status 0"),
        ("echo bots: no such bot >&2; exit 2", "no such bot"),
        ("printf 'one\n two \n\n' >&2", "two"),
        ("printf '\\377' >&2", "\N{REPLACEMENT CHARACTER}"),
        ("printf %01500d 0 >&2", 1000 * "0"),
        ("yes complaint | head -c 3000000 >&2; echo last >&2", "last"),
        ("cat", None),
    ],
)
def test_reason_of_a_failure(sh: Sh, program: str, reason: str | None) -> None:
    process = sh(program)
    assert (wait_for_failure(process) if reason else process.failure) == reason


def test_children_are_killed_when_the_process_ends(sh: Sh, lifeline: Lifeline) -> None:
    process = sh(f"exec 3>{lifeline.path}; echo >&3; ({STUBBORN}) & exit 3")
    wait_for(lifeline.is_held)
    assert wait_for_failure(process) == "exited with status 3"
    wait_for(lifeline.is_cut)


def test_a_detached_child_does_not_hide_the_failure(sh: Sh, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "end")
    process = sh(f"setsid cat {tmp_path}/end & echo last >&2")
    with (tmp_path / "end").open("w"):  # the child keeps standard error open
        assert wait_for_failure(process) == "last"


@loop_over(
    "text, reason",
    (None, "cannot start {path}: No such file or directory"),
    ("", "cannot start {path}: Exec format error"),
)
def test_a_program_that_cannot_be_started(tmp_path: Path, text: str | None, reason: str) -> None:
    path = tmp_path / "bot"
    if text is not None:
        path.write_text(text)
        path.chmod(0o700)
    process = Process("Ann", [str(path)], {})
    assert (process.failure, process.pid) == (reason.format(path=path), None)
    process.request_stop()
    process.wait(0.0)
    process.end()


@loop_over("has_own", [False, True])
def test_a_python_bot_has_its_folder_and_environment(tmp_path: Path, has_own: bool) -> None:
    (tmp_path / "mine.py").write_text("import os\nraise RuntimeError(os.environ.get('LEVEL'))")
    settings = ProcessSettings(tmp_path, environment={"LEVEL": "3"}) if has_own else None
    folder = Path("/") if has_own else tmp_path
    with Processes() as processes:
        spec = "python:mine:Bot"
        processes.launch(
            "Ann",
            BotSpec.parse(spec),
            UNUSED_URL,
            1,
            1,
            bot_files=folder,
            settings=settings or ProcessSettings(),
        )
        failure = wait_for(lambda: processes.failures().get("Ann"))
        assert ("RuntimeError: 3" if has_own else "RuntimeError: None") in failure


# Settings


def test_a_command_has_its_folder_and_its_environment(tmp_path: Path) -> None:
    program = tmp_path / "ann"
    program.write_text('#!/bin/sh\necho "$(pwd) $LEVEL $ARENA_NAME" >&2\n')
    program.chmod(0o755)
    settings = ProcessSettings(tmp_path, environment={"LEVEL": "3", "ARENA_NAME": "Bob"})
    with Processes() as processes:
        processes.launch("Ann", BotSpec.parse("cmd:./ann"), UNUSED_URL, 1, 1, settings=settings)
        assert wait_for(processes.failures)["Ann"] == f"{tmp_path} 3 Ann"


@loop_over("policy", [Policy.OFF, Policy.AUTO])
async def test_a_program_has_its_environment_in_the_sandbox(db: Path, policy: Policy) -> None:
    spec = "stdio:sh -c 'while read line; do echo 1${LEVEL}1; done'"
    settings = ProcessSettings(environment={"LEVEL": "23"})
    with Processes(policy) as processes:
        async with arena_server(db) as server:
            processes.launch("Ann", BotSpec.parse(spec), server.url, 1, 1, settings=settings)
            await wait_until_connected(server, processes, "Ann")
            await server.connect_bot("Bob")
            record = await server.start_match("Ann", "Bob")
            assert record.fault
            assert record.fault.move == 1231


# A new process


@pytest.mark.usefixtures("short_delays")
@pytest.mark.parametrize("program", ["exec cat", STUBBORN, "exit 1"])
def test_a_renewed_process_is_replaced_without_a_message(
    sh: Sh, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(module, "RENEW_SECONDS", 0.5)
    process = sh(program)
    first = process.pid
    process.renew()
    assert process.is_renewing
    assert process.failure is None

    def is_renewed() -> bool:
        assert process.supervise() is None
        return not process.is_renewing

    wait_until(is_renewed, "the new process")
    assert process.pid != first


# Restarting


@pytest.mark.usefixtures("short_delays")
def test_a_process_that_ends_is_restarted(sh: Sh, tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = sh(f"echo >>{log}; test $(wc -l <{log}) = 3 && exec cat; exit 7")
    messages = [next_message(process), next_message(process)]
    reason = "bot Ann has left: exited with status 7; restarting it in"
    assert messages == [f"{reason} 0.01 s", f"{reason} 0.02 s"]
    wait_for(lambda: process.supervise() or log.read_text() == "\n\n\n")
    assert process.supervise() is None


@pytest.mark.usefixtures("short_delays")
@pytest.mark.parametrize(
    ("stable", "delays"), [(1000.0, "0.01 0.02 0.03 0.03"), (0.0, "0.01 0.01 0.01 0.01")]
)
def test_delays_double_up_to_the_last_and_start_anew_once_it_is_stable(
    sh: Sh, monkeypatch: pytest.MonkeyPatch, stable: float, delays: str
) -> None:
    monkeypatch.setattr(module, "LAST_DELAY", 0.03)
    monkeypatch.setattr(module, "STABLE_SECONDS", stable)
    process = sh("exit")
    assert [next_message(process).split()[-2] for _ in range(4)] == delays.split()


def test_no_restart_before_a_delay(sh: Sh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_DELAY", 1000.0)
    process = sh(f"echo >>{tmp_path}/log")
    assert next_message(process).endswith("restarting it in 1000 s")
    assert [process.supervise(), process.supervise()] == [None, None]
    assert (process.failure, (tmp_path / "log").read_text()) == ("exited with status 0", "\n")


@pytest.mark.usefixtures("short_delays")
def test_a_program_that_appears_later_is_started(processes: list[Process], tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    process = Process("Ann", [str(bot)], {})
    processes.append(process)
    assert "cannot start" in next_message(process)
    bot.write_text("#!/bin/sh\nexec cat\n")
    bot.chmod(0o700)
    wait_for(lambda: process.supervise() or process.failure is None)
    assert process.failure is None


# Stopping


def holding(program: str, lifeline: Lifeline) -> str:
    """Return the specification of a bot that keeps the lifeline open."""
    return f'cmd:sh -c "exec 3>{lifeline.path}; {program}"'


def run_and_stop(lifeline: Lifeline, program: str) -> None:
    """Launch this bot, leave the context, and wait until none of its processes is left."""
    with Processes() as processes:
        processes.launch("Ann", BotSpec.parse(holding(program, lifeline)), UNUSED_URL, 1, 1)
        wait_for(lifeline.is_held)
    wait_for(lifeline.is_cut)


def test_a_built_in_bot_ends_with_its_standard_input(processes: list[Process]) -> None:
    command = [sys.executable, "-m", "bots", "random", "--until-eof", "--url", UNUSED_URL]
    process = Process("x", command, {})
    processes.append(process)
    process.request_stop()
    assert wait_for(lambda: process.failure) == "exited with status 0"


def test_a_bot_may_finish_its_work(lifeline: Lifeline, tmp_path: Path) -> None:
    run_and_stop(lifeline, f"echo >&3; cat; echo done >{tmp_path}/done")
    assert (tmp_path / "done").read_text() == "done\n"


def test_a_bot_that_does_not_end_gets_sigterm(
    lifeline: Lifeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", 0.01)
    monkeypatch.setattr(module, "TERM_SECONDS", TEST_TIMEOUT)
    run_and_stop(
        lifeline, f"trap 'echo >{tmp_path}/terminated; exit' TERM; echo >&3; sleep 100 & wait"
    )
    assert (tmp_path / "terminated").exists()


@pytest.mark.usefixtures("short_delays")
@pytest.mark.parametrize(
    "program",
    [
        f"trap '' TERM; echo >&3; {STUBBORN}",
        "echo >&3; kill -STOP $$",
        f"({STUBBORN}) & echo >&3; cat",
    ],
    ids=["ignores SIGTERM", "is stopped", "has a child"],
)
def test_what_does_not_end_is_killed(lifeline: Lifeline, program: str) -> None:
    run_and_stop(lifeline, program)


def test_a_second_ctrl_c_ends_the_wait(lifeline: Lifeline) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_and_stop(lifeline, f"echo >&3; cat; kill -INT $PPID; {STUBBORN}")
    wait_for(lifeline.is_cut)


def test_signal_to_an_ended_process(sh: Sh) -> None:
    process = sh("exit")
    wait_for_failure(process)
    process.send_signal(signal.SIGTERM)


# Limits of the system


# 40 + 3 * 2 + 2 * 3 files, 10 + 2 * 3 processes
BOTS = read_bots({"a": "random", "b": "cmd:cat", "c": "external:c"})


@loop_over(
    "files, processes, has_logs, message",
    (52, 16, False, None),
    (resource.RLIM_INFINITY, resource.RLIM_INFINITY, False, None),
    (51, 16, False, "3 bots need 52 open files, the limit is 51 (see ulimit -Hn)"),
    (52, 15, False, "3 bots need 16 processes, the limit is 15 (see ulimit -u)"),
    (0, -1, False, "3 bots need 52 open files, the limit is 0 (see ulimit -Hn)"),
    (54, 16, True, None),
    (53, 16, True, "3 bots need 54 open files, the limit is 53 (see ulimit -Hn)"),
)
def test_limits(
    monkeypatch: pytest.MonkeyPatch, files: int, processes: int, has_logs: bool, message: str | None
) -> None:
    limits = {resource.RLIMIT_NOFILE: files, resource.RLIMIT_NPROC: processes}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], 10**6))
    if message is None:
        check_limits(BOTS, has_logs=has_logs)
        return
    with pytest.raises(LimitExceeded) as raised:
        check_limits(BOTS, has_logs=has_logs)
    assert str(raised.value) == message


def test_a_process_takes_three_files(processes: list[Process]) -> None:
    before = len(os.listdir("/proc/self/fd"))
    processes += [Process("x", ["cat"], {}) for _ in range(5)]
    assert len(os.listdir("/proc/self/fd")) - before == 3 * 5


# Sandboxes


def test_a_process_over_its_limits_names_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Limits", lambda: Limits(processes=-10))
    limited = Sandbox(Protection.LIMITED, is_root=False)
    process = Process("greedy", ["sleep", "3600"], {}, sandbox=limited)
    assert wait_for(lambda: process.failure) == "started more than -10 processes"
    process.end()


@pytest.mark.needs("bubblewrap")
def test_a_command_in_the_sandbox_reaches_the_arena(tmp_path: Path) -> None:
    program = tmp_path / "mybot.py"
    program.write_text(
        "import os, socket, sys\n"
        "port = int(os.environ['ARENA_URL'].split(':')[2].split('/')[0])\n"
        "connected = socket.create_connection(('127.0.0.1', port))\n"
        "sys.exit(os.environ['ARENA_NAME'] + ' in ' + os.environ['HOME'])\n"
    )
    tmp_path.chmod(0o755)
    with socket.create_server(("127.0.0.1", 0)) as server, Processes(Policy.REQUIRE) as processes:
        url = f"ws://127.0.0.1:{server.getsockname()[1]}/play"
        command = shlex.join([sys.executable, str(program)])
        processes.launch("ann", BotSpec.parse(f"cmd:{command}"), url, None, 1)
        assert wait_for(processes.failures) == {"ann": "ann in /tmp"}
