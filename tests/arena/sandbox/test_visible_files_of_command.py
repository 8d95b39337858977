"""Paths that a program may see."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.sandbox import visible_files as module
from arena.sandbox.visible_files import view_from
from tests.support.cases import loop_over


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder with a folder of bots, and without programs on the path."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for name in ("bots/out/TakeStones.class", "bots/mybot.py", "other/x.jar", "tool"):
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o755)
    return tmp_path / "home"


def seen(command: Sequence[str], folder: Path, home: Path) -> set[str]:
    """Return the visible paths, relative to the home folder."""
    found = view_from(command, folder, home).read_only
    return {str(path.relative_to(home)) for path in found}


@loop_over(
    "command, expected",
    (["sh", "-c", "true"], {"bots"}),
    (["sh", "mybot.py"], {"bots"}),
    (["java", "-cp", "out", "TakeStones"], {"bots/out"}),
    (["java", "-cp", "out:../other/x.jar", "TakeStones"], {"bots/out", "other"}),
    (["java", "--class-path=out", "TakeStones"], {"bots/out"}),
    (["./mybot.py"], {"bots"}),
    (["sh", "../tool"], {"tool"}),
    (["sh", ".."], set()),
    (["sh", "out/../.."], set()),
    (["sh", "/"], set()),
    (["sh", "x" * 5000, "\0"], {"bots"}),
    (["nonexistent"], {"bots"}),
)
def test_paths_that_a_command_names(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], expected: set[str]
) -> None:
    monkeypatch.chdir(home / "bots")
    assert seen(command, home / "bots", home) == expected


def test_the_home_folder_is_never_seen(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert seen(["sh", "-c", "true"], home, home) == set()
    assert seen(["./tool"], home, home) == {"tool"}


@loop_over(
    "path, expected",
    ("jdk/bin/java", {"bots", "jdk"}),
    (".pyenv/shims/java", {"bots", ".pyenv"}),
    ("tools/java", {"bots", "tools"}),
    ("bin/java", {"bots", "bin/java"}),
)
def test_an_interpreter_outside_the_system(
    home: Path, monkeypatch: pytest.MonkeyPatch, path: str, expected: set[str]
) -> None:
    program = home / path
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin")
    assert seen(["java", "-version"], home / "bots", home) == expected


def test_of_the_base_of_the_own_python_the_usual_folders_are_seen(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("arena/bin/python3", "arena/data/cup.db"):
        (home / name).parent.mkdir(parents=True)
        (home / name).touch(0o755)
    monkeypatch.setattr(module, "BASE", home / "arena")
    assert seen([str(home / "arena/bin/python3")], home / "bots", home) >= {"arena/bin"}
    monkeypatch.setenv("PATH", f"{home}/arena/bin")
    assert seen(["python3", "-c", ""], home / "bots", home) == {"bots", "arena/bin"}
