"""Files of the system that programs see."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.sandbox import visible_files as module
from arena.sandbox.bubblewrap import isolated_command
from arena.sandbox.limits import Limits, View
from arena.sandbox.visible_files import (
    OwnFiles,
    SystemFiles,
    base_python,
    command_path,
    installation,
    system_files,
)
from tests.support.cases import loop_over

Tree = Callable[..., Path]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return a function that creates folders and files of a system in a temporary folder."""
    usr, opt = tmp_path / "usr", tmp_path / "opt"
    monkeypatch.setattr(module, "PREFIXES", (usr, usr / "local"))
    monkeypatch.setattr(module, "PLACES", (opt, usr))
    monkeypatch.setattr(module, "BROAD", {tmp_path, opt, usr, usr / "local"})
    monkeypatch.setattr(module, "LINKED", ())
    monkeypatch.setattr(module, "BASE", usr)
    monkeypatch.setattr(module, "own_files", lambda: OwnFiles(frozenset(), frozenset()))

    def create(*names: str) -> Path:
        for name in names:
            path = tmp_path / name
            if name.endswith("/"):
                path.mkdir(parents=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(0o755)
        return tmp_path

    create("usr/bin/python3", "usr/share/x", "usr/src/x", "usr/local/lib/x", "usr/lib32/", "opt/x")
    return create


def seen(root: Path, path: str = "", java_home: str = "") -> set[str]:
    """Return the visible folders in a tree."""
    words = os.pathsep.join(f"{root}/{folder}" for folder in path.split())
    found = module._system_files.__wrapped__(words, java_home and f"{root}/{java_home}")
    return {str(folder.relative_to(root)) for folder in found.visible}


USUAL = {"usr/bin", "usr/share", "usr/local/lib"}


def test_usual_folders_of_the_system(tree: Tree) -> None:
    assert seen(tree("opt/tool/bin/tool", "usr/local/go/bin/go")) == USUAL


def test_without_a_python_of_the_system_the_own_one_is_seen(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree("home/python/bin/python3", "home/python/lib/os.py", "home/python/data/x")
    monkeypatch.setattr(module, "BASE", root / "home/python")
    assert seen(root) == USUAL
    (root / "usr/bin/python3").rename(root / "usr/bin/other")
    assert seen(root) == USUAL | {"home/python/bin", "home/python/lib"}


def test_installations_that_path_and_java_home_lead_to(tree: Tree) -> None:
    root = tree(
        "opt/tool/bin/tool", "opt/bin/x", "usr/local/go/bin/go", "opt/jdk/bin/java", "home/"
    )
    found = seen(root, "opt/tool/bin opt/bin usr/local/go/bin home nonexistent", "opt/jdk")
    assert found == USUAL | {"opt/tool", "opt/bin", "usr/local/go", "opt/jdk"}


def test_installations_that_links_to_commands_lead_to(tree: Tree) -> None:
    root = tree("opt/node-20/bin/node", "opt/private/x")
    (root / "opt/node").symlink_to("node-20")
    (root / "usr/bin/node").symlink_to("/etc/nothing")
    assert seen(root, "usr/bin") == USUAL
    (root / "usr/bin/node").unlink()
    (root / "usr/bin/node").symlink_to(root / "opt/node/bin/node")
    assert seen(root, "usr/bin") == USUAL | {"opt/node-20"}
    assert seen(root, "opt/node/bin") == USUAL | {"opt/node-20", "opt/node"}


def test_an_installation_with_an_arena_is_not_seen(tree: Tree) -> None:
    libraries = "lib/python3.12/site-packages/take_stones_arena-1.dist-info/"
    root = tree(f"opt/arena/{libraries}", "opt/arena/bin/arena", f"usr/local/{libraries[4:]}")
    assert seen(root, "opt/arena/bin") == USUAL
    tree(f"usr/{libraries}")
    found = module._system_files.__wrapped__("", "")
    assert found.closed == {root / "usr/lib/python3.12/site-packages"}
    assert not found.shows(root / "usr/lib/python3.12/site-packages/core")
    assert found.shows(root / "usr/lib/python3.12/json")


def test_an_installation_that_is_the_arenas_own_is_not_seen(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree("opt/own/bin/x", "opt/own/tool/bin/x", "opt/own/core/bin/x", "opt/around/own/x")
    own = OwnFiles(
        frozenset({root / "opt/own/core"}), frozenset({root / "opt/own", root / "opt/around/own"})
    )
    monkeypatch.setattr(module, "own_files", lambda: own)
    tree("opt/around/bin/x")
    path = "opt/own/bin opt/own/tool/bin opt/own/core/bin opt/around/bin"
    assert seen(root, path) == USUAL | {"opt/own/tool", "opt/around"}
    found = module._system_files.__wrapped__(f"{root}/opt/around/bin", "")
    assert not found.shows(root / "opt/around/own")


def test_folders_that_all_programs_need_are_never_hidden(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree()
    own = {root / "usr/bin", root, root / "usr"}
    monkeypatch.setattr(module, "own_files", lambda: OwnFiles(frozenset(own), frozenset(own)))
    assert module._system_files.__wrapped__("", "").hidden == set()


FILES = SystemFiles(
    (Path("/opt/arena/python/lib"), Path("/usr/lib"), Path("/usr/share")),
    frozenset(map(Path, ("/opt/arena", "/opt/arena/code", "/usr/lib/arena"))),
    frozenset({Path("/opt/arena/code"), Path("/usr/lib/arena")}),
)


@loop_over(
    "path, is_shown, may_be_shown",
    ("/usr/lib/jvm", True, True),
    ("/usr/lib/arena/x", False, False),
    ("/usr2", False, True),
    ("/opt/arena", False, False),
    ("/opt/arena/bots", False, True),
    ("/opt/arena/code/x", False, False),
    ("/opt/arena/python/lib/json", True, True),
)
def test_paths_that_are_shown(path: str, is_shown: bool, may_be_shown: bool) -> None:
    assert FILES.shows(Path(path)) == is_shown
    assert FILES.may_show(Path(path)) == may_be_shown


@loop_over(
    "path, expected",
    ("/opt/jdk/bin/java", "/opt/jdk"),
    ("/opt/bin/java", "/opt/bin"),
    ("/usr/local/bin/java", "/usr/local/bin"),
    ("/opt/tools/java", "/opt/tools"),
)
def test_installations_of_commands(path: str, expected: str) -> None:
    assert installation(Path(path)) == Path(expected)


def test_the_base_of_the_virtual_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/bin")
    assert base_python().samefile(Path(sys.executable).resolve())
    monkeypatch.setattr(module, "BASE", Path("/home/ann/python"))
    assert command_path() == "/bin:/home/ann/python/bin"
    monkeypatch.setattr(module, "BASE", Path("/usr"))
    assert command_path() == "/bin"


def words(view: View, *private: Path) -> str:
    return " ".join(isolated_command(["mybot"], view, Limits(), False, private))


def test_private_folders_are_hidden_in_the_system() -> None:
    share = Path("/usr/share")
    [inner, *_] = sorted(path for path in share.iterdir() if path.is_dir())
    found = words(View(inner), inner)
    assert f"--tmpfs {inner} " in found
    assert found.index(f"--ro-bind {share} {share}") < found.index(f"--tmpfs {inner}")
    assert f"--remount-ro {inner} " in found
    found = words(View(inner / "own", (inner / "own",)), inner)
    assert found.index(f"--tmpfs {inner}") < found.index(f"--ro-bind {inner}/own {inner}/own")
    assert f"--tmpfs {inner}" not in words(View(inner, (inner,)), inner)
    assert f"--tmpfs {share} " not in words(View(inner), share)


def test_the_arena_is_hidden_in_a_folder_that_is_shown() -> None:
    root = Path(__file__).resolve().parents[3]
    assert f"--tmpfs {root} " in words(View(root.parent, (root.parent,)))
    assert f"--ro-bind {root}/core" not in words(View(root / "core", (root / "core",)))
    examples = root / "examples"
    found = words(View(examples, (examples, root.parent)))
    assert found.index(f"--tmpfs {root} ") < found.index(f"--ro-bind {examples} {examples}")
    assert system_files().may_show(examples)


def test_the_arena_is_hidden_behind_a_link(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    (tmp_path / "link").symlink_to(root.parent)
    found = words(View(tmp_path / "link", (tmp_path / "link",)))
    assert f"--tmpfs {tmp_path}/link/{root.name}" in found
    (tmp_path / "core").symlink_to(root / "core")
    assert "--ro-bind" in found
    assert f"{tmp_path}/core {tmp_path}/core" not in words(View(tmp_path, (tmp_path / "core",)))
