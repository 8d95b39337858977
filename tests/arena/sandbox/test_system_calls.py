"""Filter of system calls: its program, interpreted as the kernel does, and in the sandbox."""

import errno
import platform
import re
import struct
import subprocess
from pathlib import Path

import pytest

from arena.sandbox.limits import Limits, View
from arena.sandbox.run import run
from arena.sandbox.sandbox import Protection, Sandbox
from arena.sandbox.system_calls import (
    ALLOW,
    CLONE,
    CLONE3,
    IOCTL,
    MACHINES,
    REFUSED,
    SOCKET,
    SOCKETPAIR,
    X32,
    call_filter,
    open_call_filter,
)
from tests.support.cases import loop_over
from tests.support.grading.sandboxes import Runner
from tests.support.polling import TEST_TIMEOUT
from tests.support.tools import need

OPEN_AT, GET_PID = (257, 56), (39, 172)
CLONE_NEWUSER, CLONE_THREAD = 0x10000000, 0x3D0F00
PACKET, NETLINK, VSOCK = 17, 16, 40
TIOCSTI, TIOCLINUX, TIOCGWINSZ = 0x5412, 0x541C, 0x5413
REFUSAL, ABSENCE = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS

# The general numbers are those of ARM; a machine has its own too.
KERNEL_HEADERS = [("asm-generic/unistd.h", "aarch64")]
KERNEL_HEADERS += [("asm/unistd.h", name) for name in MACHINES if name == platform.machine()]


def judged(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Return what a filter decides of a call."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    steps = [*struct.iter_unpack("=HBBI", program)]
    value = place = 0
    while True:
        code, if_true, if_false, operand = steps[place]
        place += 1
        if code == 0x06:  # return
            return int(operand)
        if code == 0x20:  # load
            [value] = struct.unpack_from("=I", data, operand)
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: value & operand}[code]
            place += if_true if holds else if_false


@loop_over("machine", MACHINES)
def test_calls_that_are_refused(machine: str) -> None:
    program, (architecture, column) = call_filter(machine), MACHINES[machine]
    for numbers in REFUSED.values():
        assert judged(program, architecture, numbers[column]) == REFUSAL
    for numbers in (OPEN_AT, GET_PID):
        assert judged(program, architecture, numbers[column]) == ALLOW
    assert judged(program, architecture, X32 + 39) == REFUSAL
    assert judged(program, 0x40000003, GET_PID[column]) == REFUSAL  # of 32 bits
    assert judged(program, architecture, CLONE3[column]) == ABSENCE


@loop_over("machine", MACHINES)
def test_arguments_that_are_refused(machine: str) -> None:
    program, (architecture, column) = call_filter(machine), MACHINES[machine]

    def outcome(numbers: tuple[int, int], *arguments: int) -> int:
        return judged(program, architecture, numbers[column], *arguments)

    assert outcome(CLONE, CLONE_NEWUSER | 17) == REFUSAL
    assert outcome(CLONE, CLONE_THREAD) == ALLOW
    assert [outcome(SOCKET, family) for family in (1, 2, 10)] == [ALLOW] * 3
    for family in (PACKET, NETLINK, VSOCK):
        assert outcome(SOCKET, family) == REFUSAL
    for request in (TIOCSTI, TIOCLINUX):
        assert outcome(IOCTL, 0, request) == REFUSAL
        assert outcome(IOCTL, 0, request | 1 << 40) == REFUSAL  # the kernel takes 32 bits
    assert outcome(IOCTL, 0, TIOCGWINSZ) == ALLOW


def kernel_numbers(header: str) -> dict[str, int]:
    """Return the number of each system call, by name, as a header of the kernel has it."""
    command = ["cc", "-E", "-dM", "-include", header, "-x", "c", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"this machine has no {header}")
    found = re.findall(r"#define __NR_(\w+) (\d+)\n", done.stdout)
    return {name: int(number) for name, number in found}


