"""Databases that were made elsewhere: no text in them reaches a terminal as a control character."""

import os
import pty
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, MatchResult, Termination
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import COMMAND, Run
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.plans import PLAN
from tests.support.tournaments.records import make_pairing, make_record

EVIL = "\x1b[2J\x07\r\nrank\t\x9b31m\u202e\0"


def hostile_record(number: int) -> MatchRecord:
    """Return a record with control characters in all of its texts."""
    record = make_record(make_pairing(number), attempt=number)
    pairing = replace(record.pairing, players=(f"a{EVIL}", f"b{EVIL}"), game=f"game{EVIL}")
    result = MatchResult(Termination.TIMEOUT, 1, f"late{EVIL}")
    return replace(record, pairing=pairing, result=result, time_control="5")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return make_database(tmp_path / "hostile.db", [hostile_record(1), hostile_record(2)], None)


@pytest.fixture
def hostile_plan(tmp_path: Path) -> Path:
    bots = {f"a{EVIL}": "random", f"b{EVIL}": "greedy"}
    plan = replace(PLAN, bots=bots, format="knockout")
    return make_database(tmp_path / "plan.db", [hostile_record(1)], plan.to_json())


def is_safe(text: str) -> bool:
    """Return whether a terminal shows all characters of a text, but for the ends of its lines."""
    return all(line.isprintable() for line in text.split("\n"))


@loop_over(
    "command",
    [["standings"], ["standings", "--los"], ["analyse"], ["verify"], ["standings", "--json"]],
)
def test_every_line_is_printable(hostile: Path, arena: Run, command: list[str]) -> None:
    end = arena(*command, hostile)
    assert is_safe(end.out)
    assert is_safe(end.err)
    assert "\nrank" not in end.out
    assert r"\x1b[2J" in end.out + end.err or "u001b[2J" in end.out


def test_a_bracket_is_printable(hostile_plan: Path, arena: Run) -> None:
    end = arena("standings", hostile_plan)
    assert "Final" in end.out
    assert is_safe(end.out)


def test_an_unknown_anchor_is_printable(hostile: Path, arena: Run) -> None:
    end = arena("standings", "--anchor", "x", hostile)
    assert (end.status, end.out, is_safe(end.err), end.err.count("\n")) == (2, "", True, 1)


@pytest.mark.parametrize("form", ["csv", "pgn", "jsonl"])
def test_an_export_to_a_terminal_is_printable(hostile: Path, form: str) -> None:
    screen, terminal = pty.openpty()
    with subprocess.Popen([*COMMAND, "export", "--format", form, hostile], stdout=terminal) as end:
        os.close(terminal)
        text = b""
        while piece := _read(screen):
            text += piece
        assert end.wait(TEST_TIMEOUT) == 0
    os.close(screen)
    assert is_safe(text.decode().replace("\r\n", "\n"))
    assert b"late" in text


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 100_000)
    except OSError:  # the program has exited
        return b""
