"""PGN-like text: records are formatted, parsed and rejected."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import (
    Fault,
    Info,
    MatchRecord,
    MatchResult,
    Termination,
)
from arena.storage.pgn import format_plan, format_record, parse
from tests.arena.storage.test_record import RECORD as VALID
from tests.support.cases import loop_over
from tests.support.tournaments.matches import records
from tests.support.tournaments.records import make_casual_pairing

PAIRING = replace(VALID.pairing, players=("anna", 'b "2"'))
RECORD = replace(VALID, pairing=PAIRING)
TEXT = r"""[Game "take_stones"]
[Setup "stones=20"]
[Number "12"]
[Id "17"]
[Player1 "anna"]
[Player2 "b \"2\""]
[Result "0-1"]
[Termination "illegal_move"]
[Reason "that is why"]
[TimeControl "5+0.05"]
[Started "2017-07-14T02:40:00Z"]
[Finished "2017-07-14T02:40:00.5Z"]
[Opening "3 6"]

1. 3 {opening}
1... 6 {opening}
2. 2 {elapsed 0.001 credit 0.0005 charged 0.0005 lag 0.0}
2... 4 {elapsed 0.25 credit 0.0 charged 0.25 lag 0.00001}
3. {fault 9 elapsed 1.5 credit 0.0 charged 1.5 lag 0.0}
0-1

