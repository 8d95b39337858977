"""Malicious programs, run for real in the sandbox of bubblewrap."""

import ctypes
import os
import platform
import signal
import socket
import subprocess
import sys
import uuid
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import pytest

from arena.sandbox.limits import MEGABYTE, Limits
from arena.sandbox.run import MAX_OUTPUT
from arena.sandbox.sandbox import UNPROTECTED, Protection, Sandbox
from arena.sandbox.written_files import remove_folder
from tests.support.grading.sandboxes import Runner, processes_with, wait_for_end_of

IS_ROOT = os.geteuid() == 0


@pytest.fixture
def marker() -> str:
    """Return a word that no other process has in its command line."""
    return f"marker-{uuid.uuid4()}"


# Processes

FORK_BOMB = """
import os, time
children = 0
while True:
    try:
        if os.fork() == 0:
            time.sleep(3600)
    except OSError:
        break
    children += 1
print(children, flush=True)
"""


def test_a_fork_bomb_is_stopped_by_the_system(run_python: Runner, marker: str) -> None:
    ended = run_python(FORK_BOMB, marker, limits=Limits(processes=40))
    assert ended.excess is None
    assert 20 < int(ended.output) < 40
    wait_for_end_of(marker)


# No more than these, which are enough for the limit, and do not burden the machine.
MANY_CHILDREN = """
import os, time
for _ in range(100):
    if os.fork() == 0:
        break
time.sleep(3600)
"""


@pytest.mark.skipif(not IS_ROOT, reason="the system limits the processes of other users")
def test_a_fork_bomb_is_stopped_where_the_system_does_not(run_python: Runner, marker: str) -> None:
    sandbox = Sandbox(Protection.ISOLATED, is_root=False)
    ended = run_python(MANY_CHILDREN, marker, limits=Limits(processes=40), sandbox=sandbox)
    assert ended.excess == "started more than 40 processes"
    wait_for_end_of(marker)


SURVIVOR = """
import os, signal, sys, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("alive", flush=True)
        time.sleep(3600)
    os._exit(0)
os.wait()
if sys.argv[2] == "stay":
    time.sleep(3600)
"""


def test_no_process_survives_its_parent(run_python: Runner, marker: str) -> None:
    ended = run_python(SURVIVOR, marker, "leave")
    assert (ended.status, ended.excess) == (0, None)
    wait_for_end_of(marker)


def test_no_process_survives_the_time_limit(run_python: Runner, marker: str) -> None:
    ended = run_python(SURVIVOR, marker, "stay", seconds=2.0)
    assert ended.excess == "took more than 2 s"
    assert ended.is_late
    assert ended.status == -signal.SIGKILL
    wait_for_end_of(marker)


START = """
import subprocess, sys
from pathlib import Path
from arena.sandbox.limits import Limits, Policy, View
from arena.sandbox.process import start
from arena.sandbox.sandbox import Sandbox
sandbox = Sandbox.of(Policy.REQUIRE)
process = start(sandbox, ["sleep", "3600", sys.argv[1]], View(Path("/")), Limits())
process = start(sandbox, ["sh", "-c", "echo ready; sleep 3600", sys.argv[1]], View(Path("/")),
                Limits(), stdout=None)
process.wait()
"""


@pytest.mark.usefixtures("isolated")
def test_no_program_survives_the_arena(marker: str) -> None:
    command = [sys.executable, "-c", START, marker]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as arena:
        assert arena.stdout
        assert arena.stdout.readline() == b"ready\n"
        arena.kill()
    wait_for_end_of(marker)


def test_a_program_cannot_kill_another(run_python: Runner, marker: str) -> None:
    with subprocess.Popen(["sleep", "3600"]) as neighbour:
        text = """
import os, signal, sys
for pid in (int(sys.argv[2]), -1):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        print("no such process", flush=True)
"""
        ended = run_python(text, marker, neighbour.pid)
        assert ended.output.startswith(b"no such process\n")
        assert neighbour.poll() is None
        neighbour.kill()
    assert not processes_with(marker)


# Memory and output


def test_a_hundred_gigabytes_are_refused(run_python: Runner) -> None:
    ended = run_python("data = b'x' * (100 * 2**30)")
    assert ended.status == 1
    assert ended.errors.endswith(b"MemoryError\n")


ALLOCATE = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        data = b"x" * (50 * 2**20)
        time.sleep(3600)
