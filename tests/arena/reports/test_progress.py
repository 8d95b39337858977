"""Lines for a file, a table and a bar for a terminal."""

import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TextIO

import pytest

from arena.model.results import MatchRecord, RatedResult, Tally, Termination
from arena.reports.progress import Lines, Live, Shown, counted, progress
from arena.tournament.leaderboard import Scoreboard
from tests.support.records import make_casual_pairing, make_pairing, make_record, make_aborted_record

PAIRING = make_pairing(7, ("greedy", "spec:4"), 20)
OTHER = make_pairing(8, ("random", "greedy"), 20)
WON = make_record(PAIRING)
TIMEOUT = make_record(PAIRING, termination=Termination.TIMEOUT)
TIMEOUT_LINE = "match 7, greedy - spec:4, take_stones, stones 20: greedy wins, that is why"
ABORTED_LINE = "match 7, greedy - spec:4, take_stones, stones 20: aborted, that is why"


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
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "30")
    terminal = Terminal()
    yield terminal
    terminal.close()


def a_board(*names: str) -> Scoreboard:
    """A scoreboard of these bots, of whom the first has won once against the second."""
    bots = names or ("greedy", "spec:4", "random")
    result = RatedResult(bots[0], bots[1], 1, Termination.NO_LEGAL_MOVE)
    return Scoreboard(bots, Tally({result: 1}), None)


def live(terminal: Terminal, done: int = 4, total: int | None = 12) -> Live:
    return Live(terminal.file, done, total, a_board())


# Which


def test_lines_in_a_file() -> None:
    shown = progress(io.StringIO(), 0, 6, a_board(), plain=False, quiet=False)
    assert isinstance(shown, Lines)


def test_a_table_on_a_terminal(terminal: Terminal) -> None:
    shown = progress(terminal.file, 0, 6, a_board(), plain=False, quiet=False)
    assert isinstance(shown, Live)


def test_lines_on_a_terminal_if_that_is_wanted(terminal: Terminal) -> None:
    shown = progress(terminal.file, 0, 6, a_board(), plain=True, quiet=False)
    assert isinstance(shown, Lines)


def test_lines_on_a_terminal_that_cannot_do_better(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    shown = progress(terminal.file, 0, 6, a_board(), plain=False, quiet=False)
    assert isinstance(shown, Lines)


def test_nothing_if_that_is_wanted(terminal: Terminal) -> None:
    with progress(terminal.file, 0, 6, a_board(), plain=False, quiet=True) as shown:
        shown.started(1, PAIRING)
        shown.finished(TIMEOUT)
    assert terminal.raw() == ""


# Lines


def test_what_is_told() -> None:
    out = io.StringIO()
    with Shown(out) as shown:
        shown.tell("waiting")
    assert out.getvalue() == "arena: waiting\n"


def test_a_line_for_each_match() -> None:
    out = io.StringIO()
    with Lines(out, 4, 12) as lines:
        lines.started(1, PAIRING)
        lines.finished(WON)
        lines.finished(TIMEOUT)
    assert out.getvalue() == f"[5/12] {TIMEOUT_LINE}\n[6/12] {TIMEOUT_LINE}\n"


def test_what_is_aborted_is_not_done() -> None:
    out = io.StringIO()
    Lines(out, 4, 12).finished(make_aborted_record(PAIRING))
    assert out.getvalue() == f"[4/12] {ABORTED_LINE}\n"


def test_what_is_casual_has_a_line_and_is_not_done() -> None:
    out = io.StringIO()
    Lines(out, 4, 12).finished(make_record(make_casual_pairing(PAIRING)))
    assert out.getvalue().startswith("[4/12] match 7, greedy - spec:4")


def test_lines_without_an_end_in_sight() -> None:
    out = io.StringIO()
    Lines(out, 0, None).finished(WON)
    assert out.getvalue() == f"[1] {TIMEOUT_LINE}\n"


def test_a_line_is_there_at_once() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw)
    Lines(out, 0, 6).finished(WON)
    assert raw.getvalue().startswith(b"[1/6]")


# On a terminal


def screen(terminal: Terminal) -> list[str]:
    """The lines of the last screen, without blanks at their ends."""
    frame = terminal.raw().rpartition("\x1b[?25h")[0].rpartition("\x1b[2K")[2]
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame)
    return [line.rstrip() for line in text.split("\r\n")]


