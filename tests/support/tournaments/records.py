"""Pairings and match records for tests."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from arena.bulk.batch import played_match
from arena.model.played_matches import PlayedMatches
from arena.model.results import (
    Fault,
    Info,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)


def make_pairing(
    number: int | None = 1, players: tuple[str, str] = ("anna", "bert"), stones: int = 7
) -> Pairing:
    """Return a pairing in Take-Stones."""
    return Pairing(number, players, "take_stones", {"stones": stones})


def make_casual_pairing(pairing: Pairing | None = None) -> Pairing:
    """Return a casual copy of a pairing, with the time control of `make_record`."""
    return replace(pairing or make_pairing(None), casual=True, time="5+0.05")


def make_record(
    pairing: Pairing | None = None,
    winner: int | None = 1,
    termination: Termination = Termination.NO_LEGAL_MOVE,
    attempt: int = 1,
    moves: tuple[PlayedMove, ...] = (),
    fault: Fault | None = None,
    log: str = "",
    infos: Mapping[int, Info] = MappingProxyType({}),
) -> MatchRecord:
    """Return the record of a match that took 1.75 seconds; `attempt` is its id."""
    result = MatchResult(termination, winner, "that is why")
    pairing = pairing or make_pairing()
    return MatchRecord(
        attempt, pairing, "5+0.05", 1000.5, 1002.25, result, moves, fault, log, infos
    )


def make_aborted_record(pairing: Pairing | None = None, attempt: int = 1) -> MatchRecord:
    """Return the record of a match that the arena has aborted."""
    return make_record(pairing, None, Termination.ABORTED, attempt)


def played_matches(*records: MatchRecord) -> PlayedMatches:
    """Return records of matches in process together; ids follow that of the first one."""
    return PlayedMatches(
        [record.pairing for record in records],
        records[0].time_control,
        [played_match(record) for record in records],
        records[0].id,
    )
