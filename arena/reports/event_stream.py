"""Tournament events as JSON Lines (docs/reference/events.md).

Each event is one line that programs can read during the tournament.
"""

import math
import sys
import time
from collections.abc import Mapping
from inspect import cleandoc
from types import TracebackType
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct

from arena.line_file import LineFile
from arena.model.observer import Observer
from arena.model.played_matches import PlayedMatches
from arena.model.results import Fault, MatchRecord, Pairing, PlayedMove, Termination
from arena.tournament.standings import LiveStandings

RATING_INTERVAL = 1.0  # minimum seconds between two rating events
SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"  # of msgspec's schemas


class ScheduledEvent(Struct, frozen=True, tag="scheduled", tag_field="event"):
    """A pairing is scheduled and waits until both bots are free."""

    at: float  # Unix time, as in all events
    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...]


class StartedEvent(Struct, frozen=True, tag="started", tag_field="event"):
    """A match has started; `match` identifies this attempt in the following events."""

    at: float
    match: int
    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...]


class MoveEvent(Struct, frozen=True, tag="move", tag_field="event"):
    """A player has moved; times are in seconds."""

    at: float
    match: int
    ply: int
    move: int
    elapsed: float
    credit: float
    charged: float
    lag: float


class FinishedEvent(Struct, frozen=True, tag="finished", tag_field="event"):
    """A match is finished and stored.

    `winner` is 1 or 2, or null for a draw and if the match was aborted.
    """

    at: float
    match: int
    number: int | None
    players: tuple[str, str]
    winner: Annotated[int, Meta(ge=1, le=2)] | None
    termination: Termination
    reason: str
    moves: tuple[int, ...]
    fault: Fault | None


class RatingEvent(Struct, frozen=True, tag="rating", tag_field="event"):
    """Current standings, the best bot first; `elo` and `margin` are null before a first match."""

    at: float
    first_move: float
    first_move_margin: float
    bots: list["BotRating"]


class BotRating(Struct, frozen=True):
    """One bot's row in the standings."""

    bot: str
    elo: float | None
    margin: float | None
    wins: int
    losses: int
    forfeits: int
    draws: int = 0


Event = ScheduledEvent | StartedEvent | MoveEvent | FinishedEvent | RatingEvent


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    found = msgspec.json.schema(Event)
    for kind in found["$defs"].values():
        kind["description"] = cleandoc(kind["description"])  # as CPython does from 3.13 on
    return {"$schema": SCHEMA_DIALECT, **found}


class EventWriter(Observer):
    """Observer that writes events as JSON Lines and ends with a rating event.

    All methods raise OSError if the file cannot be written.
    """

    def __init__(self, path: str, live_standings: LiveStandings) -> None:
        """Open the file.

        Args:
            path: File to append to, or "-" for standard output.
            live_standings: Source of the ratings.

        Raises:
            OSError: If the file cannot be opened.
        """
        self._path = path
        self._file = None if path == "-" else LineFile(path)
        self._live_standings = live_standings
        self._rated_at = -math.inf  # monotonic time

    def __enter__(self) -> Self:
        self._live_standings.table()  # imports numerical code before any match clock runs
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if not isinstance(error, OSError):  # it may come from writing this file
                self._write_rating()
        finally:
            if self._file:
                self._file.close()

    def scheduled(self, pairing: Pairing) -> None:
        """Write a scheduled event."""
        self._write(ScheduledEvent(time.time(), pairing.number, *_pairing_fields(pairing)))

    def started(self, match: int, pairing: Pairing) -> None:
        """Write a started event."""
        self._write(StartedEvent(time.time(), match, pairing.number, *_pairing_fields(pairing)))

    def moved(self, match: int, move: PlayedMove) -> None:
        """Write a move event."""
        self._write(_move_event(time.time(), match, move))

    def finished(self, record: MatchRecord) -> None:
        """Write a finished event, and a rating event if the last one is old enough."""
        self._write(_finished_event(record))
        self._write_rating_if_old()

    def played(self, matches: PlayedMatches) -> None:
        """Write the events of matches in process, with the times at which they were."""
        for record in matches.records():
            self._write_match(record)

    def _write_match(self, record: MatchRecord) -> None:
        at, pairing = record.started_at, record.pairing
        events: list[Event] = [
            StartedEvent(at, record.id, pairing.number, *_pairing_fields(pairing))
        ]
        for move in record.moves:
            at += move.elapsed
            events.append(_move_event(at, record.id, move))
        self._write(*events, _finished_event(record))
        self._write_rating_if_old()

    def _write_rating_if_old(self) -> None:
        if time.monotonic() - self._rated_at >= RATING_INTERVAL:
            self._write_rating()

    def _write_rating(self) -> None:
        self._rated_at = time.monotonic()
        standings, ratings = self._live_standings.table()
        bots = [
            BotRating(
                standing.bot,
                ratings.elo.get(standing.bot),
                ratings.margin(standing.bot) if standing.bot in ratings.elo else None,
                standing.wins,
                standing.losses,
                standing.forfeits.total(),
                standing.draws,
            )
            for standing in standings
        ]
        self._write(RatingEvent(time.time(), ratings.first_move, ratings.first_move_margin, bots))

    def _write(self, *events: Event) -> None:
        lines = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
        if not self._file:
            sys.stdout.buffer.write(lines)
            sys.stdout.buffer.flush()
            return
        try:
            self._file.append(lines)
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"--events {self._path}") from None


def _move_event(at: float, match: int, move: PlayedMove) -> MoveEvent:
    return MoveEvent(
        at, match, move.ply, move.move, move.elapsed, move.credit, move.charged, move.lag
    )


def _finished_event(record: MatchRecord) -> FinishedEvent:
    pairing, result = record.pairing, record.result
    return FinishedEvent(
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


def _pairing_fields(
    pairing: Pairing,
) -> tuple[tuple[str, str], str, Mapping[str, int], tuple[int, ...]]:
    return pairing.players, pairing.game, pairing.setup, pairing.opening
