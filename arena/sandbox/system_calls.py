"""Filter of the system calls of isolated programs: a second wall, should the kernel have an error.

It refuses the calls that programs for games need least and that errors of the kernel were found in
most: io_uring, BPF, keys, namespaces, mounts, sockets other than IP and Unix sockets. Calls of
unknown architectures are refused, such as those by 32-bit programs. `ptrace` is allowed, as leak
sanitizers stop their own threads by it, and reaches no process outside of the sandbox.

The filter is a program of classic BPF, as in seccomp(2). It is written here because the library for
it, libseccomp, comes with no wheels for Python, and older ones lack the names of newer calls.
"""

import errno
import os
import platform
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

# Numbers on x86-64 and on ARM; newer calls have the same on both.
REFUSED = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "request_key": (249, 218),
    "setns": (308, 268),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
CLONE, CLONE3 = (56, 220), (435, 435)
IOCTL, SOCKET, SOCKETPAIR = (16, 29), (41, 198), (53, 199)
NAMESPACES = 0x7E020000  # flags of clone that make namespaces
TYPING = (0x5412, 0x541C)  # requests of ioctl that type into a terminal: TIOCSTI, TIOCLINUX
FAMILIES = (1, 2, 10)  # of sockets: Unix, IP of both versions
X32 = 0x40000000  # in the numbers of another kind of calls on x86-64
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # architecture, column

NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # places in the data of a call; 8 bytes each argument
LOAD, IS_EQUAL, IS_AT_LEAST, HAS_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW = 0x7FFF0000
NOT_PERMITTED = 0x00050000 | errno.EPERM
NOT_THERE = 0x00050000 | errno.ENOSYS  # for which the C library takes an older call


class Instruction(NamedTuple):
    """Instruction of BPF: its code, its operand, and how many others a jump skips."""

    code: int
    operand: int
    if_true: int = 0
    if_false: int = 0


def call_filter(machine: str) -> bytes:
    """Return the program for a machine, as of platform.machine(); empty for an unknown one."""
    if machine not in MACHINES:
        return b""
    found = [*_instructions(*MACHINES[machine])]
    return b"".join(
        struct.pack("=HBBI", each.code, each.if_true, each.if_false, each.operand) for each in found
    )


def _instructions(architecture: int, column: int) -> Iterator[Instruction]:
    yield Instruction(LOAD, ARCHITECTURE)
    yield Instruction(IS_EQUAL, architecture, 1)
    yield Instruction(RETURN, NOT_PERMITTED)
    yield Instruction(LOAD, NUMBER)
    yield from _when(IS_AT_LEAST, X32, NOT_PERMITTED)
    for numbers in REFUSED.values():
        yield from _when(IS_EQUAL, numbers[column], NOT_PERMITTED)
    # Its flags are in memory, where a filter cannot see them.
    yield from _when(IS_EQUAL, CLONE3[column], NOT_THERE)
    flags = [*_when(HAS_BITS, NAMESPACES, NOT_PERMITTED)]
    yield from _argument(CLONE[column], 0, flags, ALLOW)
    requests = [step for request in TYPING for step in _when(IS_EQUAL, request, NOT_PERMITTED)]
    yield from _argument(IOCTL[column], 1, requests, ALLOW)
    families = [step for family in FAMILIES for step in _when(IS_EQUAL, family, ALLOW)]
    for numbers in (SOCKET, SOCKETPAIR):
        yield from _argument(numbers[column], 0, families, NOT_PERMITTED)
    yield Instruction(RETURN, ALLOW)


def _when(code: int, operand: int, outcome: int) -> Iterator[Instruction]:
    """Yield the instructions that return an outcome if a condition holds."""
    yield Instruction(code, operand, 0, 1)
    yield Instruction(RETURN, outcome)


def _argument(
    number: int, index: int, steps: list[Instruction], otherwise: int
) -> Iterator[Instruction]:
    """Yield the instructions that judge 32 bits of an argument of a call."""
    yield Instruction(IS_EQUAL, number, 0, len(steps) + 2)
    yield Instruction(LOAD, ARGUMENTS + 8 * index)
    yield from steps
    yield Instruction(RETURN, otherwise)


@contextmanager
def open_call_filter() -> Iterator[int | None]:
    """Yield a descriptor to read the filter of this machine from, None without one."""
    program = call_filter(platform.machine())
    if not program:
        yield None
        return
    reading, writing = os.pipe()
    try:
        os.write(writing, program)  # a pipe holds 4096 bytes at least
        os.close(writing)
        yield reading
    finally:
        os.close(reading)