@pytest.mark.parametrize(("header", "machine"), KERNEL_HEADERS)
def test_numbers_are_those_of_the_kernel(header: str, machine: str) -> None:
    column, kernel = MACHINES[machine][1], kernel_numbers(header)
    calls = {**REFUSED, "clone": CLONE, "clone3": CLONE3}
    calls |= {"ioctl": IOCTL, "socket": SOCKET, "socketpair": SOCKETPAIR}
    known = [name for name in calls if name in kernel]  # it may be older than some calls
    assert len(known) > 30
    assert {name: calls[name][column] for name in known} == {name: kernel[name] for name in known}


def test_other_machines_have_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with open_call_filter() as descriptor:
        assert descriptor is None


CALL = """
import ctypes, errno, sys
call = ctypes.CDLL(None, use_errno=True).syscall
for text in sys.argv[1:]:
    numbers = [ctypes.c_long(int(word)) for word in text.split(",")]
    print(errno.errorcode.get(ctypes.get_errno()) if call(*numbers) < 0 else "done", end=" ")
    ctypes.set_errno(0)
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in MACHINES, reason="this machine has no filter")
def test_a_program_is_refused_each_call(run_python: Runner, isolated: Sandbox) -> None:
    column = MACHINES[platform.machine()][1]
    refused = [numbers[column] for numbers in REFUSED.values()]
    # The kernel answers otherwise without a filter: these arguments are invalid.
    calls = [f"{number},-1,-1,-1,-1,-1" for number in refused]
    calls += [f"{CLONE[column]},{CLONE_NEWUSER | 17},0,0,0,0", f"{IOCTL[column]},0,{TIOCSTI},0"]
    calls += [f"{SOCKET[column]},{family},1,0" for family in (PACKET, NETLINK, VSOCK)]
    others = [f"{CLONE3[column]},0,0", f"{GET_PID[column]}", f"{SOCKET[column]},1,1,0"]
    for sandbox in (isolated, Sandbox(Protection.ISOLATED, is_root=False)):
        assert {*run_python(CALL, *calls, sandbox=sandbox).output.split()} == {b"EPERM"}
        ended = run_python(CALL, *others, sandbox=sandbox)
        assert ended.output.split() == [b"ENOSYS", b"done", b"done"]


JAVA = """
import java.util.stream.IntStream;
class Sum {
    public static void main(String[] words) throws Exception {
        int sum = IntStream.range(0, 100_000).parallel().map(i -> i % 7).sum();
        Thread thread = new Thread(() -> System.out.println(sum));
        thread.start();
        thread.join();
    }
}
"""
JAVASCRIPT = """
const { Worker } = require("node:worker_threads");
require("node:fs").readFile(__filename, () => new Worker("console.log(299995)", { eval: true }));
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "command", "name", "text"),
    [("JDK", "java", "Sum.java", JAVA), ("Node.js", "node", "sum.js", JAVASCRIPT)],
)
def test_programs_with_threads_run(
    isolated: Sandbox, tmp_path: Path, tool: str, command: str, name: str, text: str
) -> None:
    need(tool)
    tmp_path.chmod(0o755)
    (tmp_path / name).write_text(text)
    view = View(tmp_path, (tmp_path,))
    ended = run(isolated, [command, name], view, Limits(), TEST_TIMEOUT)
    assert (ended.output, ended.status) == (b"299995\n", 0), ended.errors


@pytest.mark.slow
def test_a_leak_sanitizer_works(isolated: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    program = tmp_path / "leak"
    compiler = ["cc", "-fsanitize=leak", "-x", "c", "-", "-o", str(program)]
    text = b"#include <stdlib.h>\nint main(void) { malloc(7); return 0; }"
    if subprocess.run(compiler, input=text, capture_output=True).returncode:
        pytest.skip("this machine has no leak sanitizer")
    ended = run(isolated, ["./leak"], View(tmp_path, (tmp_path,)), Limits(), TEST_TIMEOUT)
    assert b"7 byte(s) leaked" in ended.errors
