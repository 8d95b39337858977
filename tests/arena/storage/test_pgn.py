"""Records as text in the manner of PGN."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.storage.pgn import check, read, turns, write, write_plan
from tests.support.matches import records
from tests.support.records import a_casual

PAIRING = Pairing(12, ("anna", 'b "2"'), "take_stones", {"stones": 20}, (3, 6))
MOVES = (PlayedMove(2, 2, 0.001, 0.0005, 0.0005, 0.0), PlayedMove(3, 4, 0.25, 0.0, 0.25, 1e-05))
RESULT = MatchResult(Termination.ILLEGAL_MOVE, 2, "that is why")
RECORD = MatchRecord(
    17, PAIRING, "5+0.05", 1.5e9, 1.5e9 + 0.5, RESULT, MOVES, Fault(4, 9, 1.5, 0.0, 1.5, 0.0)
)
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
2... 4 {elapsed 0.25 credit 0.0 charged 0.25 lag 1e-05}
3. {fault 9 elapsed 1.5 credit 0.0 charged 1.5 lag 0.0}
0-1

"""


def parsed(text: str) -> list[MatchRecord]:
    return [record for _, record in read(text.splitlines(keepends=True))[1]]


def changed(old: str, new: str) -> str:
    """The text with something changed in it."""
    assert old in TEXT
    return TEXT.replace(old, new, 1)


# Writing


def test_a_record_is_written_like_this() -> None:
    assert write(RECORD) == TEXT


def test_what_is_not_there_has_no_tag() -> None:
    text = write(replace(RECORD, pairing=replace(PAIRING, number=None, opening=())))
    assert not re.search(r"Number|Opening|opening", text)


def test_what_counts_has_no_tag_for_that() -> None:
    assert "Casual" not in TEXT


def test_a_casual_match_has_a_tag() -> None:
    text = write(replace(RECORD, pairing=a_casual(PAIRING)))
    assert text == changed('[Opening "3 6"]\n', '[Opening "3 6"]\n[Casual "yes"]\n')


def test_no_answer_is_a_dash() -> None:
    text = write(replace(RECORD, fault=Fault(4, None, 5.1, 0.1, 5.0, 0.0)))
    assert "\n3. {fault - elapsed 5.1 credit 0.1 charged 5.0 lag 0.0}\n" in text


def test_an_aborted_match_has_a_star() -> None:
    text = write(replace(RECORD, result=MatchResult(Termination.ABORTED, None, "stopped")))
    assert '[Result "*"]' in text
    assert text.endswith("\n*\n\n")


def test_turns_are_moves_and_the_fault() -> None:
    assert [turn.ply for turn in turns(RECORD)] == [2, 3, 4]


# Reading what was written


@given(records())
def test_a_record_comes_back(record: MatchRecord) -> None:
    assert parsed(write(record)) == [record]


@given(st.lists(records(), max_size=4))
def test_records_come_back_in_their_order(several: Sequence[MatchRecord]) -> None:
    assert parsed("".join(map(write, several))) == several


def test_records_know_their_last_lines() -> None:
    assert [line for line, _ in read((TEXT + TEXT).splitlines())[1]] == [20, 41]


@pytest.mark.parametrize("plan", ['{"a": [1, "b\\n"]}', "", " x "])
def test_a_plan_comes_back(plan: str) -> None:
    assert read([write_plan(plan)])[0] == plan


def test_a_plan_is_one_line() -> None:
    assert write_plan('{"a":\n1}') == '%plan {"a": 1}\n'


def test_a_plan_stands_before_the_records() -> None:
    plan, rest = read([write_plan("{}"), *TEXT.splitlines()])
    assert (plan, [*rest]) == ("{}", [(21, RECORD)])


def test_an_empty_text() -> None:
    plan, rest = read([])
    assert (plan, [*rest]) == (None, [])


# Reading what a hand has changed


@pytest.mark.parametrize("space", ["\n", "  ", "\r\n", "\n%a comment\n", "\t"])
def test_space_between_tokens_does_not_matter(space: str) -> None:
    words = re.findall(r'"(?:\\.|[^"\\])*"|[][{}]|[^][{}\s]+', TEXT)
    assert parsed(space.join(words)) == [RECORD]


def test_no_space_where_none_is_needed() -> None:
    text = re.sub(r'\s*(["\[\]{}]|[0-9]-[0-9])\s*(?!")', r"\1", TEXT.replace('b \\"2\\"', "b"))
    text = text.replace("1. 3", "1.3")
    assert parsed(text) == [replace(RECORD, pairing=replace(PAIRING, players=("anna", "b")))]


def test_the_order_of_tags_does_not_matter() -> None:
    tag = '[Id "17"]\n'
    assert parsed(tag + changed(tag, "")) == [RECORD]


