"""Records as lines of JSON."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import MatchRecord, PlayedMove
from arena.storage.jsonl import read, write, write_plan
from tests.support.matches import records
from tests.support.records import a_record

RECORD = a_record(moves=(PlayedMove(0, 3, 0.5, 0.25, 0.25, 0.0),))


def changed(**fields: object) -> str:
    """The line of the record with other fields."""
    return json.dumps({**json.loads(write(RECORD)), **fields})


def parsed(*lines: str) -> list[MatchRecord]:
    return [record for _, record in read(lines)[1]]


def test_a_record_is_written_like_this() -> None:
    assert json.loads(write(RECORD)) == {
        "type": "match",
        "id": 1,
        "number": 1,
        "game": "take_stones",
        "setup": {"stones": 7},
        "player1": "anna",
        "player2": "bert",
        "winner": 1,
        "termination": "no_legal_move",
        "reason": "that is why",
        "time_control": "5+0.05",
        "started_at": 1000.5,
        "finished_at": 1002.25,
        "opening": [],
        "moves": [
            {"ply": 0, "move": 3, "elapsed": 0.5, "credit": 0.25, "charged": 0.25, "lag": 0.0}
        ],
        "fault": None,
        "casual": False,
    }


def test_what_was_written_before_there_were_casual_matches() -> None:
    line = json.loads(write(RECORD))
    del line["casual"]
    assert parsed(json.dumps(line)) == [RECORD]


@given(st.lists(records(), max_size=3))
def test_records_come_back(several: Sequence[MatchRecord]) -> None:
    assert parsed(*map(write, several)) == several


@given(st.text())
def test_a_plan_comes_back(plan: str) -> None:
    found, rest = read([write_plan(plan), write(RECORD)])
    assert (found, [*rest]) == (plan, [(2, RECORD)])


def test_an_empty_text() -> None:
    plan, rest = read([])
    assert (plan, [*rest]) == (None, [])


def test_empty_lines_are_passed_over() -> None:
    assert [*read(["\n", write(RECORD), " \r\n", write(RECORD)])[1]] == [(2, RECORD), (4, RECORD)]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "Input data was truncated"),
        ('{"a": ' + "[" * 100_000, "recursion"),
        ("[]", "Expected `object`, got `array`"),
        ('{"type": "game"}', r"Invalid value 'game' - at `\$\.type`"),
        ('{"type": "match"}', "Object missing required field `id`"),
        (changed(round=1), "Object contains unknown field `round`"),
        (changed(id="1"), r"Expected `int`, got `str` - at `\$\.id`"),
        (changed(id=2**63), "9223372036854775808 has more than 64 bits"),
        (changed(termination="boredom"), "Invalid enum value 'boredom'"),
        (changed(casual="yes"), r"Expected `bool`, got `str` - at `\$\.casual`"),
        (changed(winner=3), "winner 3 is none of 1, 2, null"),
        (changed(winner=None), "an aborted match, and no other, is without a winner"),
        (changed(opening=[3]), "ply 0 stands where ply 1 is due"),
        (changed(moves=[{"ply": 0}]), r"missing required field `move` - at `\$\.moves"),
        (changed(setup={"a b": 1}), "'a b' in the setup is no name of a parameter"),
        (changed(reason="\ud800"), "surrogate"),
        (changed(started_at=float("inf")), "JSON is malformed"),
        (write_plan("{}"), "a plan stands before all matches"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^line 2: .*(?:{error})"):
        parsed(write(RECORD), line)