time.sleep(3600)
"""


def test_the_memory_of_all_processes_is_limited(run_python: Runner, marker: str) -> None:
    ended = run_python(ALLOCATE, marker)
    assert ended.excess == "used more than 128 MB of memory"
    wait_for_end_of(marker)


def test_the_scratch_folders_are_limited(run_python: Runner) -> None:
    text = """
for folder in ("/tmp", "/dev/shm"):
    try:
        with open(folder + "/large", "wb") as file:
            file.write(b"x" * 2**21)
    except OSError as error:
        print(error.strerror)
"""
    assert run_python(text).output == b"No space left on device\n" * 2


def test_files_are_limited(run_python: Runner, tmp_path: Path) -> None:
    text = """
import signal
try:
    with open("large", "wb") as file:
        file.write(b"x" * 2**21)
except OSError as error:
    print(error.strerror)
"""
    own = tmp_path / "own"
    ended = run_python(text, limits=Limits(file_size=MEGABYTE), writable=(own,))
    assert ended.output == b"File too large\n"
    assert (own / "large").stat().st_size <= MEGABYTE


def test_endless_output_ends(run_python: Runner) -> None:
    ended = run_python("while True: print('x' * 1000)")
    assert ended.excess == f"wrote more than {MAX_OUTPUT} bytes"
    assert len(ended.output) == MAX_OUTPUT


def test_endless_errors_are_not_kept(run_python: Runner) -> None:
    text = "import sys\nwhile True: print('x' * 1000, file=sys.stderr)"
    ended = run_python(text, seconds=1.0)
    assert ended.is_late
    assert len(ended.errors) == MAX_OUTPUT


@pytest.mark.parametrize(
    ("text", "excess"),
    [
        ("for i in itertools.count(): open(str(i), 'w').close()", "wrote more than 500 files"),
        ("while True: os.mkdir('d'); os.chdir('d')", "made more than 64 folders in each other"),
        ("for i in itertools.count(): open(str(i % 99), 'wb').write(MB)", "wrote more than 8 MB"),
    ],
)
def test_what_is_written_is_limited(
    run_python: Runner, tmp_path: Path, text: str, excess: str
) -> None:
    limits = Limits(written_files=500, written_bytes=8 * MEGABYTE)
    start = "import itertools, os, time\nMB = bytes(2**20)\ntry:\n    "
    text = f"{start}{text}\nexcept OSError: time.sleep(3600)\n"
    own = tmp_path / "own"
    try:
        assert run_python(text, limits=limits, writable=(own,)).excess == excess
    finally:
        remove_folder(own)  # pytest cannot
    assert not own.exists()


def test_processor_time_is_limited(run_python: Runner) -> None:
    ended = run_python("while True: pass", limits=Limits(processor=1))
    assert ended.status == -signal.SIGXCPU


# Files


def test_files_outside_are_not_seen(run_python: Runner, tmp_path: Path) -> None:
    neighbour = tmp_path / "neighbour"
    neighbour.mkdir()
    (neighbour / "solution.py").write_text("secret")
    text = """
import os, sys
for path in sys.argv[1:]:
    print(os.path.exists(path), os.path.exists(os.path.dirname(path) + "/../own/program.py"))
print(sorted(os.listdir(os.path.dirname(os.getcwd()))))
"""
    secrets = ("/etc/shadow", "/etc/passwd", Path.home() / ".bashrc", neighbour / "solution.py")
    ended = run_python(text, *secrets)
    assert ended.output.decode() == "False False\n" * 4 + "['own']\n"


def test_links_lead_nowhere(run_python: Runner, tmp_path: Path, isolated: Sandbox) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    own = tmp_path / "own"
    (own / "link").symlink_to(secret)
    owner = secret.stat().st_uid
    text = """
import os
os.symlink("../secret", "another")
for name in ("link", "another", "../secret"):
    try:
        open(name).read()
    except OSError as error:
        print(error.strerror)
"""
    ended = run_python(text, writable=(own,))
    assert ended.output == b"No such file or directory\n" * 3
    isolated.hand_over(own)
    assert secret.stat().st_uid == owner


WRITE_EVERYWHERE = """
import os
for folder, names, _ in os.walk("/"):
    names[:] = [name for name in names if folder != "/" or name not in ("proc", "sys")]
    if folder.startswith(("/usr/", "/opt/")):
        names.clear()  # of the same mount
    try:
        with open(os.path.join(folder, "virus"), "w"):
            print(folder)
    except OSError:
        pass
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj"):
    try:
        with open(path, "w") as file:
            file.write("-1000")
        print(path)
    except OSError:
        pass