"""


def parse_records(text: str) -> list[MatchRecord]:
    return [record for _, record in parse(text.splitlines(keepends=True))[1]]


def changed(old: str, new: str) -> str:
    """Return TEXT with one part replaced."""
    assert old in TEXT
    return TEXT.replace(old, new, 1)


# Writing


def test_format_of_a_record() -> None:
    assert format_record(RECORD) == TEXT
    text = format_record(replace(RECORD, pairing=make_casual_pairing(PAIRING)))
    assert text == changed('[Opening "3 6"]\n', '[Opening "3 6"]\n[Casual "yes"]\n')
    tags = {"b": "2", "Round": '3 "', "a": "1", "Event": "cup"}
    text = format_record(replace(RECORD, pairing=replace(PAIRING, tags=tags)))
    assert text == '[Event "cup"]\n[Round "3 \\""]\n[a "1"]\n[b "2"]\n' + TEXT
    text = format_record(replace(RECORD, fault=Fault(4, None, 5.1, 0.1, 5.0, 0.0)))
    assert "\n3. {fault - elapsed 5.1 credit 0.1 charged 5.0 lag 0.0}\n" in text
    text = format_record(replace(RECORD, pairing=replace(PAIRING, number=None, opening=())))
    assert not re.search(r"Number|Opening|opening", text)


@loop_over(
    ("termination", "result"), [(Termination.ABORTED, "*"), (Termination.GAME_OVER, "1/2-1/2")]
)
def test_results_without_a_winner(termination: Termination, result: str) -> None:
    text = format_record(replace(RECORD, result=MatchResult(termination, None, "so it is")))
    assert f'[Result "{result}"]' in text
    assert text.endswith(f"\n{result}\n\n")


# Parsing formatted text


@given(st.lists(records(), max_size=4))
def test_parsing_restores_records_in_their_order(several: Sequence[MatchRecord]) -> None:
    assert parse_records("".join(map(format_record, several))) == several


@loop_over("plan", ['{"a": [1, "b\\n"]}', "", " x "])
def test_parsing_restores_the_plan(plan: str) -> None:
    assert parse([format_plan(plan)])[0] == plan


def test_a_plan_is_one_line_before_the_records() -> None:
    assert format_plan('{"a":\n1}') == '%plan {"a": 1}\n'
    plan, found = parse([format_plan("{}"), *(TEXT + TEXT).splitlines()])
    assert (plan, [*found]) == ("{}", [(21, RECORD), (42, RECORD)])  # with their last lines
    plan, found = parse([])
    assert (plan, [*found]) == (None, [])


# Parsing edited text


@loop_over("space", ["\n", "  ", "\r\n", "\n%a comment\n", "\t"])
def test_any_space_between_tokens_is_allowed(space: str) -> None:
    words = re.findall(r'"(?:\\.|[^"\\])*"|[][{}]|[^][{}\s]+', TEXT)
    assert parse_records(space.join(words)) == [RECORD]


def test_space_and_the_order_of_tags_do_not_matter() -> None:
    text = re.sub(r'\s*(["\[\]{}]|[0-9]-[0-9])\s*(?!")', r"\1", TEXT.replace('b \\"2\\"', "b"))
    text = text.replace("1. 3", "1.3")
    assert parse_records(text) == [replace(RECORD, pairing=replace(PAIRING, players=("anna", "b")))]
    tag = '[Id "17"]\n'
    assert parse_records(tag + changed(tag, "")) == [RECORD]


# Errors


@loop_over(
    ("old", "new", "error"),
    [
        ("[Id", "Id", "line 3: missing tag Id"),
        ('[Game "take_stones"]', "x", "line 1: expected [, got 'x'"),
        ("Number", "Nu-mber", r"line 20: tag name 'Nu-mber' is not 1 to 64 letters, digits and _"),
        ("[Number", 33 * '[x "y"]' + "[Number", "line 3: duplicate tag x"),
        ("[Number", "".join(f'[x{k} "y"]' for k in range(33)) + "[Number", "line 20: expected at"),
        ("[Number", "".join(f'[x{k} "y"]' for k in range(99)) + "[Number", "line 3: expected at"),
        ("Player2", "Player1", "line 6: duplicate tag Player1"),
        ('"12"]', '"12"', "line 4: expected ], got '['"),
        ('"anna"', "anna", "line 5: tag Player1: expected a quoted text"),
        ('"anna"', '"anna', "line 5: tag Player1: expected a quoted text"),
        ('"12"', '"twelve"', "line 3: tag Number: expected an integer, got 'twelve'"),
        ("stones=20", "stones=", "line 2: tag Setup: expected an integer, got ''"),
        ("stones=20", "stones", "line 2: tag Setup: expected NAME=NUMBER, got 'stones'"),
        ("stones=20", "a=1 a=2", "line 2: tag Setup: duplicate parameter 'a'"),
        ("stones=20", "a-b=1", "line 20: invalid parameter name 'a-b' in the setup"),
        ('"0-1"', '"1/2"', "line 7: tag Result: unknown result '1/2' (choose from 1-0, 0-1, 1/2-"),
        ('"0-1"', '"*"', "line 19: unexpected result * of a match with termination illegal_move"),
        (
            "illegal_move",
            "boredom",
            "line 8: tag Termination: unknown termination 'boredom' (choose",
        ),
        ("2017-07-14T02:40:00Z", "today", "line 11: tag Started: expected a number of seconds"),
        ("3 6", "3 x", "line 13: tag Opening: expected an integer, got 'x'"),
        ("[Opening", '[Casual "no"]\n[Opening', "line 13: tag Casual: expected yes, got 'no'"),
        ("1. 3 {opening}", "", "line 16: expected 1., got '1...'"),
        ("1. 3", "1. 5", "line 15: expected 3, as in tag Opening, got '5'"),
        ("6 {opening}", "6 {a b}", "line 16: expected {opening}, got {a b}"),
        ("2. 2", "4. 2", "line 17: expected 2., got '4.'"),
        ("2. 2", "2. two", "line 17: expected an integer, got 'two'"),
        ("credit 0.0005", "credit much", "line 17: expected a number of seconds, got 'much'"),
        (" lag 0.0}", "}", "line 17: expected elapsed SECONDS credit SECONDS"),
        ("lag 0.00001}", "lag 0 x}", "line 18: expected elapsed SECONDS credit SECONDS"),
        ("{fault", "{flaw", "line 19: expected a move or {fault MOVE elapsed ...}, got {flaw 9"),
        (
            "{fault 9 elapsed 1.5 credit 0.0 charged 1.5 lag 0.0}",
            "{}",
            "expected a move or {fault MOVE elapsed ...}, got {}",
        ),
        ("fault 9", "fault nine", "line 19: expected an integer, got 'nine'"),
        ("\n0-1", "\n1-0", "line 20: expected 0-1, as in tag Result, got '1-0'"),
        ("\n0-1", "\n3... 5", "line 20: expected 0-1, as in tag Result, got '3...'"),
        ("\n0-1", "", "line 19: unexpected end of the text within a match"),
        ("\n0-1", "\n0-1 0-1", "line 20: expected [, got '0-1'"),
    ],
)
def test_errors_name_the_line(old: str, new: str, error: str) -> None:
    with pytest.raises(ValueError, match=r"^line \d+: ") as raised:
        parse_records(changed(old, new))
    assert error in str(raised.value)


def is_rejected(text: str) -> bool:
    try:
        parse_records(text)
    except ValueError:
        return True
    return False


def test_an_incomplete_record_is_rejected() -> None:
    assert all(is_rejected(TEXT[:end]) for end in range(1, TEXT.rindex("1")))


TIMES = "{elapsed 0.25 credit 0.0 charged 0.25 lag 0.00001"


def with_info(*commands: str) -> str:
    """Return the text of a record with words behind the times of its second move."""
    return TEXT.replace(TIMES, " ".join([TIMES, *commands]))


def test_information_follows_the_times() -> None:
    record = replace(RECORD, infos={3: Info(1.5, 6, 1234, (8, 4))})
    text = with_info("[%eval 1.5]", "[%depth 6]", "[%nodes 1234]", "[%pv 8,4]")
    assert format_record(record) == text
    assert parse_records(text) == [record]
    assert format_record(replace(RECORD, infos={3: Info(nodes=7)})) == with_info("[%nodes 7]")


@loop_over(
    ("command", "error"),
    [
        ("[%eval]", "expected [%eval ...] [%depth ...] [%nodes ...] [%pv ...] after the times"),
        ("[%clk 5]", "after the times, got '[ %clk 5 ]'"),
        ("[%eval 1 ]x", "after the times, got 'x'"),
        ("[%depth 1] [%depth 2]", "duplicate command %depth"),
        ("[%depth x]", "Expected `int | null`, got `str` - at `$.depth`"),
        ("[%eval null]", "the info at ply 3 is empty"),
    ],
)
def test_invalid_information_is_an_error(command: str, error: str) -> None:
    _, parsed = parse(with_info(command).splitlines())
    with pytest.raises(ValueError, match=re.escape(error)):
        next(parsed)
