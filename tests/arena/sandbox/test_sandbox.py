"""Policies of the sandbox, on machines where bubblewrap works or not."""

import os
import shlex
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.sandbox import sandbox as module
from arena.sandbox.limits import Limits, Policy, View, parse_policy
from arena.sandbox.sandbox import (
    UNPROTECTED,
    Protection,
    Sandbox,
    SandboxUnavailable,
    bubblewrap_problem,
)
from arena.sandbox.visible_files import base_python, command_path
from tests.support.cases import loop_over

VIEW = View(Path("/work"), environment={"ARENA_NAME": "ann"})
Install = Callable[[str], None]


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that replaces the program bwrap by a script of the shell."""
    for name in ("prlimit", "setpriv"):
        (tmp_path / name).symlink_to("/bin/true")

    def install(script: str) -> None:
        path = tmp_path / "bwrap"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap_problem.cache_clear()
    yield install
    bubblewrap_problem.cache_clear()


def test_bubblewrap_works(tools: Install) -> None:
    tools("exit 0")
    sandbox = Sandbox.of(Policy.AUTO)
    assert sandbox == Sandbox(Protection.ISOLATED, os.geteuid() == 0)
    assert sandbox.command(["mybot"], VIEW, Limits())[0] == "bwrap"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "echo 'bwrap: Unknown option --disable-userns' >&2; exit 1",
            "bubblewrap 0.8 or later is needed (bwrap: Unknown option --disable-userns)",
        ),
        (
            "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
            "this system forbids user namespaces (bwrap: No permissions to create new namespace; "
            "see docs/guide/sandbox.md)",
        ),
        (
            "echo 'bwrap: Out of luck' >&2; exit 1",
            "bubblewrap does not work here (bwrap: Out of luck)",
        ),
        ("exit 7", "bubblewrap does not work here (bwrap exited with status 7)"),
    ],
)
def test_bubblewrap_does_not_work(tools: Install, script: str, reason: str) -> None:
    tools(script)
    with pytest.raises(SandboxUnavailable) as error:
        Sandbox.of(Policy.REQUIRE)
    assert str(error.value) == f"--sandbox require: {reason}"


@pytest.mark.usefixtures("tools")
def test_the_notice_names_the_limits_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "prlimit").unlink()
    words = "programs run with limits on memory and processes alone, but not isolated: "
    assert str(Sandbox.of(Policy.AUTO).notice).startswith(words)


def test_bubblewrap_hangs(tools: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBE_TIMEOUT", 0.1)
    tools(f"exec {shlex.quote(sys.executable)} -c 'import time; time.sleep(3600)'")
    assert bubblewrap_problem() == "bubblewrap did not start a program within 0.1 s"


@pytest.mark.usefixtures("tools")
def test_bubblewrap_is_not_installed() -> None:
    reason = "bwrap is not installed (apt-get install bubblewrap)"
    sandbox = Sandbox.of(Policy.AUTO)
    assert sandbox.protection is Protection.LIMITED
    assert sandbox.notice == f"programs run with limits, but not isolated: {reason}"
    with pytest.raises(SandboxUnavailable, match=r"^--sandbox require: bwrap is not installed"):
        Sandbox.of(Policy.REQUIRE)


@pytest.mark.usefixtures("tools")
def test_off_asks_for_nothing() -> None:
    assert Sandbox.of(Policy.OFF) == UNPROTECTED


def test_protected_programs_see_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = Sandbox(Protection.LIMITED, is_root=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    seen = View(tmp_path / "bots", (tmp_path / "bots",))
    seen.folder.mkdir()
    assert limited.view_of(["sh"], seen.folder) == seen
    monkeypatch.chdir(tmp_path)  # the home folder is not seen
    assert limited.view_of(["sh"], network=True) == View(tmp_path, network=True)
    assert UNPROTECTED.view_of(["sh"], seen.folder) == View(seen.folder)


def test_commands_with_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    limited = Sandbox(Protection.LIMITED, is_root=False)
    words = limited.command(["mybot"], VIEW, Limits())
    assert (words[:4], words[-1]) == (["setpriv", "--no-new-privs", "--", "prlimit"], "mybot")
    assert UNPROTECTED.command(["mybot"], VIEW, Limits()) == ["mybot"]
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "prlimit").symlink_to("/bin/true")
    assert limited.command(["mybot"], VIEW, Limits())[0] == "prlimit"  # without setpriv
    (tmp_path / "prlimit").unlink()
    assert limited.command(["mybot"], VIEW, Limits()) == ["mybot"]


def test_the_own_python_is_replaced_by_the_one_that_it_is_based_on() -> None:
    isolated = Sandbox(Protection.ISOLATED, is_root=False)
    own = str(Path(sys.prefix, "bin", "python"))
    for program, seen in ((own, str(base_python())), ("python", "python"), ("/bin/sh", "/bin/sh")):
        assert isolated.command([program, "-V"], VIEW, Limits())[-2:] == [seen, "-V"]


@loop_over("protection, home", [(Protection.ISOLATED, "/tmp"), (Protection.LIMITED, "/home/ann")])
def test_environments(monkeypatch: pytest.MonkeyPatch, protection: Protection, home: str) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    for name in ("LC_ALL", "TZ", "JAVA_HOME", "LANG"):
        monkeypatch.delenv(name, raising=False)
    environment = Sandbox(protection, is_root=False).environment(VIEW)
    path = command_path() if protection is Protection.ISOLATED else "/bin"
    expected = {"PATH": path, "HOME": home, "LANG": "C.UTF-8", "ARENA_NAME": "ann"}
    assert environment == expected
    unprotected = UNPROTECTED.environment(View(Path("/work")))
    assert unprotected["HOME"] == "/home/ann"
    assert "ARENA_TOKEN" not in unprotected


def test_tools_of_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "javac").touch(mode=0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    isolated = Sandbox(Protection.ISOLATED, is_root=False)
    assert UNPROTECTED.has_tool("javac")
    assert isolated.has_tool("sh")
    assert not isolated.has_tool("nonexistent")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not isolated.has_tool("javac")  # it cannot see it


ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")


@ROOT_ONLY
@loop_over("mode", [0o700, 0o755])
def test_limited_programs_of_root_have_another_user(tmp_path: Path, mode: int) -> None:
    limited = Sandbox(Protection.LIMITED, is_root=True)
    private, folder = tmp_path / "private", tmp_path / "private" / "folder"
    folder.mkdir(parents=True)
    private.chmod(0o700)
    limited.hand_over(folder)
    view = View(folder, writable=(folder,))
    assert "--reuid=65534" not in limited.command(["mybot"], view, Limits())  # it could not enter
    for path in (tmp_path, *tmp_path.parents[:-2]):
        path.chmod(0o755)
    limited.admit(private)
    folder.chmod(mode)
    assert "--reuid=65534" in limited.command(["mybot"], view, Limits())
    assert private.stat().st_mode & 0o777 == 0o710


@ROOT_ONLY
def test_private_folders_stay_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    for protection in (Protection.ISOLATED, Protection.NONE):
        Sandbox(protection, is_root=True).admit(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o700


@ROOT_ONLY
def test_folders_are_handed_over(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    (tmp_path / "folder" / "link").symlink_to("/etc/passwd")
    UNPROTECTED.hand_over(tmp_path)
    assert tmp_path.stat().st_uid == 0
    Sandbox(Protection.ISOLATED, is_root=True).hand_over(tmp_path)
    paths = [tmp_path, *tmp_path.rglob("*")]
    assert {path.lstat().st_uid for path in paths} == {65534}
    assert Path("/etc/passwd").stat().st_uid == 0


def test_policies_of_arguments() -> None:
    assert parse_policy("require") is Policy.REQUIRE
    with pytest.raises(ArgumentTypeError) as raised:
        parse_policy("on")
    assert str(raised.value) == "unknown policy 'on' (choose from auto, require, off)"
