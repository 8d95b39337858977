"""JSON Lines of match records: formatting and parsing. Pure.

docs/reference/records.md describes the format for authors of other parsers.
"""

import itertools
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field

from arena.model.results import (
    Fault,
    Info,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.storage.record import NumberedRecords, ordered_tags, validate_record


class PlanLine(Struct, frozen=True, tag="plan", forbid_unknown_fields=True):
    """First line of a tournament's text: its plan, which is itself JSON."""

    plan: str


class MatchLine(Struct, frozen=True, tag="match", forbid_unknown_fields=True):
    """Line of a match; `started_at` and `finished_at` are Unix time, other times are in seconds."""

    id: int
    number: int | None
    game: str
    setup: dict[str, int]
    player1: str
    player2: str
    winner: int | None
    termination: Termination
    reason: str
    time_control: str
    started_at: float
    finished_at: float
    opening: tuple[int, ...]
    moves: tuple[PlayedMove, ...]
    fault: Fault | None
    casual: bool = False
    log: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    infos: dict[int, Info] = {}

    def __post_init__(self) -> None:
        if self.winner not in (1, 2, None):
            raise ValueError(f"expected winner 1, 2 or null, got {self.winner}")


_decoder: msgspec.json.Decoder[PlanLine | MatchLine] = msgspec.json.Decoder(PlanLine | MatchLine)


def format_plan(plan: str) -> str:
    """Return the first line of a text: the plan of a tournament, which is JSON."""
    return _encode(PlanLine(plan))


def format_record(record: MatchRecord) -> str:
    """Return the line of a record."""
    pairing, result = record.pairing, record.result
    return _encode(
        MatchLine(
            id=record.id,
            number=pairing.number,
            game=pairing.game,
            setup=dict(pairing.setup),
            player1=pairing.players[0],
            player2=pairing.players[1],
            winner=result.winner,
            termination=result.termination,
            reason=result.reason,
            time_control=record.time_control,
            started_at=record.started_at,
            finished_at=record.finished_at,
            opening=pairing.opening,
            moves=record.moves,
            fault=record.fault,
            casual=pairing.casual,
            log=record.log,
            tags=dict(ordered_tags(record.tags)),
            infos=dict(record.infos),
        )
    )


def _encode(line: PlanLine | MatchLine) -> str:
    return f"{msgspec.json.encode(line).decode()}\n"


def parse(lines: Iterable[str]) -> tuple[str | None, NumberedRecords]:
    """Parse a text.

    Args:
        lines: The lines of the text; empty ones are ignored.

    Returns:
        The plan, or None, and an iterator over the records, which are parsed as it advances.

    Raises:
        ValueError: If the text is invalid, also from the iterator; the message begins with the
            number of the line.
    """
    decoded = _decode(lines)
    first = next(decoded, None)
    if first and isinstance(first[1], PlanLine):
        return first[1].plan, _records(decoded)
    return None, _records(itertools.chain([first] if first else [], decoded))


def _decode(lines: Iterable[str]) -> Iterator[tuple[int, PlanLine | MatchLine]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                decoded = _decoder.decode(line)
            except (msgspec.MsgspecError, RecursionError) as error:
                raise ValueError(f"line {number}: {error}") from None
            yield number, decoded


def _records(lines: Iterable[tuple[int, PlanLine | MatchLine]]) -> NumberedRecords:
    for number, line in lines:
        try:
            record = _record(line)
            validate_record(record)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        yield number, record


def _record(line: PlanLine | MatchLine) -> MatchRecord:
    if isinstance(line, PlanLine):
        raise ValueError("unexpected plan: only the first line may be one")
    players = line.player1, line.player2
    time = line.time_control if line.casual else None
    return MatchRecord(
        line.id,
        Pairing(
            line.number,
            players,
            line.game,
            line.setup,
            line.opening,
            line.casual,
            time,
            line.tags,
        ),
        line.time_control,
        line.started_at,
        line.finished_at,
        MatchResult(line.termination, line.winner, line.reason),
        line.moves,
        line.fault,
        line.log,
        line.infos,
    )
