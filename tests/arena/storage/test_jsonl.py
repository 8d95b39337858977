"""JSON Lines: records are formatted, parsed and rejected."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import MatchRecord, PlayedMove
from arena.storage.jsonl import format_plan, format_record, parse
from tests.support.cases import loop_over
from tests.support.tournaments.matches import records
from tests.support.tournaments.records import make_record

RECORD = make_record(moves=(PlayedMove(0, 3, 0.5, 0.25, 0.25, 0.0),))


def changed(**fields: object) -> str:
    """Return the line of RECORD with some fields changed."""
    return json.dumps({**json.loads(format_record(RECORD)), **fields})


def parse_records(*lines: str) -> list[MatchRecord]:
    return [record for _, record in parse(lines)[1]]


def test_format_of_a_record() -> None:
    assert json.loads(format_record(RECORD)) == {
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
        "log": "",
        "tags": {},
        "infos": {},
    }


def test_records_without_the_field_casual_are_parsed() -> None:
    line = json.loads(format_record(RECORD))
    del line["casual"]
    assert parse_records(json.dumps(line)) == [RECORD]


@given(st.lists(records(), max_size=3))
def test_parsing_restores_records(several: Sequence[MatchRecord]) -> None:
    assert parse_records(*map(format_record, several)) == several


@given(st.text())
def test_parsing_restores_the_plan(plan: str) -> None:
    plan_read, records_read = parse([format_plan(plan), format_record(RECORD)])
    assert (plan_read, [*records_read]) == (plan, [(2, RECORD)])


def test_empty_texts_and_lines_have_no_records() -> None:
    plan, found = parse([])
    assert (plan, [*found]) == (None, [])
    assert [*parse(["\n", format_record(RECORD), " \r\n", format_record(RECORD)])[1]] == [
        (2, RECORD),
        (4, RECORD),
    ]


@loop_over(
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
        (changed(winner=3), "expected winner 1, 2 or null, got 3"),
        (changed(opening=[3]), "expected ply 1, got 0"),
        (changed(moves=[{"ply": 0}]), r"missing required field `move` - at `\$\.moves"),
        (changed(reason="\ud800"), "surrogate"),
        (changed(log=4001 * "x"), "the log has more than 4000 characters"),
        (changed(tags=["Id"]), r"Expected `object`, got `array` - at `\$\.tags`"),
        (changed(started_at=float("inf")), "JSON is malformed"),
        (format_plan("{}"), "unexpected plan: only the first line may be one"),
    ],
)
def test_errors_name_the_line(line: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^line 2: .*(?:{error})"):
        parse_records(format_record(RECORD), line)
