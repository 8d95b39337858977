"""Progress output during a tournament: a live table on a terminal, plain lines elsewhere."""

import os
from collections.abc import Callable, Iterable
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Self, TextIO, TypeVar

from arena.model.observer import Observer, WorkersStatus
from arena.model.played_matches import PlayedMatches
from arena.model.results import GAME_TERMINATIONS, MatchRecord, Pairing, Termination
from arena.model.visible import visible
from arena.reports.text import finished_text, match_title, standings_text, workers_text
from arena.tournament.standings import LiveStandings, Table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

OTHER_LINES = 6  # on the screen, without the rows of the bots
COUNT_SECONDS = 10.0  # between two lines with the number of finished matches
STATUS_SECONDS = 5.0  # between two lines about workers
MAX_IRREGULAR = 20  # matches in process that are printed because they did not end on the board
MAX_BAR_WIDTH = 40  # columns
READING_SHARE = 0.1  # of the time, at most, that readings of the standings take
DUMB_TERMINALS = {"dumb", "unknown"}  # values of TERM without cursor movement

T = TypeVar("T")


class ProgressOutput(Observer):
    """Progress output that prints only notices."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def print_notice(self, text: str) -> None:
        """Print a line."""
        print(f"arena: {visible(text)}", file=self._out, flush=True)


class LineProgress(ProgressOutput):
    """Progress output with a line for each finished match, or for few of them.

    Matches in process may be thousands a second. Of these, and without `every_match`, only the
    first that do not end on the board have a line; a line about the workers, or with the number of
    finished matches, follows at intervals.
    """

    def __init__(
        self, out: TextIO, finished: int, total: int | None, *, every_match: bool = True
    ) -> None:
        super().__init__(out)
        self._every_match = every_match
        self._counted_at = monotonic()
        self._finished = finished
        self._total = total
        self._irregular = IrregularMatches(self.print_line)
        self._status_at = -inf
        self._status: WorkersStatus | None = None  # not printed yet

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._print_status(self._status)

    def finished(self, record: MatchRecord) -> None:
        """Print the result; an aborted match, which is played again, does not count."""
        self._finished += record.is_rated
        if self._every_match:
            self.print_line(f"{self._count} {_result_line(record)}")
            return
        self._irregular.add(record)
        if monotonic() >= self._counted_at + COUNT_SECONDS:
            self._counted_at = monotonic()
            self.print_line(f"{finished_text(self._finished, self._total)} finished")

    def played(self, matches: PlayedMatches) -> None:
        """Count the matches, and print the results of matches that did not end on the board."""
        self._finished += matches.rated
        for record in matches.irregular_records():
            self._irregular.add(record)

    def computing(self, status: WorkersStatus) -> None:
        """Print the status if the last one is old enough."""
        self._status = status
        if monotonic() >= self._status_at + STATUS_SECONDS:
            self._print_status(status)

    def _print_status(self, status: WorkersStatus) -> None:
        self._status, self._status_at = None, monotonic()
        self.print_line(f"{self._count} {workers_text(status)}")

    def print_line(self, text: str) -> None:
        """Print a line."""
        print(visible(text), file=self._out, flush=True)

    @property
    def _count(self) -> str:
        return f"[{self._finished}/{self._total}]" if self._total else f"[{self._finished}]"


class IrregularMatches:
    """Lines about matches in process that did not end on the board; the first ones only."""

    def __init__(self, print_line: Callable[[str], None]) -> None:
        self._print_line = print_line
        self._printed = 0

    def add(self, record: MatchRecord) -> None:
        """Print the result of a match that did not end on the board."""
        if record.result.termination in GAME_TERMINATIONS or self._printed > MAX_IRREGULAR:
            return
        self._printed += 1
        if self._printed > MAX_IRREGULAR:
            self._print_line("further matches that do not end on the board are not printed")
        else:
            self._print_line(_result_line(record))


class LiveProgress(ProgressOutput):
    """Live table of the standings, with a progress bar and the matches in progress.

    Matches that do not end on the board are printed above it as lines.
    """

    def __init__(
        self, out: TextIO, finished: int, total: int | None, live_standings: LiveStandings
    ) -> None:
        from rich.console import Console  # slow to import, and needed only on a terminal
        from rich.live import Live

        super().__init__(out)
        self._live_standings = live_standings
        self._latest: Table | None = None
        self._next_reading = 0.0  # monotonic time
        self._in_progress: dict[int, Pairing] = {}
        self._finished = finished
        self._status: WorkersStatus | None = None
        self._irregular = IrregularMatches(self._print_line)
        self._console = Console(file=out)
        self._bar = _progress_bar(self._console, total)
        self._task = self._bar.add_task("", total=total, completed=finished)
        self._live = Live(
            get_renderable=self._render,
            console=self._console,
            refresh_per_second=2,
            transient=True,
            redirect_stdout=False,  # it may carry events or the final table
            redirect_stderr=False,
            vertical_overflow="crop",
        )

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._next_reading = 0.0  # the last table has all results
        self._live.stop()

    def print_notice(self, text: str) -> None:
        """Print a line above the table."""
        self._print_line(f"arena: {text}")

    def started(self, match: int, pairing: Pairing) -> None:
        """Show the match as in progress."""
        self._in_progress[match] = pairing

    def finished(self, record: MatchRecord) -> None:
        """Advance the bar, and print the result of a match that did not end regularly."""
        del self._in_progress[record.id]
        if record.is_rated:
            self._bar.advance(self._task)
        if record.result.termination is not Termination.NO_LEGAL_MOVE:
            self._print_line(_result_line(record))

    def played(self, matches: PlayedMatches) -> None:
        """Count the matches, and print the results of matches that did not end on the board."""
        self._finished += matches.rated
        for record in matches.irregular_records():
            self._irregular.add(record)

    def computing(self, status: WorkersStatus) -> None:
        """Show the status, and advance the bar by the matches in process."""
        self._status = status
        self._bar.update(self._task, completed=self._finished)

    def _print_line(self, text: str) -> None:
        self._console.print(visible(text), markup=False, emoji=False, highlight=False)

    def _render(self) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        standings, ratings = self._table()
        rows = max(1, self._console.height - OTHER_LINES)
        table = standings_text(standings[:rows], ratings, {}, self._console.width)
        if len(standings) > rows:
            table += f"and {len(standings) - rows} more\n"
        players = [" - ".join(pairing.players) for pairing in [*self._in_progress.values()]]
        status = workers_text(self._status) if self._status else "  ".join(players)
        matches = Text(status, no_wrap=True, overflow="ellipsis")
        return Group(Text(table, no_wrap=True, overflow="ellipsis"), self._bar, matches)

    def _table(self) -> Table:
        """Return the table of the standings, read again if that takes a small share of the time."""
        now = monotonic()
        if self._latest is None or now >= self._next_reading:
            self._latest = self._live_standings.table()
            after = monotonic()
            self._next_reading = after + (after - now) / READING_SHARE
        return self._latest


def _progress_bar(console: "Console", total: int | None) -> "Progress":
    """Create a bar with count and elapsed time, and with the time left if the total is known."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.table import Column

    fill = BarColumn(None, table_column=Column(max_width=MAX_BAR_WIDTH))
    columns: list[ProgressColumn] = [MofNCompleteColumn(), fill, Elapsed()]
    if total:
        columns += [Remaining(), TextColumn("left")]
    return Progress(*columns, console=console)


