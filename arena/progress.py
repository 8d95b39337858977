"""Shows a tournament while it is played: a bar on a terminal, plain lines anywhere else."""

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self, TextIO, TypeVar

from arena.report import title
from arena.results import MatchRecord, Pairing, Termination

T = TypeVar("T")


class Lines:
    """A line for each match that has ended."""

    def __init__(self, out: TextIO, done: int, total: int | None) -> None:
        self._out = out
        self._done = done
        self._total = total

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def started(self, pairing: Pairing) -> None:
        """A match has begun."""

    def finished(self, record: MatchRecord) -> None:
        """A match has ended."""
        self._done += 1
        print(f"{_share(self._done, self._total)} {_outcome(record)}", file=self._out, flush=True)


class Bar:
    """A progress bar with the matches that are being played; forfeits stay above it as lines."""

    def __init__(self, out: TextIO, done: int, total: int | None) -> None:
        from rich.console import Console  # heavy, and only for a terminal
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        self._playing: list[Pairing] = []
        self._progress = Progress(
            MofNCompleteColumn(),
            BarColumn(),
            Elapsed(),
            TextColumn("{task.description}", markup=False),
            console=Console(file=out),
            transient=True,
        )
        self._task = self._progress.add_task("", total=total, completed=done)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def started(self, pairing: Pairing) -> None:
        """A match has begun."""
        self._playing.append(pairing)
        self._describe()

    def finished(self, record: MatchRecord) -> None:
        """A match has ended."""
        self._playing.remove(record.pairing)
        self._progress.advance(self._task)
        if record.result.termination is not Termination.NO_LEGAL_MOVE:
            self._progress.console.print(
                _outcome(record), markup=False, emoji=False, highlight=False
            )
        self._describe()

    def _describe(self) -> None:
        now = "  ".join(" - ".join(pairing.players) for pairing in self._playing)
        self._progress.update(self._task, description=now)


def progress(out: TextIO, done: int, total: int | None) -> Lines | Bar:
    """What suits where it is shown; `total` is None if there is no end."""
    return Bar(out, done, total) if out.isatty() else Lines(out, done, total)


def counted(out: TextIO, things: Sequence[T]) -> Iterable[T]:
    """The things, with a bar on a terminal that counts them."""
    if not out.isatty():
        return things
    from rich.console import Console  # heavy, and only for a terminal
    from rich.progress import track

    return track(things, description="", console=Console(file=out), transient=True)


def _share(done: int, total: int | None) -> str:
    return f"[{done}/{total}]" if total else f"[{done}]"


def _outcome(record: MatchRecord) -> str:
    return f"{title(record)}: {record.winner} wins, {record.result.reason}"
