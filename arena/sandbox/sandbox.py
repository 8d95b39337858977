"""Sandbox of this machine: its policy, whether bubblewrap works here, and its command lines."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from arena.sandbox.bubblewrap import (
    SCRATCH,
    UNPRIVILEGED,
    isolated_command,
    limit_words,
    same_user_words,
    user_words,
)
from arena.sandbox.limits import Limits, Policy, View
from arena.sandbox.system_calls import open_call_filter
from arena.sandbox.visible_files import base_python, command_path, system_files, view_from

PROBE_TIMEOUT = 30.0  # seconds
SECRETS = {"ARENA_SEED", "ARENA_TOKEN"}  # variables that are never inherited
INHERITED = ("PATH", "LANG", "LC_ALL", "TZ", "JAVA_HOME")  # variables that a program may see
TOOLS = {"bwrap": "bubblewrap", "prlimit": "util-linux", "setpriv": "util-linux"}  # packages


class Protection(Enum):
    """Protection that programs get."""

    ISOLATED = "isolated"  # by bubblewrap, and limits
    LIMITED = "limited"  # limits alone
    NONE = "none"


class SandboxUnavailable(Exception):
    """Bubblewrap is required, but does not work here. The text is the reason."""


@dataclass(frozen=True)
class Sandbox:
    """Way to start programs that are not trusted.

    Attributes:
        protection: The protection that they get.
        is_root: Whether root starts them.
        passed: The variables of this process's environment that they get in addition to the usual
            ones.
        private: Folders that they do not see, in whatever other folder they are.
        notice: The line that says why `auto` does not isolate programs.
    """

    protection: Protection
    is_root: bool
    passed: tuple[str, ...] = ()
    private: tuple[Path, ...] = ()
    notice: str | None = None

    @classmethod
    def of(cls, policy: Policy) -> "Sandbox":
        """Return the sandbox of a policy.

        Raises:
            SandboxUnavailable: The policy requires bubblewrap, which does not work here.
        """
        is_root = os.geteuid() == 0
        if policy is Policy.OFF:
            return UNPROTECTED
        reason = bubblewrap_problem()
        if reason is None:
            return cls(Protection.ISOLATED, is_root)
        if policy is Policy.REQUIRE:
            raise SandboxUnavailable(f"--sandbox require: {reason}")
        notice = f"programs run {_limits_text()}, but not isolated: {reason}"
        return cls(Protection.LIMITED, is_root, notice=notice)

    def has_tool(self, name: str) -> bool:
        """Return whether programs find a command by its name."""
        if self.protection is not Protection.ISOLATED:
            return shutil.which(name) is not None
        folders = command_path().split(os.pathsep)
        seen = [folder for folder in folders if system_files().shows(Path(folder))]
        return shutil.which(name, path=os.pathsep.join(seen)) is not None

    def view_of(
        self, command: Sequence[str], folder: Path | None = None, *, network: bool = False
    ) -> View:
        """Return the view of a program, as `view_from` does; without protection, it sees all files.

        Args:
            command: The program and its arguments.
            folder: Its working directory, an absolute path; None is the one of this process.
            network: Whether the program may use the network.
        """
        folder = folder or Path.cwd()
        if self.protection is Protection.NONE:
            return View(folder, network=network)
        home = Path(os.environ.get("HOME") or "/root").resolve()
        return view_from(command, folder, home, network)

    def command(
        self, command: Sequence[str], view: View, limits: Limits, call_filter: int | None = None
    ) -> list[str]:
        """Return the words that start a command in this sandbox.

        Args:
            command: The program and its arguments.
            view: The files that it may see.
            limits: Its limits.
            call_filter: The descriptor of `open_call_filter`, which an isolated program inherits.
        """
        if self.protection is Protection.ISOLATED:
            words = _with_seen_python(command, view.folder)
            return isolated_command(words, view, limits, self.is_root, self.private, call_filter)
        if self.protection is Protection.LIMITED and shutil.which("prlimit"):
            return [*self._user_words(view), *limit_words(limits, processes=False), *command]
        return [*command]

    def _user_words(self, view: View) -> list[str]:
        """Return the words that take rights from a program that is not isolated."""
        if not shutil.which("setpriv"):
            return []
        has_user = self.is_root and _is_open_to_user(view)
        return user_words() if has_user else same_user_words(self.is_root)

    def environment(self, view: View) -> dict[str, str]:
        """Return the environment of a program; without protection, it inherits all but secrets."""
        if self.protection is Protection.NONE:
            inherited = {name: os.environ[name] for name in os.environ.keys() - SECRETS}
            return {**inherited, **view.environment}
        names = (*INHERITED, *self.passed)
        inherited = {name: os.environ[name] for name in names if name in os.environ}
        if self.protection is Protection.ISOLATED:
            own = {"HOME": SCRATCH, "PATH": command_path()}
        else:
            own = {"HOME": os.environ.get("HOME", "/")}
        return {"LANG": "C.UTF-8", **inherited, **own, **view.environment}

    def admit(self, folder: Path) -> None:
        """Let the user that programs run as enter a private folder, but not list it."""
        if self.protection is Protection.LIMITED and self.is_root:
            os.chown(folder, -1, UNPRIVILEGED)
            folder.chmod(0o710)

    def hand_over(self, folder: Path) -> None:
        """Give a folder and all in it to the user that programs run as, so that they can write it.

        Symbolic links are not followed.
        """
        if self.protection is Protection.NONE or not self.is_root:
            return
        os.chown(folder, UNPRIVILEGED, UNPRIVILEGED, follow_symlinks=False)
        for parent, folders, files, descriptor in os.fwalk(folder):
            assert parent
            for name in (*folders, *files):
                os.chown(name, UNPRIVILEGED, UNPRIVILEGED, dir_fd=descriptor, follow_symlinks=False)


def _limits_text() -> str:
    """Return which limits programs have that are not isolated."""
    if shutil.which("prlimit"):
        return "with limits"
    has_tree = Path("/proc/self").exists()
    return "with limits on memory and processes alone" if has_tree else "without limits"


UNPROTECTED = Sandbox(Protection.NONE, is_root=False)


@cache
def bubblewrap_problem() -> str | None:
    """Return why programs cannot be isolated on this machine, in one line; None if they can."""
    for tool, package in TOOLS.items():
        if not shutil.which(tool):
            return f"{tool} is not installed (apt-get install {package})"
    isolated = Sandbox(Protection.ISOLATED, os.geteuid() == 0)
    try:
        with open_call_filter() as call_filter:
            probe = subprocess.run(
                isolated.command(["true"], View(Path("/")), Limits(), call_filter),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_TIMEOUT,
                pass_fds=[] if call_filter is None else [call_filter],
            )
    except subprocess.TimeoutExpired:
        return f"bubblewrap did not start a program within {PROBE_TIMEOUT:g} s"
    if probe.returncode == 0:
        return None
    lines = probe.stderr.decode(errors="replace").strip().splitlines()
    return _explained(lines[-1] if lines else f"bwrap exited with status {probe.returncode}")


def _explained(error: str) -> str:
    """Return an error of bubblewrap with advice for an administrator."""
    if "--disable-userns" in error:
        return f"bubblewrap 0.8 or later is needed ({error})"
    if "namespace" in error or "Operation not permitted" in error or "Permission denied" in error:
        return f"this system forbids user namespaces ({error}; see docs/guide/sandbox.md)"
    return f"bubblewrap does not work here ({error})"


def _with_seen_python(command: Sequence[str], folder: Path) -> list[str]:
    """Return a command with an interpreter that it sees, instead of the arena's own.

    Args:
        command: The command.
        folder: Its working directory.
    """
    program, *arguments = command
    own = Path(folder, program)
    is_own = own.parent.resolve() == Path(sys.prefix, "bin").resolve() and "/" in program
    if is_own and sys.prefix != sys.base_prefix and own.name.startswith("python"):
        program = str(base_python())
    return [program, *arguments]


def _is_open_to_user(view: View) -> bool:
    """Return whether `UNPRIVILEGED` can reach what a program needs, when root starts it."""
    paths = {view.folder, *view.read_only, *view.writable}
    return all(map(_may_enter, {parent for path in paths for parent in (path, *path.parents)}))


def _may_enter(path: Path) -> bool:
    """Return whether `UNPRIVILEGED` can enter a folder; files are left to its programs."""
    found = path.stat()
    if found.st_uid == UNPRIVILEGED:
        wanted = stat.S_IXUSR
    else:
        wanted = stat.S_IXGRP if found.st_gid == UNPRIVILEGED else stat.S_IXOTH
    return not path.is_dir() or bool(found.st_mode & wanted)
