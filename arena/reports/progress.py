"""Shows a tournament while it is played: a table on a terminal, plain lines anywhere else."""

import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO, TypeVar

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, Termination
from arena.reports.text import table_text, title
from arena.tournament.leaderboard import Scoreboard

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

OTHER_LINES = 6  # on the screen, besides those of the bots
BAR = 40  # columns at most
DUMB = {"dumb", "unknown"}  # terminals that cannot move the cursor

T = TypeVar("T")


class Shown(Observer):
    """Shows nothing but what it is told to tell."""

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

    def tell(self, text: str) -> None:
        """Show a line."""
        print(f"arena: {text}", file=self._out, flush=True)


class Lines(Shown):
    """A line for each match that has ended."""

    def __init__(self, out: TextIO, done: int, total: int | None) -> None:
        super().__init__(out)
        self._done = done
        self._total = total

    def finished(self, record: MatchRecord) -> None:
        """A match has ended; what was aborted is not done, it is played again."""
        self._done += record.outcome is not None
        print(f"{_share(self._done, self._total)} {_outcome(record)}", file=self._out, flush=True)


class Live(Shown):
    """The table by now, a bar, and the matches that are being played.

    Matches that end otherwise than on the board stay above it as lines.
    """

    def __init__(self, out: TextIO, done: int, total: int | None, scoreboard: Scoreboard) -> None:
        from rich.console import Console  # heavy, and only for a terminal
        from rich.live import Live as Display

        super().__init__(out)
        self._scoreboard = scoreboard
        self._playing: dict[int, Pairing] = {}
        self._console = Console(file=out)
        self._bar = _bar(self._console, total)
        self._task = self._bar.add_task("", total=total, completed=done)
        self._display = Display(
            get_renderable=self._render,
            console=self._console,
            refresh_per_second=2,
            transient=True,
            redirect_stdout=False,  # which may be where events or a table go
            redirect_stderr=False,
            vertical_overflow="crop",
        )

    def __enter__(self) -> Self:
        self._display.start(refresh=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._display.stop()

    def tell(self, text: str) -> None:
        """Show a line above the table."""
        self._console.print(f"arena: {text}", markup=False, emoji=False, highlight=False)

    def started(self, match: int, pairing: Pairing) -> None:
        """A match has begun."""
        self._playing[match] = pairing

    def finished(self, record: MatchRecord) -> None:
        """A match has ended."""
        del self._playing[record.id]
        if record.outcome:
            self._bar.advance(self._task)
        if record.result.termination is not Termination.NO_LEGAL_MOVE:
            self._console.print(_outcome(record), markup=False, emoji=False, highlight=False)

    def _render(self) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        standings, ratings = self._scoreboard.standings, self._scoreboard.ratings
        room = max(1, self._console.height - OTHER_LINES)
        table = table_text(standings[:room], ratings, {}, self._console.width)
        if len(standings) > room:
            table += f"and {len(standings) - room} more\n"
        playing = [" - ".join(pairing.players) for pairing in [*self._playing.values()]]
        now = Text("  ".join(playing), no_wrap=True, overflow="ellipsis")
        return Group(Text(table, no_wrap=True, overflow="ellipsis"), self._bar, now)


def _bar(console: "Console", total: int | None) -> "Progress":
    """How much is done, for how long, and for how long to go if there is an end in sight."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.table import Column

    fill = BarColumn(None, table_column=Column(max_width=BAR))
    columns: list[ProgressColumn] = [MofNCompleteColumn(), fill, Elapsed()]
    if total:
        columns += [Remaining(), TextColumn("left")]
    return Progress(*columns, console=console)


def progress(
    out: TextIO, done: int, total: int | None, scoreboard: Scoreboard, *, plain: bool, quiet: bool
) -> Shown:
    """What suits where it is shown and what is wanted; `total` is None if it is not known."""
    if quiet:
        return Shown(out)
    if plain or not _can_redraw(out):
        return Lines(out, done, total)
    return Live(out, done, total, scoreboard)


def counted(out: TextIO, things: Sequence[T]) -> Iterable[T]:
    """The things, with a bar on a terminal that counts them."""
    if not _can_redraw(out):
        return things
    from rich.console import Console  # heavy, and only for a terminal
    from rich.progress import track

    return track(things, description="", console=Console(file=out), transient=True)


def _can_redraw(out: TextIO) -> bool:
    return out.isatty() and os.environ.get("TERM") not in DUMB


def _share(done: int, total: int | None) -> str:
    return f"[{done}/{total}]" if total else f"[{done}]"


def _outcome(record: MatchRecord) -> str:
    end = f"{record.winner} wins" if record.winner else "aborted"
    return f"{title(record)}: {end}, {record.result.reason}"