# What is refused


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("[Id", "Id", "line 3: tag Id is missing"),
        ('[Game "take_stones"]', "x", "line 1: [ is due, not 'x'"),
        ("Number", "Round", "line 3: there is no tag 'Round'"),
        ("Player2", "Player1", "line 6: tag Player1 is there twice"),
        ('[Player2 "b \\"2\\""]', "", "line 13: tag Player2 is missing"),
        ('"12"]', '"12"', "line 4: ] is due, not '['"),
        ('"anna"', "anna", "line 5: tag Player1: a text in quotes is due"),
        ('"anna"', '"anna', "line 5: tag Player1: a text in quotes is due"),
        ('"12"', '"twelve"', "line 3: tag Number: 'twelve' is not a whole number"),
        ('"17"', '"9223372036854775808"', "line 20: 9223372036854775808 has more than 64 bits"),
        ("stones=20", "stones=", "line 2: tag Setup: '' is not a whole number"),
        ("stones=20", "stones", "line 2: tag Setup: 'stones' is not NAME=NUMBER"),
        ("stones=20", "a=1 a=2", "line 2: tag Setup: 'a=2' is not NAME=NUMBER"),
        ("stones=20", "a-b=1", "line 20: 'a-b' in the setup is no name of a parameter"),
        ('"0-1"', '"1/2"', "line 7: tag Result: '1/2' is none of 1-0, 0-1, *"),
        ("illegal_move", "boredom", "line 8: tag Termination: 'boredom' is none of no_legal"),
        ("2017-07-14T02:40:00Z", "today", "line 11: tag Started: 'today' is not a number"),
        ("3 6", "3 x", "line 13: tag Opening: 'x' is not a whole number"),
        ("[Opening", '[Casual "no"]\n[Opening', "line 13: tag Casual: 'no' is not yes"),
        ("1. 3 {opening}", "", "line 16: 1. is due, not '1...'"),
        ("1. 3", "1. 5", "line 15: 3 is due, as in tag Opening, not '5'"),
        ("6 {opening}", "6 {a b}", "line 16: {opening} is due, not {a b}"),
        ("2. 2", "4. 2", "line 17: 2. is due, not '4.'"),
        ("2. 2", "2. two", "line 17: 'two' is not a whole number"),
        ("credit 0.0005", "credit much", "line 17: 'much' is not a number of seconds"),
        (" lag 0.0}", "}", "line 17: elapsed SECONDS credit SECONDS"),
        ("lag 1e-05}", "lag 0 x}", "line 18: elapsed SECONDS credit SECONDS"),
        ("{fault", "{flaw", "line 19: a move or {fault MOVE elapsed ...} is due, not {flaw 9"),
        ("{fault 9 elapsed 1.5 credit 0.0 charged 1.5 lag 0.0}", "{}", "is due, not {}"),
        ("fault 9", "fault nine", "line 19: 'nine' is not a whole number"),
        ("\n0-1", "\n1-0", "line 20: 0-1 is due, as in the tag, not '1-0'"),
        ("\n0-1", "\n3... 5", "line 20: 0-1 is due, as in the tag, not '3...'"),
        ("\n0-1", "", "line 19: the text ends within a match"),
        ("\n0-1", "\n0-1 0-1", "line 20: [ is due, not '0-1'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, error: str) -> None:
    with pytest.raises(ValueError, match=r"^line \d+: ") as raised:
        parsed(changed(old, new))
    assert error in str(raised.value)


def refused(text: str) -> bool:
    try:
        parsed(text)
    except ValueError:
        return True
    return False


def test_half_a_record_is_none() -> None:
    assert all(refused(TEXT[:end]) for end in range(1, TEXT.rindex("1")))


# What no match can have been like


@pytest.mark.parametrize("ply", [0, 3, 5])
def test_a_move_in_the_wrong_place(ply: int) -> None:
    with pytest.raises(ValueError, match=f"ply {ply} stands where ply 2 is due"):
        check(replace(RECORD, moves=(replace(MOVES[0], ply=ply),)))


def test_a_fault_in_the_wrong_place() -> None:
    with pytest.raises(ValueError, match="ply 4 stands where ply 2 is due"):
        check(replace(RECORD, moves=()))


@pytest.mark.parametrize(
    ("termination", "winner"), [(Termination.ABORTED, 1), (Termination.TIMEOUT, None)]
)
def test_who_wins_an_aborted_match(termination: Termination, winner: int | None) -> None:
    with pytest.raises(ValueError, match="an aborted match, and no other, is without a winner"):
        check(replace(RECORD, result=MatchResult(termination, winner, "")))
