"""Records of matches as lines of JSON, an object each. Pure.

docs/reference/records.md describes them to whoever writes a parser.
"""

import itertools
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.storage.pgn import Numbered, check


class PlanLine(Struct, frozen=True, tag="plan", forbid_unknown_fields=True):
    """The first line, if the matches are a tournament's: its plan, a JSON text."""

    plan: str


class MatchLine(Struct, frozen=True, tag="match", forbid_unknown_fields=True):
    """A match. Times are Unix time, and in `moves` and `fault` seconds."""

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

    def __post_init__(self) -> None:
        if self.winner not in (1, 2, None):
            raise ValueError(f"winner {self.winner} is none of 1, 2, null")


_decoder: msgspec.json.Decoder[PlanLine | MatchLine] = msgspec.json.Decoder(PlanLine | MatchLine)


def write_plan(plan: str) -> str:
    """The line with the plan of a tournament: the first."""
    return _line(PlanLine(plan))


def write(record: MatchRecord) -> str:
    """The line of a record."""
    pairing, result = record.pairing, record.result
    return _line(
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
        )
    )


def _line(what: PlanLine | MatchLine) -> str:
    return f"{msgspec.json.encode(what).decode()}\n"


def read(lines: Iterable[str]) -> tuple[str | None, Numbered]:
    """The plan, if there is one, and the records, which are read as they are asked for.

    Empty lines are passed over. Raises ValueError with the number of the line and what is wrong,
    also for each record.
    """
    parsed = _parsed(lines)
    first = next(parsed, None)
    if first and isinstance(first[1], PlanLine):
        return first[1].plan, _records(parsed)
    return None, _records(itertools.chain([first] if first else [], parsed))


def _parsed(lines: Iterable[str]) -> Iterator[tuple[int, PlanLine | MatchLine]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                parsed = _decoder.decode(line)
            except (msgspec.MsgspecError, RecursionError) as error:
                raise ValueError(f"line {number}: {error}") from None
            yield number, parsed


def _records(parsed: Iterable[tuple[int, PlanLine | MatchLine]]) -> Numbered:
    for number, line in parsed:
        try:
            record = _record(line)
            check(record)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        yield number, record


def _record(line: PlanLine | MatchLine) -> MatchRecord:
    if isinstance(line, PlanLine):
        raise ValueError("a plan stands before all matches")
    players = line.player1, line.player2
    time = line.time_control if line.casual else None
    return MatchRecord(
        line.id,
        Pairing(line.number, players, line.game, line.setup, line.opening, line.casual, time),
        line.time_control,
        line.started_at,
        line.finished_at,
        MatchResult(line.termination, line.winner, line.reason),
        line.moves,
        line.fault,
    )