"""


def test_only_own_folders_can_be_written(run_python: Runner, tmp_path: Path) -> None:
    output = tmp_path / "output"
    output.mkdir()
    ended = run_python(WRITE_EVERYWHERE, writable=(output,))
    assert {*ended.output.decode().split()} == {"/tmp", "/dev/shm", str(output)}
    assert [path.name for path in output.iterdir()] == ["virus"]


def test_no_other_namespaces(run_python: Runner) -> None:
    text = """
import subprocess
print(subprocess.run(["unshare", "--user", "--mount", "true"], capture_output=True).returncode)
print(subprocess.run(["grep", "Cap...:.*[1-9a-f]", "/proc/self/status"]).returncode)
"""
    assert run_python(text).output == b"1\n1\n"


def test_the_environment_has_no_secrets(
    run_python: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    names = run_python("import os; print(*os.environ)").output.split()
    assert {*names} <= {
        b"PATH",
        b"HOME",
        b"LANG",
        b"LC_ALL",
        b"LC_CTYPE",
        b"TZ",
        b"JAVA_HOME",
        b"PWD",
    }


# Kernel

ADD_KEY, SESSION_KEYRING = 248, -3
KEYS = """
import ctypes
print(ctypes.CDLL(None).syscall(249, b"user", b"arena-test", None, 0) >= 0)
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls have other numbers")
def test_the_keys_of_the_session_are_not_seen(run_python: Runner, isolated: Sandbox) -> None:
    call = ctypes.CDLL(None).syscall
    if call(ADD_KEY, b"user", b"arena-test", b"secret", 6, SESSION_KEYRING) < 0:
        pytest.skip("this system has no keyrings")
    assert run_python(KEYS).output == b"False\n"
    assert run_python(KEYS, sandbox=Sandbox(Protection.LIMITED, False)).output == b"False\n"
    assert run_python(KEYS, sandbox=UNPROTECTED).output == b"True\n"
    assert isolated


LOOK_AROUND = """
import ctypes, glob, os, socket, sys
try:
    socket.socket(socket.AF_UNIX).connect("\\0" + sys.argv[1])
except OSError as error:
    print(error.strerror)
print(ctypes.CDLL(None).ptrace(16, int(sys.argv[2]), 0, 0))
print(os.path.exists("/dev/shm/" + sys.argv[1]), ctypes.CDLL(None).shmget(int(sys.argv[3]), 0, 0))
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        with open(path, "rb") as file:
            assert b"ARENA_TOKEN" not in file.read()
    except OSError:
        pass
"""


def test_nothing_is_shared_with_other_processes(run_python: Runner, marker: str) -> None:
    libc = ctypes.CDLL(None)
    key = uuid.uuid4().int % 2**31
    segment = libc.shmget(key, 4096, 0o1666)  # created, for all users
    shared = SharedMemory(marker, create=True, size=4096)
    environment = {**os.environ, "ARENA_TOKEN": "secret"}
    with (
        socket.socket(socket.AF_UNIX) as listener,
        subprocess.Popen(["sleep", "3600"], env=environment) as neighbour,
    ):
        listener.bind(f"\0{marker}")
        listener.listen()
        ended = run_python(LOOK_AROUND, marker, neighbour.pid, key)
        neighbour.kill()
    assert segment >= 0
    assert libc.shmctl(segment, 0, None) == 0  # removed
    shared.close()
    shared.unlink()
    assert ended.output == b"Connection refused\n-1\nFalse -1\n"


# Network

CONNECT = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
    print("connected")
except OSError as error:
    print("refused")
try:
    socket.create_connection(("192.0.2.1", 80), timeout=1)
except OSError as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(("network", "first"), [(False, b"refused"), (True, b"connected")])
def test_the_network_is_not_reached(run_python: Runner, network: bool, first: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as arena:
        port = arena.getsockname()[1]
        ended = run_python(CONNECT, port, network=network)
    assert ended.output.splitlines()[0] == first
    assert network or ended.output.splitlines()[1] == b"OSError"  # no route
