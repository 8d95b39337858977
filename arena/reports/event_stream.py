"""Tournament events as JSON Lines (docs/reference/events.md).

Whatever is written here can be read while the tournament is played; nothing else has to be parsed.
"""

import math
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, BinaryIO, Self

import msgspec
from msgspec import Meta, Struct

from arena.model.observer import Observer
from arena.model.results import Fault, MatchRecord, Pairing, PlayedMove, Termination
from arena.tournament.leaderboard import Scoreboard

RATING_SECONDS = 1.0  # at least, between two rating events
DIALECT = "https://json-schema.org/draft/2020-12/schema"  # that msgspec writes


class Scheduled(Struct, frozen=True, tag="scheduled", tag_field="event"):
    """A pairing is known, and waits for its bots to be free."""

    at: float  # Unix time, as in all events
    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...]


class Started(Struct, frozen=True, tag="started", tag_field="event"):
    """A match has begun; `match` names this attempt at the pairing in what follows."""

    at: float
    match: int
    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...]


class Moved(Struct, frozen=True, tag="move", tag_field="event"):
    """A player has moved. Times are in seconds."""

    at: float
    match: int
    ply: int
    move: int
    elapsed: float
    credit: float
    charged: float
    lag: float


class Finished(Struct, frozen=True, tag="finished", tag_field="event"):
    """A match has ended and is stored; `winner` is 1 or 2, or null if it was aborted."""

    at: float
    match: int
    number: int | None
    players: tuple[str, str]
    winner: Annotated[int, Meta(ge=1, le=2)] | None
    termination: Termination
    reason: str
    moves: tuple[int, ...]
    fault: Fault | None


class Rating(Struct, frozen=True, tag="rating", tag_field="event"):
    """The table by now, best first; `elo` and `margin` are null without a match."""

    at: float
    first_move: float
    first_move_margin: float
    bots: list["Rated"]


class Rated(Struct, frozen=True):
    """A bot in the table."""

    bot: str
    elo: float | None
    margin: float | None
    wins: int
    losses: int
    forfeits: int


Event = Scheduled | Started | Moved | Finished | Rating


def schema() -> dict[str, Any]:
    """The JSON Schema of a line."""
    return {"$schema": DIALECT, **msgspec.json.schema(Event)}


class Events(Observer):
    """Writes what happens to a file, or to standard output for "-", and ends with a rating.

    A file that is there goes on. Raises OSError when it cannot be written.
    """

    def __init__(self, path: str, scoreboard: Scoreboard) -> None:
        self._is_own = path != "-"
        self._out: BinaryIO = open(path, "ab") if self._is_own else sys.stdout.buffer  # noqa: SIM115
        self._scoreboard = scoreboard
        self._rated_at = -math.inf  # by a clock that is never set
        if self._is_own and _is_cut_short(Path(path)):
            self._out.write(b"\n")

    def __enter__(self) -> Self:
        _ = self._scoreboard.ratings  # or what these need is imported while clocks run
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if not isinstance(error, OSError):  # which may be our own: writing has no point then
                self._rate()
        finally:
            if self._is_own:
                self._out.close()

    def scheduled(self, pairing: Pairing) -> None:
        """Write it."""
        self._write(Scheduled(time.time(), pairing.number, *_facts(pairing)))

    def started(self, match: int, pairing: Pairing) -> None:
        """Write it."""
        self._write(Started(time.time(), match, pairing.number, *_facts(pairing)))

    def moved(self, match: int, move: PlayedMove) -> None:
        """Write it."""
        self._write(
            Moved(
                time.time(),
                match,
                move.ply,
                move.move,
                move.elapsed,
                move.credit,
                move.charged,
                move.lag,
            )
        )

    def finished(self, record: MatchRecord) -> None:
        """Write it, and the table if the last one is some time ago."""
        pairing, result = record.pairing, record.result
        self._write(
            Finished(
                record.finished_at,
                record.id,
                pairing.number,
                pairing.players,
                result.winner,
                result.termination,
                result.reason,
                (*pairing.opening, *(move.move for move in record.moves)),
                record.fault,
            )
        )
        if time.monotonic() - self._rated_at >= RATING_SECONDS:
            self._rate()

    def _rate(self) -> None:
        self._rated_at = time.monotonic()
        ratings = self._scoreboard.ratings
        bots = [
            Rated(
                line.bot,
                ratings.elo.get(line.bot),
                ratings.margin(line.bot) if line.bot in ratings.elo else None,
                line.wins,
                line.losses,
                line.forfeits.total(),
            )
            for line in self._scoreboard.standings
        ]
        self._write(Rating(time.time(), ratings.first_move, ratings.first_move_margin, bots))

    def _write(self, event: Event) -> None:
        self._out.write(msgspec.json.encode(event) + b"\n")
        self._out.flush()


def _facts(pairing: Pairing) -> tuple[tuple[str, str], str, Mapping[str, int], tuple[int, ...]]:
    return pairing.players, pairing.game, pairing.setup, pairing.opening


def _is_cut_short(path: Path) -> bool:
    """Whether a file ends within a line, as a full disk or a power cut leaves it."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() != b"\n"
