"""Encoding of played batches."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

from arena.bulk.batch import Batch, decode_pairings, decode_records, encode_pairings, encode_records
from arena.model.results import Fault, MatchRecord, PlayedMove
from tests.support.cases import loop_over
from tests.support.computing.bulk import make_batch, make_job, play_here
from tests.support.tournaments.records import make_pairing, make_record

ELAPSED = st.floats(0, 1e6)


@st.composite
def bulk_records(draw: st.DrawFn) -> MatchRecord:
    """Draw a record as matches in bulk have them."""
    elapsed = draw(st.lists(ELAPSED, max_size=5))
    move = st.integers(-(2**63), 2**63 - 1)
    moves = tuple(
        PlayedMove(ply, draw(move), seconds, 0.0, seconds, 0.0)
        for ply, seconds in enumerate(elapsed, 2)
    )
    fault = None
    if draw(st.booleans()):
        seconds, credit = draw(ELAPSED), draw(st.sampled_from([0.0, 0.1]))
        last = draw(st.none() | st.integers(-(10**40), 10**40))
        fault = Fault(2 + len(moves), last, seconds, credit, seconds - credit, 0.0)
    pairing = replace(make_pairing(), opening=(1, 2))
    record = make_record(pairing, moves=moves, fault=fault, attempt=0)
    log = draw(st.text(max_size=5))
    return replace(record, time_control="7", log=log)


@given(st.lists(bulk_records(), max_size=3), st.floats(0, 1e6))
def test_records_are_decoded_as_encoded(records: list[MatchRecord], seconds: float) -> None:
    batch = Batch(3, tuple(record.pairing for record in records))
    assert decode_pairings(encode_pairings(batch.pairings)) == batch.pairings
    played = decode_records(batch, "7", encode_records(records, seconds))
    assert (played.number, played.seconds) == (3, seconds)
    assert replace(played.matches, first=5).records() == [
        replace(record, id=id_) for id_, record in enumerate(records, 5)
    ]


def test_records_are_small_and_keep_time_controls() -> None:
    pairing = replace(make_pairing(), time="3")
    data = encode_records([make_record(pairing)], 0.0)
    [record] = decode_records(Batch(1, (pairing,)), "7", data).matches.records()
    assert record.time_control == "3"
    records = play_here(make_job(), make_batch(100))
    moves = sum(len(record.moves) for record in records)
    assert len(encode_records(records, 0.0)) < 70 * 100 + 12 * moves


MATCH: list[Any] = [1.0, 2.0, "no_legal_move", 1, "", 77, [3], [0.5], None]


@loop_over(
    "matches, error",
    ([], "expected 1 matches, got 0"),
    ([MATCH, MATCH], "expected 1 matches, got 2"),
    ([[*MATCH[:2], "victory", *MATCH[3:]]], "Invalid enum value 'victory'"),
    ([[*MATCH[:3], 3, *MATCH[4:]]], "Expected `int` <= 2"),
    ([[*MATCH[:5], 2**63, *MATCH[6:]]], "Expected `int` <= 9223372036854775807"),
    ([[*MATCH[:7], [], None]], "1 moves have 0 times"),
    ([[*MATCH[:6], [2**63], [0.5], None]], "Expected `int` <= 9223372036854775807"),
    ([[*MATCH[:7], [nan], None]], "Expected `float`"),
    ([[*MATCH[:8], [None, inf, 0.0]]], "Expected `float`"),
    ([[*MATCH[:8], ["", 0.0, 0.0]]], "invalid literal for int"),
    ([[*MATCH, "x" * 4001]], "Expected `str` of length <= 4000"),
    ([MATCH[:8]], "of at least length 9, got 8"),
    (None, "Expected `array`, got `None`"),
)
def test_other_bytes_are_rejected(matches: Any, error: str) -> None:
    data = msgpack.encode([0.5, matches])
    with pytest.raises(ValueError, match=error):
        decode_records(make_batch(), "7", data)
