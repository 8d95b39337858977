"""The guide to adding a game: its files make a game, and its commands print what it shows."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from arena.conformance.optional_checks import (
    ENCODING_CHECK,
    ENGINE_CHECKS,
    MATCHING_CHECK,
    STRONG_CHECKS,
)
from arena.conformance.rule_checks import RULE_CHECKS
from arena.storage.verify import RECORD_CHECK
from core.game import Game
from tests.support.games.defective_games import checking
from tests.support.games.environments import Environment
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.servers.arena_command import Launch, wait_for_line

TEXT = (Path(__file__).parents[3] / "docs" / "contributing" / "add-a-game.md").read_text()
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.M | re.S)
FILE_NAME = re.compile(r"(?:#|//|/\*) ([\w./]+)(?: \*/)?\n")
# pip finds what it needs in this environment.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "false"}
SERVER = "arena view searched.db"  # which runs until Ctrl-C


class Step(NamedTuple):
    """A command, and the lines of its output that the guide shows."""

    command: str
    shown: list[str]


def steps(block: str) -> Iterator[Step]:
    """Yield the commands of a block."""
    for part in block.split("$ ")[1:]:
        command, *shown = part.splitlines()
        yield Step(command, [line for line in shown if line != "..."])


class Reader:
    """A reader who follows the guide in an empty folder and in a fresh environment.

    Attributes:
        folder: The folder.
        arena: The program of the environment's arena.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "game"
        self.folder.mkdir()
        environment = Environment(folder / "environment")
        self.arena = environment.programs / "arena"
        path = f"{environment.programs}{os.pathsep}{os.environ['PATH']}"
        self._variables = {**os.environ, **OFFLINE, "PATH": path}

    def follow(self) -> None:
        """Write all files and run all commands, except for the server, in order."""
        for kind, block in BLOCKS:
            if kind == "console":
                for step in steps(block):
                    if step.command != SERVER:
                        self._run(step)
            elif found := FILE_NAME.match(block):
                path = self.folder / found[1]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block)

    def _run(self, step: Step) -> None:
        end = subprocess.run(
            step.command,
            shell=True,
            cwd=self.folder,
            env=self._variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert end.returncode == 0, end.stdout + end.stderr
        printed = iter(end.stdout.splitlines())
        missing = [line for line in step.shown if line not in printed]  # in this order
        assert not missing, end.stdout


# Takes 5 s: the package is installed and all commands of the page are run.
@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Return a reader who has followed the guide."""
    found = Reader(tmp_path_factory.mktemp("guide"))
    found.follow()
    return found


@pytest.mark.slow
def test_the_game_is_shown_on_its_board(reader: Reader, launch: Launch, visit: Visit) -> None:
    assert f"\n$ {SERVER}\n" in TEXT
    db = reader.folder / SERVER.split()[-1]
    url = wait_for_line(launch(reader.arena, "view", db, "--port", "0"), r"(http://\S+/)")
    page = visit(f"{url}#/match/1/1")
    squares = page.get_by_role("grid", name="3 by 3 squares").get_by_role("gridcell")
    expect(squares).to_have_count(9)
    expect(page.locator(".tic-tac-toe .one")).to_have_text("x")
    assert not accessibility_violations(page)


def test_every_block_is_a_file_or_run() -> None:
    others = [
        (kind, block) for kind, block in BLOCKS if kind != "console" and not FILE_NAME.match(block)
    ]
    assert [kind for kind, _ in others] == ["text"]


def test_the_failure_is_that_of_a_game_with_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    [rules] = [block for kind, block in BLOCKS if block.startswith("# tic_tac_toe/position.py")]
    module: dict[str, Any] = {}
    exec(rules, module)
    board = module["TicTacToe"]
    monkeypatch.delattr(board, "__eq__")
    game = Game("tic_tac_toe", "Tic-tac-toe", {}, position=board, board=board, study=board)
    report = checking(monkeypatch, RULE_CHECKS)(game)[8]
    assert f"{report.state}    {report.number} {report.title}: {report.detail}\n" in TEXT


def test_all_checks_are_listed() -> None:
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.M)]
    checks = (
        *RULE_CHECKS,
        *ENGINE_CHECKS,
        RECORD_CHECK,
        MATCHING_CHECK,
        *STRONG_CHECKS,
        ENCODING_CHECK,
    )
    assert numbers == [check.number for check in checks]
