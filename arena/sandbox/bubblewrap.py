"""Command lines that isolate a program with bubblewrap.

The program gets namespaces of its own for users, processes, the network, IPC and host names, and a
file system of which only the listed paths are those of the machine. Started by root, bubblewrap
first prepares the file system, which an ordinary user could not always read; the program then
continues as the user `UNPRIVILEGED`, in a second bubblewrap that counts its processes.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.sandbox.limits import Limits, View

UNPRIVILEGED = 65534  # user and group of programs that root starts: nobody
SCRATCH = "/tmp"
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt")
SETTINGS = (  # in /etc, of the dynamic linker and of languages
    "alternatives",
    "crypto-policies",
    "java*",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
)
NETWORK_SETTINGS = ("ca-certificates", "hosts", "nsswitch.conf", "pki", "resolv.conf", "ssl")


def isolated_command(
    command: Sequence[str], view: View, limits: Limits, is_root: bool
) -> list[str]:
    """Return the words that run a command in namespaces of its own.

    Args:
        command: The program and its arguments.
        view: The files that it may see.
        limits: Its limits.
        is_root: Whether root starts it.
    """
    folder = str(view.folder)
    words = ["bwrap", "--die-with-parent", "--new-session"]
    words += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += [] if view.network else ["--unshare-net"]
    words += ["--hostname", "sandbox"]
    words += [*_system(view.network), *_devices(limits.scratch)]
    words += [*_visible(view), "--remount-ro", "/", "--chdir", folder]
    limited = [*limit_words(limits, processes=True), *command]
    if not is_root:
        return [*words, "--unshare-user", "--disable-userns", "--cap-drop", "ALL", "--", *limited]
    words += ["--cap-drop", "ALL"]
    for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        words += ["--cap-add", capability]
    words += ["--", *user_words()]
    words += ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/"]
    return [*words, "--chdir", folder, "--", *limited]


def user_words() -> list[str]:
    """Return the words that run the words that follow as `UNPRIVILEGED`, for root."""
    user = [f"--reuid={UNPRIVILEGED}", f"--regid={UNPRIVILEGED}", "--clear-groups"]
    return ["setpriv", "--no-new-privs", *user, "--bounding-set=-all", "--inh-caps=-all", "--"]


def same_user_words(is_root: bool) -> list[str]:
    """Return the words that run the words that follow as the same user without other rights.

    Root keeps the right to use all folders, which is why its program has no other user, but has no
    other capability: it cannot type into terminals or stop the processes of others.
    """
    capabilities = ["--bounding-set=-all,+dac_override", "--inh-caps=-all"] if is_root else []
    return ["setpriv", "--no-new-privs", *capabilities, "--"]


def limit_words(limits: Limits, processes: bool) -> list[str]:
    """Return the words that set the system's limits for the words that follow.

    Args:
        limits: The limits.
        processes: Whether to limit the number of processes: the system counts those of the user,
            which is that of the program only in a user namespace of its own.
    """
    # A Java machine reserves far more addresses than it uses, but of the data that this limit
    # counts only its first heap: a 64th of the machine's memory, unless -Xms is given. The sum of
    # the memory that the processes use is limited in `arena.sandbox.process_tree`.
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    words = ["prlimit", f"--data={limits.memory + machine // 32}", "--core=0"]
    words += [f"--nofile={limits.open_files}", f"--fsize={limits.file_size}"]
    words += [f"--nproc={limits.processes}"] if processes else []
    # One second more until the signal that a program cannot ignore.
    seconds = limits.processor
    words += [f"--cpu={seconds}:{seconds + 1}"] if seconds is not None else []
    return [*words, "--"]


def is_in_system(path: Path) -> bool:
    """Return whether a path belongs to the system, which every program can read."""
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _system(network: bool) -> Iterator[str]:
    """Yield the words for the read-only system."""
    for folder in map(Path, SYSTEM_FOLDERS):
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))
    yield from _folder(Path("/etc"))
    names = (*SETTINGS, *NETWORK_SETTINGS) if network else SETTINGS
    for path in (found for name in names for found in sorted(Path("/etc").glob(name))):
        yield from ("--ro-bind-try", str(path), str(path))


def _devices(scratch: int) -> Iterator[str]:
    """Yield the words for /proc, /dev and the scratch folders, `scratch` bytes each."""
    yield from ("--proc", "/proc", "--dev", "/dev")
    for folder in ("/dev/shm", SCRATCH):
        yield from ("--perms", "1777", "--size", str(scratch), "--tmpfs", folder)
    yield from ("--remount-ro", "/dev")


def _visible(view: View) -> Iterator[str]:
    """Yield the words for the paths of a view, an outer folder before those in it."""
    kinds = dict.fromkeys(view.read_only, "--ro-bind") | dict.fromkeys(view.writable, "--bind")
    for path in sorted({*kinds, view.folder}):
        if is_in_system(path):
            continue
        for parent in reversed(path.parents[:-1]):
            yield from _folder(parent)
        if path in kinds:
            yield from (kinds[path], str(path), str(path))
        else:
            yield from _folder(path)


def _folder(path: Path) -> tuple[str, ...]:
    """Return the words for an empty folder, which bubblewrap would let root alone read."""
    return "--perms", "0755", "--dir", str(path)
