"""Matches in process, and the records that are made of some of them."""

from dataclasses import replace

from arena.model.results import Fault, MatchRecord, PlayedMove, Termination
from tests.support.tournaments.records import (
    make_aborted_record,
    make_pairing,
    make_record,
    played_matches,
)

TAGGED = replace(make_record(attempt=7), pairing=replace(make_pairing(), tags={"Event": "Cup"}))
WON = make_record(attempt=8, moves=(PlayedMove(0, 3, 0.5, 0.0, 0.5, 0.0),))
ILLEGAL = make_record(
    termination=Termination.ILLEGAL_MOVE,
    attempt=9,
    fault=Fault(0, 10**30, 0.5, 0.125, 0.375, 0.0),
)
RESIGNED = make_record(termination=Termination.RESIGNATION, attempt=10)
FAILED = make_record(termination=Termination.DISCONNECT, attempt=11, log="why")
ABORTED = make_aborted_record(attempt=12)
RECORDS = [TAGGED, WON, ILLEGAL, RESIGNED, FAILED, ABORTED]
MATCHES = played_matches(*RECORDS)


def records_of(*places: int) -> list[MatchRecord]:
    return [RECORDS[place] for place in places]


def test_records_are_those_of_the_matches() -> None:
    assert MATCHES.records() == RECORDS
    assert MATCHES.records(-2) == records_of(4, 5)
    assert MATCHES.records(-100) == RECORDS


def test_only_some_records_need_a_look() -> None:
    assert [*MATCHES.irregular_records()] == records_of(2, 3, 4, 5)
    assert [*MATCHES.detailed_records()] == records_of(0, 2, 4)


def test_an_aborted_match_does_not_count() -> None:
    assert (len(MATCHES), MATCHES.rated) == (6, 5)
    assert [pairing for pairing, match in MATCHES if not match.is_rated] == [ABORTED.pairing]
