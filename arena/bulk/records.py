"""Encoding of played batches between processes: without the pairings, which both sides have.

A process in which bots play is not trusted: its output is decoded by types, never unpickled.
"""

from collections.abc import Sequence
from itertools import count, repeat
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, msgpack

from arena.bulk.batch import Batch, PlayedBatch
from arena.model.results import (
    Fault,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.protocol.player import Log

# What a database holds: no infinite time, and integers of 64 bits.
_Seconds = Annotated[float, Meta(ge=-1e12, le=1e12)]
_Move = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class _Fault(Struct, array_like=True):
    """The turn that ended a match, as in `Fault`; the move as text, as it may have any length."""

    move: str | None
    elapsed: _Seconds
    credit: _Seconds


class _Match(Struct, array_like=True, gc=False):
    """A record without its pairing. The moves are consecutive, and nothing but time is charged."""

    started_at: _Seconds
    finished_at: _Seconds
    termination: Termination
    winner: int | None
    reason: str
    moves: list[_Move]
    elapsed: list[_Seconds]
    fault: _Fault | None
    log: Log = ""


class _Batch(Struct, array_like=True):
    """The records of a batch, in the order of its pairings."""

    seconds: _Seconds
    matches: list[_Match]


_encoder = msgpack.Encoder()
_played = msgpack.Decoder(_Batch)
_pairings = msgpack.Decoder(tuple[Pairing, ...])


def encode_pairings(pairings: Sequence[Pairing]) -> bytes:
    """Return the pairings of a batch as bytes."""
    return _encoder.encode(pairings)


def decode_pairings(data: bytes) -> tuple[Pairing, ...]:
    """Return the pairings that `encode_pairings` has encoded."""
    return _pairings.decode(data)


def encode_records(records: Sequence[MatchRecord], seconds: float) -> bytes:
    """Return the records of a batch, and how long they took, as bytes."""
    return _encoder.encode(_Batch(seconds, [_without_pairing(record) for record in records]))


def decode_records(batch: Batch, time_control: str, data: bytes) -> PlayedBatch:
    """Return the outcome of a batch.

    Args:
        batch: The batch that was played.
        time_control: The time control of its matches, as text.
        data: The result of `encode_records`.

    Raises:
        ValueError: The bytes are no records of this batch.
    """
    try:
        played = _played.decode(data)
    except DecodeError as error:
        raise ValueError(str(error)) from None
    if len(played.matches) != len(batch.pairings):
        raise ValueError(f"expected {len(batch.pairings)} matches, got {len(played.matches)}")
    records = tuple(
        _with_pairing(pairing, time_control, match)
        for pairing, match in zip(batch.pairings, played.matches, strict=True)
    )
    return PlayedBatch(batch.number, records, played.seconds)


def _without_pairing(record: MatchRecord) -> _Match:
    result, fault = record.result, record.fault
    move = None if fault is None or fault.move is None else str(fault.move)
    return _Match(
        record.started_at,
        record.finished_at,
        result.termination,
        result.winner,
        result.reason,
        [played.move for played in record.moves],
        [played.elapsed for played in record.moves],
        _Fault(move, fault.elapsed, fault.credit) if fault else None,
        record.log,
    )


def _with_pairing(pairing: Pairing, time_control: str, match: _Match) -> MatchRecord:
    if match.winner not in (1, 2, None):
        raise ValueError(f"expected the winner 1, 2 or none, got {match.winner}")
    if len(match.moves) != len(match.elapsed):
        raise ValueError(f"{len(match.moves)} moves have {len(match.elapsed)} times")
    first, elapsed = len(pairing.opening), match.elapsed
    columns = count(first), match.moves, elapsed, repeat(0.0), elapsed, repeat(0.0)
    moves = tuple(map(PlayedMove, *columns))
    return MatchRecord(
        0,
        pairing,
        pairing.time or time_control,
        match.started_at,
        match.finished_at,
        MatchResult(match.termination, match.winner, match.reason),
        moves,
        _fault(first + len(moves), match.fault) if match.fault else None,
        match.log,
    )


def _fault(ply: int, fault: _Fault) -> Fault:
    move = None if fault.move is None else int(fault.move)
    charged = fault.elapsed - fault.credit
    return Fault(ply, move, fault.elapsed, fault.credit, charged, 0.0)
