"""Pairings and records of matches, for the tests of whatever reads them."""

from dataclasses import replace

from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination


def a_pairing(
    number: int | None = 1, players: tuple[str, str] = ("anna", "bert"), stones: int = 7
) -> Pairing:
    """A pairing in Take-Stones."""
    return Pairing(number, players, "take_stones", {"stones": stones})


def a_casual(pairing: Pairing | None = None) -> Pairing:
    """The same, of a match that counts for nobody, with the time control that records have."""
    return replace(pairing or a_pairing(None), casual=True, time="5+0.05")


def a_record(
    pairing: Pairing | None = None,
    winner: int | None = 1,
    termination: Termination = Termination.NO_LEGAL_MOVE,
    attempt: int = 1,
    moves: tuple[PlayedMove, ...] = (),
    fault: Fault | None = None,
) -> MatchRecord:
    """A match that has ended like this."""
    result = MatchResult(termination, winner, "that is why")
    pairing = pairing or a_pairing()
    return MatchRecord(attempt, pairing, "5+0.05", 1000.5, 1002.25, result, moves, fault)


def an_aborted(pairing: Pairing | None = None, attempt: int = 1) -> MatchRecord:
    """A match that the arena has aborted."""
    return a_record(pairing, None, Termination.ABORTED, attempt)
