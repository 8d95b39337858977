"""Tests of the progress output."""

import io
import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TextIO

import pytest

from arena.model.observer import WorkersStatus
from arena.model.results import MatchRecord, Pairing, RatedResult, Tally, Termination
from arena.reports import progress
from arena.reports.progress import (
    MAX_IRREGULAR,
    LineProgress,
    LiveProgress,
    ProgressOutput,
    create_progress,
    with_progress_bar,
)
from arena.reports.text import workers_text
from arena.tournament.standings import LiveStandings, StoredResults
from tests.support.cases import loop_over
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
    played_matches,
)

PAIRING = make_pairing(7, ("greedy", "spec:4"), 20)
OTHER = make_pairing(8, ("random", "greedy"), 20)
WON = make_record(PAIRING)
TIMEOUT = make_record(PAIRING, termination=Termination.TIMEOUT)
TIMEOUT_LINE = "match 7, greedy - spec:4, take_stones, stones 20: greedy wins, that is why"
ABORTED_LINE = "match 7, greedy - spec:4, take_stones, stones 20: aborted, that is why"


class Terminal:
    """A pseudo-terminal: a file to write to, and the output at its other end."""

    def __init__(self) -> None:
        self._screen, slave = os.openpty()
        self.file: TextIO = os.fdopen(slave, "w")

    def text(self) -> str:
        """Return all output without escape sequences."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.raw())

    def raw(self) -> str:
        """Close the file and return all output."""
        self.file.close()
        chunks = []
        try:
            while chunk := os.read(self._screen, 65536):
                chunks.append(chunk)
        except OSError:  # on Linux, the other end is closed
            pass
        return b"".join(chunks).decode()

    def close(self) -> None:
        """Close both ends."""
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


def make_live_standings(*names: str) -> LiveStandings:
    """Return standings of these bots, where the first has beaten the second once."""
    bots = names or ("greedy", "spec:4", "random")
    return LiveStandings(bots, lambda: StoredResults(won(bots, 1), ()), None)


def won(bots: tuple[str, ...], times: int) -> Tally:
    return Tally({RatedResult(bots[0], bots[1], 1, Termination.NO_LEGAL_MOVE): times})


def live_progress(terminal: Terminal, finished: int = 4, total: int | None = 12) -> LiveProgress:
    return LiveProgress(terminal.file, finished, total, make_live_standings())


# Choice of output


@pytest.mark.parametrize(
    ("term", "plain", "kind"),
    [
        (None, False, LineProgress),  # a file
        ("xterm", False, LiveProgress),
        ("xterm", True, LineProgress),
        ("dumb", False, LineProgress),
    ],
)
def test_only_a_terminal_gets_a_live_table(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, term: str | None, plain: bool, kind: type
) -> None:
    if term:
        monkeypatch.setenv("TERM", term)
    out = terminal.file if term else io.StringIO()
    shown = create_progress(out, 0, 6, make_live_standings(), plain=plain, quiet=False)
    assert isinstance(shown, kind)


def test_quiet_prints_nothing(terminal: Terminal) -> None:
    with create_progress(
        terminal.file, 0, 6, make_live_standings(), plain=False, quiet=True
    ) as shown:
        shown.started(1, PAIRING)
        shown.finished(TIMEOUT)
    assert terminal.raw() == ""


# LineProgress


def test_a_notice() -> None:
    out = io.StringIO()
    with ProgressOutput(out) as shown:
        shown.print_notice("waiting")
    assert out.getvalue() == "arena: waiting\n"


DRAW_LINE = ABORTED_LINE.replace("aborted", "draw")


@loop_over(
    "total, records, lines",
    (12, [WON, TIMEOUT], [f"[5/12] {TIMEOUT_LINE}", f"[6/12] {TIMEOUT_LINE}"]),
    (12, [make_record(PAIRING, None, Termination.GAME_OVER)], [f"[5/12] {DRAW_LINE}"]),
    (12, [make_aborted_record(PAIRING)], [f"[4/12] {ABORTED_LINE}"]),
    (12, [make_record(make_casual_pairing(PAIRING))], [f"[4/12] {TIMEOUT_LINE}"]),
    (None, [WON], [f"[5] {TIMEOUT_LINE}"]),
)
def test_there_is_a_line_per_match_at_once(
    total: int | None, records: list[MatchRecord], lines: list[str]
) -> None:
    """Aborted and casual matches are not counted."""
    raw = io.BytesIO()
    with LineProgress(io.TextIOWrapper(raw), 4, total) as output:
        for number, record in enumerate(records, 1):
            output.started(1, PAIRING)
            output.finished(record)
            assert raw.getvalue().decode().splitlines() == lines[:number]


def test_without_lines_problems_and_counts_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    with create_progress(out, 4, 12, make_live_standings(), plain=False, quiet=False) as lines:
        monkeypatch.setattr(progress, "COUNT_SECONDS", math.inf)
        lines.finished(make_record(PAIRING))
        lines.finished(TIMEOUT)
        monkeypatch.setattr(progress, "COUNT_SECONDS", -math.inf)
        lines.finished(make_record(PAIRING))
    assert out.getvalue() == f"{TIMEOUT_LINE}\n7 of 12 matches finished\n"


# On a terminal


def screen(terminal: Terminal) -> list[str]:
    return last_screen(terminal.raw())


def last_screen(raw: str) -> list[str]:
    """Return the lines of the last screen, without trailing blanks."""
    frame = raw.rpartition("\x1b[?25h")[0].rpartition("\x1b[2K")[2]
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame)
    return [line.rstrip() for line in text.split("\r\n")]


def test_the_live_screen(terminal: Terminal) -> None:
    with live_progress(terminal) as shown:
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


def test_the_table_is_shown_at_once_and_erased_at_the_end(terminal: Terminal) -> None:
    with live_progress(terminal):
        pass
    raw = terminal.raw()
    assert raw.count("#  bot") >= 2  # at the start and at the end
    assert raw.endswith("\r" + 7 * "\x1b[1A\x1b[2K")


def test_the_table_is_updated(terminal: Terminal) -> None:
    bots, tallies = ("greedy", "spec:4", "random"), Tally()
    live_standings = LiveStandings(bots, lambda: StoredResults(tallies.copy(), ()), None)
    with LiveProgress(terminal.file, 4, 12, live_standings) as shown:
        shown.started(1, PAIRING)
        tallies.update(won(bots, 2))
        shown.finished(WON)
    lines = screen(terminal)
    assert lines[1] == "1  greedy  +112  461    2     0         ."
    assert lines[5].startswith(" 5/12 ")


def test_standings_are_read_for_a_small_share_of_the_time(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: list[int] = []
    times = iter(range(100))
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(times)))

    def read() -> StoredResults:
        readings.append(1)
        return StoredResults(Tally(), ())

    shown = LiveProgress(terminal.file, 4, 12, LiveStandings(("greedy",), read, None))
    for _ in range(8):  # a reading takes a second, and the next one is 10 s later
        shown._render()
    assert len(readings) == 1


def test_the_time_left_is_not_shown_without_a_total(terminal: Terminal) -> None:
    with live_progress(terminal, total=None) as shown:
        shown.started(1, PAIRING)
        shown.finished(WON)
    assert re.fullmatch(r"5/\? \S{40} \d:\d\d:\d\d", screen(terminal)[5])


@pytest.mark.parametrize(
    ("record", "finished", "line"),
    [
        (WON, 5, None),
        (TIMEOUT, 5, TIMEOUT_LINE),
        (make_aborted_record(PAIRING), 4, ABORTED_LINE),
        (make_record(make_casual_pairing(PAIRING)), 4, None),
    ],
)
def test_irregular_results_are_printed_as_lines_above_the_bar(
    terminal: Terminal, record: MatchRecord, finished: int, line: str | None
) -> None:
    with live_progress(terminal) as shown:
        shown.started(1, PAIRING)
        shown.finished(record)
        shown.print_notice("waiting for [red] :bee: to join")
    raw = terminal.raw()
    counts = re.findall(r" (\d+)/12 ", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw))
    assert counts[-1] == str(finished)
    assert "arena: waiting for [red] :bee: to join\r\n" in raw
    assert f"{line}\r\n" in raw if line else "match 7" not in raw


@pytest.mark.parametrize(
    ("other", "playing"), [(OTHER, "random - greedy"), (PAIRING, "greedy - spec:4")]
)
def test_finished_matches_are_hidden(terminal: Terminal, other: Pairing, playing: str) -> None:
    with live_progress(terminal) as shown:
        shown.started(1, PAIRING)
        shown.started(2, other)
        shown.finished(WON)
    assert screen(terminal)[6] == playing


def test_other_output_is_untouched(terminal: Terminal, capsys: pytest.CaptureFixture[str]) -> None:
    """Events, for example, may go to standard output."""
    with live_progress(terminal):
        print("elsewhere")
    assert capsys.readouterr().out == "elsewhere\n"
    assert "elsewhere" not in terminal.text()


def test_no_color_disables_colors(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with live_progress(terminal):
        pass
    assert not re.search(r"\x1b\[[0-9;]*[39][0-7]m", terminal.raw())


# Small terminals


MANY = tuple(f"bot number {number:02} with a name that is long" for number in range(20))


@pytest.fixture
def small(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], list[str]]:
    """Return the screen of a terminal of this size with many bots."""

    def shown(columns: int, lines: int) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("LINES", str(lines))
        with LiveProgress(terminal.file, 4, 12, make_live_standings(*MANY)) as shown:
            shown.started(1, replace(PAIRING, players=(MANY[0], MANY[1])))
        return screen(terminal)

    return shown


@pytest.mark.parametrize(("columns", "lines"), [(100, 30), (40, 10), (30, 8), (10, 7)])
def test_the_screen_fits(small: Callable[[int, int], list[str]], columns: int, lines: int) -> None:
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


@pytest.mark.parametrize("name", ["[red]", ":bee:", "[/]", "{task.total}", "a\\[b]"])
def test_names_are_not_markup(terminal: Terminal, name: str) -> None:
    pairing = replace(PAIRING, players=(name, "x:y:z"))
    with LiveProgress(terminal.file, 4, 12, make_live_standings(name, "x:y:z")) as shown:
        shown.started(1, pairing)
        shown.started(2, pairing)
        shown.finished(make_record(pairing, termination=Termination.TIMEOUT))
    raw = terminal.raw()
    assert f"match 7, {name} - x:y:z, take_stones, stones 20: {name} wins" in raw
    lines = last_screen(raw)
    assert lines[1].startswith(f"1  {name} ")
    assert f"{name} - x:y:z" in lines


# Progress bars


@pytest.mark.parametrize("term", ["xterm", "dumb", None])
def test_only_a_terminal_gets_a_progress_bar(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, term: str | None
) -> None:
    if term:
        monkeypatch.setenv("TERM", term)
    out = terminal.file if term else io.StringIO()
    assert [*with_progress_bar(out, [3, 1, 2])] == [3, 1, 2]
    shown = out.getvalue() if isinstance(out, io.StringIO) else terminal.text()
    assert ("100%" in shown) == (term == "xterm")
    assert (shown == "") == (term != "xterm")


# In process

STATUS = WorkersStatus(2, 1500.0, 1, 1, 2)
STATUS_TEXT = "2 workers, 1,500 matches/s, 1 batch in flight, 1 batch lost, 2 matches played again"


def test_status_lines_are_printed_at_intervals_and_at_the_end() -> None:
    out = io.StringIO()
    with LineProgress(out, 1, 9) as output:
        output.computing(STATUS)
        for _ in range(5):
            output.played(played_matches(WON))
            output.computing(STATUS)
    assert out.getvalue() == f"[1/9] {STATUS_TEXT}\n[6/9] {STATUS_TEXT}\n"


def test_every_status_is_printed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "STATUS_SECONDS", 0.0)
    out = io.StringIO()
    with LineProgress(out, 1, None) as output:
        output.computing(STATUS)
        output.computing(STATUS)
    assert out.getvalue() == 2 * f"[1] {STATUS_TEXT}\n"


def test_only_the_first_irregular_matches_in_process_are_printed() -> None:
    out = io.StringIO()
    output = LineProgress(out, 0, 90)
    for _ in range(MAX_IRREGULAR + 9):
        output.played(played_matches(WON, TIMEOUT))
    *lines, last = out.getvalue().splitlines()
    assert lines == MAX_IRREGULAR * [TIMEOUT_LINE]
    assert last == "further matches that do not end on the board are not printed"


def test_the_bar_shows_the_workers(terminal: Terminal) -> None:
    standings = LiveStandings(("greedy", "spec:4"), lambda: StoredResults(Tally(), ()), None)
    with LiveProgress(terminal.file, 0, 9, standings) as output:
        output.played(played_matches(WON))
        output.played(played_matches(make_aborted_record(PAIRING)))
        output.computing(STATUS)
        output._live.refresh()
    text = terminal.text()
    assert "1/9" in text
    assert STATUS_TEXT in text
    assert ABORTED_LINE in text


@loop_over(
    "status, text",
    (WorkersStatus(1, 9.94, 0, 0, 0), "1 worker, 9.9 matches/s, 0 batches in flight"),
    (
        WorkersStatus(2, 12345.6, 1, 2, 1),
        "2 workers, 12,346 matches/s, 1 batch in flight, 2 batches lost, 1 match played again",
    ),
)
def test_status_has_proper_plurals(status: WorkersStatus, text: str) -> None:
    assert workers_text(status) == text
