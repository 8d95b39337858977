"""Encoding of played batches between processes: without the pairings, which both sides have.

A process in which bots play is not trusted: its output is decoded by types, never unpickled.
"""

from collections.abc import Sequence

from msgspec import DecodeError, Struct, msgpack

from arena.bulk.batch import Batch, PlayedBatch
from arena.model.played_matches import PlayedFault, PlayedMatch, PlayedMatches, Seconds
from arena.model.results import MatchRecord, Pairing
from arena.storage.tallies import game_identity


class _Batch(Struct, array_like=True):
    """The matches of a batch, in the order of its pairings."""

    seconds: Seconds
    matches: list[PlayedMatch]


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
    return _encoder.encode(_Batch(seconds, [played_match(record) for record in records]))


def played_match(record: MatchRecord) -> PlayedMatch:
    """Return a record of a match in process without its pairing."""
    result, fault = record.result, record.fault
    move = None if fault is None or fault.move is None else str(fault.move)
    return PlayedMatch(
        record.started_at,
        record.finished_at,
        result.termination,
        result.winner,
        result.reason,
        game_identity(record) if record.is_rated else 0,
        [played.move for played in record.moves],
        [played.elapsed for played in record.moves],
        PlayedFault(move, fault.elapsed, fault.credit) if fault else None,
        record.log,
    )


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
    for match in played.matches:
        if len(match.moves) != len(match.elapsed):
            raise ValueError(f"{len(match.moves)} moves have {len(match.elapsed)} times")
        if match.fault and match.fault.move is not None:
            int(match.fault.move)
    matches = PlayedMatches(batch.pairings, time_control, played.matches)
    return PlayedBatch(batch.number, matches, played.seconds)