def test_the_screen(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.started(2, OTHER)
    lines = screen(terminal)
    times = r"\d:\d\d:\d\d -:--:-- left"
    assert re.fullmatch(rf" 4/12 \S{{40}} {times}", lines.pop(5))
    assert lines == [
        "#  bot     Elo   +-  won  lost  forfeits",
        "1  greedy  +88  443    1     0         .",
        "2  spec:4  -88  443    0     1         .",
        "3  random    .    .    0     0         .",
        "",
        "greedy - spec:4  random - greedy",
        "",
    ]


def test_it_is_there_at_once(terminal: Terminal) -> None:
    shown = live(terminal)
    with shown:
        pass
    assert terminal.text().count("#  bot") >= 2  # at the beginning and at the end


def test_the_table_goes_on(terminal: Terminal) -> None:
    board = a_board()
    with Live(terminal.file, 4, 12, board) as shown:
        shown.started(1, PAIRING)
        board.finished(WON)
        shown.finished(WON)
    lines = screen(terminal)
    assert lines[1] == "1  greedy  +112  461    2     0         ."
    assert lines[5].startswith(" 5/12 ")


def test_no_time_is_left_without_an_end_in_sight(terminal: Terminal) -> None:
    with live(terminal, total=None) as shown:
        shown.started(1, PAIRING)
        shown.finished(WON)
    assert re.fullmatch(r"5/\? \S{40} \d:\d\d:\d\d", screen(terminal)[5])


def test_what_is_aborted_does_not_fill_the_bar(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.finished(make_aborted_record(PAIRING))
    assert " 4/12 " in screen(terminal)[5]


def test_what_is_casual_does_not_fill_the_bar(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.finished(make_record(make_casual_pairing(PAIRING)))
    assert " 4/12 " in screen(terminal)[5]


def test_what_is_aborted_stays_as_a_line(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.finished(make_aborted_record(PAIRING))
    assert f"{ABORTED_LINE}\r\n" in terminal.raw()


def test_what_is_over_is_not_played_any_more(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.started(2, OTHER)
        shown.finished(WON)
    assert screen(terminal)[6] == "random - greedy"


def test_the_same_pairing_may_be_played_twice_at_once(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.started(2, PAIRING)
        shown.finished(WON)
    assert screen(terminal)[6] == "greedy - spec:4"


def test_nothing_is_left_at_the_end(terminal: Terminal) -> None:
    with live(terminal):
        pass
    up = "\x1b[1A\x1b[2K"
    assert terminal.raw().endswith("\r" + up * 7)


def test_won_matches_leave_no_line(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.finished(WON)
    assert "match 7" not in terminal.text()


def test_forfeits_stay_as_lines(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.started(1, PAIRING)
        shown.finished(TIMEOUT)
    assert f"{TIMEOUT_LINE}\r\n" in terminal.raw()


def test_what_is_told_stays_as_a_line(terminal: Terminal) -> None:
    with live(terminal) as shown:
        shown.tell("waiting for [red] :bee: to join")
    assert "arena: waiting for [red] :bee: to join\r\n" in terminal.raw()


def test_other_output_goes_where_it_goes(
    terminal: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as events on standard output."""
    with live(terminal):
        print("elsewhere")
    assert capsys.readouterr().out == "elsewhere\n"
    assert "elsewhere" not in terminal.text()


def test_it_can_do_without_colours(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with live(terminal):
        pass
    assert not re.search(r"\x1b\[[0-9;]*[39][0-7]m", terminal.raw())


# Little room


MANY = tuple(f"bot number {number:02} with a name that is long" for number in range(20))


@pytest.fixture
def small(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], list[str]]:
    """What is on a terminal of so many columns and lines, on which many play."""

    def shown(columns: int, lines: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        with Live(terminal.file, 4, 12, a_board(*MANY)) as shown:
            shown.started(1, replace(PAIRING, players=(MANY[0], MANY[1])))
        return screen(terminal)

    return shown


@pytest.mark.parametrize(("columns", "lines"), [(100, 30), (40, 10), (30, 8), (10, 7)])
def test_nothing_is_wider_or_higher_than_the_terminal(
    small: Callable[[int, int], list[str]], columns: int, lines: int
) -> None:
    shown = small(columns, lines)
    assert max(map(len, shown)) <= columns
    assert len(shown) <= lines


def test_a_small_terminal(small: Callable[[int, int], list[str]]) -> None:
    shown = small(40, 10)
    assert re.fullmatch(r" 4/12 \S+ \d:\d\d:\d\d -:--:-- left", shown.pop(7))
    assert shown == [
        "#  bot     Elo   +-  won  lost  forfeits",
        "1  bot n…  +88  443    1     0         .",
        "2  bot n…  -88  443    0     1         .",
        "3  bot n…    .    .    0     0         .",
        "4  bot n…    .    .    0     0         .",
        "and 16 more",
        "",
        "bot number 00 with a name that is long …",
        "",
    ]


# Names


NAMES = pytest.mark.parametrize("name", ["[red]", ":bee:", "[/]", "{task.total}", "a\\[b]"])


@NAMES
def test_names_on_the_screen_are_shown_as_they_are(terminal: Terminal, name: str) -> None:
    with Live(terminal.file, 4, 12, a_board(name, "x:y:z")) as shown:
        shown.started(1, replace(PAIRING, players=(name, "x:y:z")))
    lines = screen(terminal)
    assert lines[1].startswith(f"1  {name} ")
    assert f"{name} - x:y:z" in lines


@NAMES
def test_names_in_lines_are_shown_as_they_are(terminal: Terminal, name: str) -> None:
    record: MatchRecord = make_record(
        replace(PAIRING, players=(name, "x:y:z")), termination=Termination.TIMEOUT
    )
    with live(terminal) as shown:
        shown.started(1, record.pairing)
        shown.finished(record)
    assert f"match 7, {name} - x:y:z, take_stones, stones 20: {name} wins" in terminal.text()


# Counted


def test_things_are_counted_on_a_terminal(terminal: Terminal) -> None:
    assert [*counted(terminal.file, [3, 1, 2])] == [3, 1, 2]
    assert "100%" in terminal.text()


def test_things_in_a_file_are_not_counted() -> None:
    out = io.StringIO()
    assert ([*counted(out, [3, 1, 2])], out.getvalue()) == ([3, 1, 2], "")


def test_things_are_not_counted_where_that_cannot_be_shown(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert [*counted(terminal.file, [3, 1, 2])] == [3, 1, 2]
    assert terminal.text() == ""
