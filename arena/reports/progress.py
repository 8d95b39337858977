"""Progress output during a tournament: a live table on a terminal, plain lines elsewhere."""

import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO, TypeVar

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, Termination
from arena.reports.text import match_title, standings_text
from arena.tournament.live_standings import LiveStandings

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

OTHER_LINES = 6  # on the screen, besides the rows of the bots
MAX_BAR_WIDTH = 40  # columns
DUMB_TERMINALS = {"dumb", "unknown"}  # values of TERM without cursor movement

T = TypeVar("T")


class ProgressOutput(Observer):
    """Progress output that prints only notices."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def print_notice(self, text: str) -> None:
        """Print a line."""
        print(f"arena: {text}", file=self._out, flush=True)


class LineProgress(ProgressOutput):
    """Progress output with a line for each finished match."""

    def __init__(self, out: TextIO, finished: int, total: int | None) -> None:
        super().__init__(out)
        self._finished = finished
        self._total = total

    def finished(self, record: MatchRecord) -> None:
        """Print the result; an aborted match, which is played again, does not count."""
        self._finished += record.rated_result is not None
        count = f"[{self._finished}/{self._total}]" if self._total else f"[{self._finished}]"
        print(f"{count} {_result_line(record)}", file=self._out, flush=True)


class LiveProgress(ProgressOutput):
    """Live table of the standings, with a progress bar and the matches in progress.

    Matches that do not end with a player who cannot move are printed above it as lines.
    """

    def __init__(
        self, out: TextIO, finished: int, total: int | None, live_standings: LiveStandings
    ) -> None:
        from rich.console import Console  # slow to import, and needed only on a terminal
        from rich.live import Live

        super().__init__(out)
        self._live_standings = live_standings
        self._in_progress: dict[int, Pairing] = {}
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def print_notice(self, text: str) -> None:
        """Print a line above the table."""
        self._console.print(f"arena: {text}", markup=False, emoji=False, highlight=False)

    def started(self, match: int, pairing: Pairing) -> None:
        """Show the match as in progress."""
        self._in_progress[match] = pairing

    def finished(self, record: MatchRecord) -> None:
        """Advance the bar, and print the result of a match that did not end regularly."""
        del self._in_progress[record.id]
        if record.rated_result:
            self._bar.advance(self._task)
        if record.result.termination is not Termination.NO_LEGAL_MOVE:
            self._console.print(_result_line(record), markup=False, emoji=False, highlight=False)

    def _render(self) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        standings, ratings = self._live_standings.standings, self._live_standings.ratings
        rows = max(1, self._console.height - OTHER_LINES)
        table = standings_text(standings[:rows], ratings, {}, self._console.width)
        if len(standings) > rows:
            table += f"and {len(standings) - rows} more\n"
        players = [" - ".join(pairing.players) for pairing in [*self._in_progress.values()]]
        matches = Text("  ".join(players), no_wrap=True, overflow="ellipsis")
        return Group(Text(table, no_wrap=True, overflow="ellipsis"), self._bar, matches)


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
        plain: Whether to print lines even on a terminal.
        quiet: Whether to print only notices.
    """
    if quiet:
        return ProgressOutput(out)
    if plain or not _can_redraw(out):
        return LineProgress(out, finished, total)
    return LiveProgress(out, finished, total, live_standings)


def with_progress_bar(out: TextIO, items: Sequence[T]) -> Iterable[T]:
    """Iterate over the items, with a progress bar if the output is a terminal."""
    if not _can_redraw(out):
        return items
    from rich.console import Console  # slow to import, and needed only on a terminal
    from rich.progress import track

    return track(items, description="", console=Console(file=out), transient=True)


def _can_redraw(out: TextIO) -> bool:
    return out.isatty() and os.environ.get("TERM") not in DUMB_TERMINALS


def _result_line(record: MatchRecord) -> str:
    if record.winner:
        result = f"{record.winner} wins"
    else:
        result = "draw" if record.result.is_draw else "aborted"
    return f"{match_title(record)}: {result}, {record.result.reason}"
