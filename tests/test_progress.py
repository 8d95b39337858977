"""Lines for a file, a bar for a terminal."""

import io
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

import pytest

from arena.progress import Bar, Lines, counted, progress
from arena.results import Termination
from tests.records import a_pairing, a_record

PAIRING = a_pairing(7, ("greedy", "spec:4"), 20)
OTHER = a_pairing(8, ("random", "greedy"), 20)
WON = a_record(PAIRING)
TIMEOUT = a_record(PAIRING, termination=Termination.TIMEOUT)
TIMEOUT_LINE = "match 7, greedy - spec:4, take_stones, stones 20: greedy wins, that is why"


class Terminal:
    """A pseudo-terminal: a file to write to, and what has come out at the other end."""

    def __init__(self) -> None:
        self._screen, slave = os.openpty()
        self.file: TextIO = os.fdopen(slave, "w")

    def text(self) -> str:
        """All that was written, without what moves the cursor or colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.raw())

    def raw(self) -> str:
        """All that was written, ended by closing the file."""
        self.file.close()
        chunks = []
        try:
            while chunk := os.read(self._screen, 65536):
                chunks.append(chunk)
        except OSError:  # how Linux says that the other end is closed
            pass
        return b"".join(chunks).decode()

    def close(self) -> None:
        """Let go of both ends."""
        self.file.close()
        os.close(self._screen)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    terminal = Terminal()
    yield terminal
    terminal.close()


def test_lines_in_a_file() -> None:
    assert isinstance(progress(io.StringIO(), 0, 6), Lines)


def test_a_bar_on_a_terminal(terminal: Terminal) -> None:
    assert isinstance(progress(terminal.file, 0, 6), Bar)


def test_a_line_for_each_match() -> None:
    out = io.StringIO()
    with Lines(out, 4, 12) as lines:
        lines.started(PAIRING)
        lines.finished(WON)
        lines.finished(TIMEOUT)
    assert out.getvalue() == f"[5/12] {TIMEOUT_LINE}\n[6/12] {TIMEOUT_LINE}\n"


def test_lines_without_an_end_in_sight() -> None:
    out = io.StringIO()
    Lines(out, 0, None).finished(WON)
    assert out.getvalue() == f"[1] {TIMEOUT_LINE}\n"


def test_a_line_is_there_at_once() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw)
    Lines(out, 0, 6).finished(WON)
    assert raw.getvalue().startswith(b"[1/6]")


def test_the_bar_begins_with_what_is_done(terminal: Terminal) -> None:
    with Bar(terminal.file, 4, 12):
        pass
    assert " 4/12 " in terminal.text()


def test_the_bar_counts(terminal: Terminal) -> None:
    with Bar(terminal.file, 4, 12) as bar:
        bar.started(PAIRING)
        bar.finished(WON)
    assert " 5/12 " in terminal.text()


def test_the_bar_counts_without_an_end_in_sight(terminal: Terminal) -> None:
    with Bar(terminal.file, 4, None) as bar:
        bar.started(PAIRING)
        bar.finished(WON)
    assert "5/?" in terminal.text()


def test_the_bar_shows_what_is_played(terminal: Terminal) -> None:
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(PAIRING)
        bar.started(OTHER)
    assert "greedy - spec:4  random - greedy" in terminal.text()


def test_the_bar_does_not_show_what_is_over(terminal: Terminal) -> None:
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(PAIRING)
        bar.started(OTHER)
        bar.finished(WON)
    assert re.search(r"1/12 \S+ [0-9:]+ random - greedy", terminal.text())


def test_the_same_pairing_may_be_played_twice_at_once(terminal: Terminal) -> None:
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(PAIRING)
        bar.started(PAIRING)
        bar.finished(WON)
    assert re.search(r"1/12 \S+ [0-9:]+ greedy - spec:4\s*$", terminal.text())


def test_the_bar_is_gone_at_the_end(terminal: Terminal) -> None:
    with Bar(terminal.file, 0, 12):
        pass
    assert terminal.raw().endswith("\x1b[1A\x1b[2K")


def test_won_matches_leave_no_line(terminal: Terminal) -> None:
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(PAIRING)
        bar.finished(WON)
    assert "match 7" not in terminal.text()


def test_forfeits_stay_as_lines(terminal: Terminal) -> None:
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(PAIRING)
        bar.finished(TIMEOUT)
    assert f"{TIMEOUT_LINE}\r\n" in terminal.raw()


NAMES = pytest.mark.parametrize("name", ["[red]", ":bee:", "[/]", "{task.total}", "a\\[b]"])


@NAMES
def test_names_that_play_are_shown_as_they_are(terminal: Terminal, name: str) -> None:
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(replace(PAIRING, players=(name, "x:y:z")))
    assert f" {name} - x:y:z" in terminal.text()


@NAMES
def test_names_in_lines_are_shown_as_they_are(terminal: Terminal, name: str) -> None:
    pairing = replace(PAIRING, players=(name, "x:y:z"))
    with Bar(terminal.file, 0, 12) as bar:
        bar.started(pairing)
        bar.finished(a_record(pairing, termination=Termination.TIMEOUT))
    assert f"match 7, {name} - x:y:z, take_stones, stones 20: {name} wins" in terminal.text()


def test_things_are_counted_on_a_terminal(terminal: Terminal) -> None:
    assert [*counted(terminal.file, [3, 1, 2])] == [3, 1, 2]
    assert "100%" in terminal.text()


def test_things_in_a_file_are_not_counted() -> None:
    out = io.StringIO()
    assert ([*counted(out, [3, 1, 2])], out.getvalue()) == ([3, 1, 2], "")
