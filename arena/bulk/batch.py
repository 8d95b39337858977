"""Batches: the pairings that a worker plays at a time, their outcomes, and the encoding of both.

A process in which bots play is not trusted: its output is decoded by types, never unpickled. What
is encoded lacks the pairings, which both sides have. An executor plays batches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from msgspec import DecodeError, Struct, msgpack

from arena.model.played_matches import PlayedFault, PlayedMatch, PlayedMatches, Seconds
from arena.model.results import MatchRecord, Pairing
from arena.storage.tallies import game_identity


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairings for one worker.

    Attributes:
        number: The number of the batch, unique in a run.
        pairings: The pairings, each with the number of its match.
        is_suspect: Whether a worker has died with its only match. No other batch should be on the
            same worker: if it dies again, only one batch can have caused that.
    """

    number: int
    pairings: tuple[Pairing, ...]
    is_suspect: bool = False


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """A batch, after all its matches have ended.

    Attributes:
        number: The number of the batch.
        matches: What was played, for each pairing. Only the driver, which stores it, numbers
            attempts.
        seconds: How long the batch took in the worker.
    """

    number: int
    matches: PlayedMatches
    seconds: float


@dataclass(frozen=True, slots=True)
class LostBatch:
    """A batch without a result: none of its matches counts.

    Attributes:
        number: The number of the batch.
        cause: What has ended it, in words.
        match: The number of the match that was being played; 0 if none had begun, None if that is
            unknown.
        is_worker: Whether a process that plays matches died with it. Such a death counts against
            the match; the loss of the connection to a cluster does not.
    """

    number: int
    cause: str
    match: int | None
    is_worker: bool = True


class Executor(Protocol):
    """Workers that play batches.

    The context starts them. At its end, everything that still runs is killed, with all children.
    """

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    def workers(self) -> int:
        """Return the number of workers that are connected now."""

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""

    def discard(self, number: int) -> None:
        """Drop a batch; `next_outcome` never returns its outcome."""

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        """Wait for the outcome of a batch, in any order of the batches.

        Raises:
            WorkersFailed: No worker can play.
        """


class WorkersFailed(Exception):
    """The workers of a run cannot play at all. The text is the reason, one line."""


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
