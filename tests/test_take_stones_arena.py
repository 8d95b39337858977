"""Installed commands in this process; tests/system/test_foreign_packages.py has them in others."""

import sys
from pathlib import Path

import pytest

import take_stones_arena
from take_stones_arena import check_packages
from tests.support.cases import loop_over

check_again = check_packages.__wrapped__


@loop_over(
    "name, arguments, status, line",
    ("isolation", ["answer"], 2, "isolation: answer needs 3 or 4 arguments, not 0; "),
    ("take_stones", ["1"], 2, "take_stones: "),
    ("take_stones_solve", ["x"], 2, "take_stones.solve: #stones must be a whole number"),
)
def test_a_command_is_the_program(
    name: str,
    arguments: list[str],
    status: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    with pytest.raises(SystemExit) as ended:
        getattr(take_stones_arena, name)()
    captured = capsys.readouterr()
    assert (ended.value.code, captured.out) == (status, "")
    assert captured.err.startswith(line)


def test_the_arena_returns_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["arena", "games"])
    assert take_stones_arena.arena() == 0
    assert "isolation" in capsys.readouterr().out


@loop_over("imported", [(), ("core",)])
def test_a_package_elsewhere_is_foreign(
    imported: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_stones_arena, "ROOT", str(tmp_path))
    with pytest.raises(SystemExit, match=r"core/__init__.py is not the package 'core' of "):
        check_again("arena", imported)
