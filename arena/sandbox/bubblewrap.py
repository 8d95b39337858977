"""Command lines that isolate a program with bubblewrap.

The program gets namespaces of its own for users, processes, the network, IPC and host names, and a
file system that shares only the listed paths with the machine. Started by root, bubblewrap
first prepares the file system, which an ordinary user could not always read; the program then
continues as the user `UNPRIVILEGED`, in a second bubblewrap that counts its processes.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.sandbox.limits import Limits, View
from arena.sandbox.visible_files import SystemFiles, nearest, system_files

UNPRIVILEGED = 65534  # user and group of programs that root starts: nobody
SCRATCH = "/tmp"
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
    command: Sequence[str],
    view: View,
    limits: Limits,
    is_root: bool,
    private: Iterable[Path] = (),
    call_filter: int | None = None,
) -> list[str]:
    """Return the words that run a command in namespaces of its own.

    Args:
        command: The program and its arguments.
        view: The files that it may see.
        limits: Its limits.
        is_root: Whether root starts it.
        private: Folders that it must not see, unless the view has them, wherever they are.
        call_filter: The descriptor that its filter of system calls is read from, if there is one.
    """
    folder = str(view.folder)
    words = ["bwrap", "--die-with-parent", "--new-session"]
    words += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += [] if view.network else ["--unshare-net"]
    words += ["--hostname", "sandbox"]
    words += [*_settings(view.network), *_devices(limits.scratch)]
    words += [*_files(view, system_files(), private), "--remount-ro", "/", "--chdir", folder]
    inner = ["--unshare-user", "--disable-userns"]
    inner += [] if call_filter is None else ["--seccomp", f"{call_filter}"]
    limited = [*limit_words(limits, processes=True), *command]
    if not is_root:
        return [*words, *inner, "--cap-drop", "ALL", "--", *limited]
    words += ["--cap-drop", "ALL"]
    for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        words += ["--cap-add", capability]
    words += ["--", *user_words()]
    words += ["bwrap", *inner, "--dev-bind", "/", "/"]
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
        processes: Whether to limit the number of processes: the system counts all processes of the
            user, who runs nothing else only in a user namespace.
    """
    # A Java machine reserves far more addresses than it uses, but of the data that this limit
    # counts only its first heap: a 64th of the machine's memory, unless -Xms is given. The sum of
    # the memory that the processes use is limited in `arena.sandbox.process`.
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    words = ["prlimit", f"--data={limits.memory + machine // 32}", "--core=0"]
    words += [f"--nofile={limits.open_files}", f"--fsize={limits.file_size}"]
    words += [f"--nproc={limits.processes}"] if processes else []
    # One second more until the signal that a program cannot ignore.
    seconds = limits.processor
    words += [f"--cpu={seconds}:{seconds + 1}"] if seconds is not None else []
    return [*words, "--"]


def _settings(network: bool) -> Iterator[str]:
    """Yield the words for /etc."""
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


def _files(view: View, system: SystemFiles, private: Iterable[Path]) -> Iterator[str]:
    """Yield the words for the system and for the paths of a view, without what is hidden in them.

    An outer folder comes before those in it.
    """
    kinds = dict.fromkeys(view.read_only, "--ro-bind") | dict.fromkeys(view.writable, "--bind")
    shown = {path: kind for path, kind in kinds.items() if system.may_show(path)}
    folders = (*private, view.folder)
    private = [path for path in folders if not any(map(path.is_relative_to, shown))]
    binds = dict.fromkeys(system.visible, "--ro-bind") | {
        path: kind
        for path, kind in shown.items()
        if not system.shows(path) or any(map(path.is_relative_to, private))
    }
    masks = _masks(binds, system, private)
    made = {*binds, *masks}
    for path in sorted({*made, view.folder}):
        for parent in (*reversed(path.parents[:-1]), path):
            if parent not in made:
                yield from _folder(parent)
                made.add(parent)
        if path in masks:
            yield from ("--perms", "0755", "--tmpfs", str(path))
        elif path in system.visible and path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path in binds:
            yield from (binds[path], str(view.sources.get(path, path)), str(path))
    for path in sorted(masks):
        yield from ("--remount-ro", str(path))


def _masks(binds: Iterable[Path], system: SystemFiles, private: Iterable[Path]) -> set[Path]:
    """Return the folders that hide what is below them, in visible ones."""
    found = set()
    for path in binds:
        source = path.resolve()
        hidden = {*system.hidden, *private} if path in system.visible else system.hidden
        found |= {
            path / folder.relative_to(source)
            for folder in hidden
            if folder != source and folder.is_relative_to(source) and folder.is_dir()
        }
    return {path for path in found if nearest(path.parent, {*binds, *found}) not in found}


def _folder(path: Path) -> tuple[str, ...]:
    """Return the words for an empty folder, which bubblewrap would let root alone read."""
    return "--perms", "0755", "--dir", str(path)