def create_progress(
    out: TextIO,
    finished: int,
    total: int | None,
    live_standings: LiveStandings,
    *,
    plain: bool,
    quiet: bool,
) -> ProgressOutput:
    """Create the progress output that fits the options and the output file.

    Args:
        out: File to write to.
        finished: Number of matches finished before.
        total: Number of all matches, or None if it is unknown.
        live_standings: Source of the standings.
        plain: Whether to print a line for each match, also on a terminal.
        quiet: Whether to print only notices.
    """
    if quiet:
        return ProgressOutput(out)
    if plain or not can_redraw(out):
        return LineProgress(out, finished, total, every_match=plain)
    return LiveProgress(out, finished, total, live_standings)


def with_progress_bar(out: TextIO, items: Iterable[T], total: int | None = None) -> Iterable[T]:
    """Iterate over the items, with a progress bar if the output is a terminal.

    Args:
        out: File of the bar.
        items: The items; without a length, the number of them is `total`.
        total: The number of items, if they have no length.
    """
    if not can_redraw(out):
        return items
    from rich.console import Console  # slow to import, and needed only on a terminal
    from rich.progress import track

    return track(items, description="", total=total, console=Console(file=out), transient=True)


def can_redraw(out: TextIO | None) -> bool:
    """Return whether a file is a terminal on which lines can be replaced; None is closed."""
    return out is not None and out.isatty() and os.environ.get("TERM") not in DUMB_TERMINALS


def _result_line(record: MatchRecord) -> str:
    if record.winner:
        result = f"{record.winner} wins"
    else:
        result = "draw" if record.result.is_draw else "aborted"
    return f"{match_title(record)}: {result}, {record.result.reason}"
