"""Batches: the pairings that a worker plays at a time, and their outcomes."""

from dataclasses import dataclass

from arena.model.played_matches import PlayedMatches
from arena.model.results import Pairing


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairings for one worker.

    Attributes:
        number: The number of the batch, unique in a run.
        pairings: The pairings, each with the number of its match.
        is_suspect: Whether a worker has died with its only match. No other batch should be on the
            same worker, whose next death would not tell which of them it was playing.
    """

    number: int
    pairings: tuple[Pairing, ...]
    is_suspect: bool = False


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """A batch whose matches have all ended.

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
