"""The smallest pieces of the notation of matches."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.storage.lexer import Tokens, quoted, seconds, time_of, time_text, unquoted, whole
from tests.support.matches import SECONDS


def tokens(*lines: str) -> list[tuple[int, str]]:
    found = Tokens(lines)
    return [(found.line, token) for token in iter(lambda: found.ahead and found.take(), "")]


# Numbers


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("-12", -12), ("007", 7)])
def test_whole_numbers(text: str, number: int) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("text", ["", "1.0", "+1", "1_0", " 1", "٣", "x", "1e3"])
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not a whole number"):
        whole(text)


@given(SECONDS)
def test_seconds_come_back(time: float) -> None:
    assert seconds(repr(time)) == time


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e999", "1_0", "0x1", ".5", "٣"])
def test_what_is_no_number_of_seconds(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number of seconds"):
        seconds(text)


# Times of day


@given(SECONDS | st.floats(0, 3e11))
def test_times_come_back(time: float) -> None:
    assert time_of(time_text(time)) == time


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0.0, "1970-01-01T00:00:00Z"),
        (1000.5, "1970-01-01T00:16:40.5Z"),
        (1763736277.1234567, "2025-11-21T14:44:37.1234567Z"),
        (1e-07, "1970-01-01T00:00:00.0000001Z"),
        (253402300799.0, "9999-12-31T23:59:59Z"),
        (253402300800.0, "253402300800.0"),
        (-0.5, "-0.5"),
    ],
)
def test_times_are_written_with_all_digits(time: float, text: str) -> None:
    assert (time_text(time), time_of(text)) == (text, time)


@pytest.mark.parametrize(
    "text", ["1969-12-31T23:59:59.5Z", "2025-11-21", "2025-11-21T14:44:37", "2025-13-01T00:00:00Z"]
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a number of seconds|month must be in 1\.\.12"):
        time_of(text)


# Texts


@given(st.text())
def test_texts_come_back(text: str) -> None:
    assert unquoted(quoted(text)) == text


@given(st.text())
def test_a_quoted_text_is_one_token_on_one_line(text: str) -> None:
    assert tokens(f"[{quoted(text)}]") == [(1, "["), (1, quoted(text)), (1, "]")]
    assert quoted(text).splitlines() == [quoted(text)]


def test_quotes_and_backslashes_are_escaped_as_in_pgn() -> None:
    assert quoted('a "b" \\') == r'"a \"b\" \\"'


def test_control_characters_are_escaped_as_in_json() -> None:
    assert quoted("\n\x00\x85") == r'"\u000a\u0000\u0085"'


@pytest.mark.parametrize("token", ['"\\x"', '"\\ud800"', '"\\u12"', '"\\n"'])
def test_other_escapes_are_refused(token: str) -> None:
    with pytest.raises(ValueError, match="is no escape, which are"):
        unquoted(token)


@pytest.mark.parametrize("token", ["x", '"'])
def test_a_text_needs_its_quotes(token: str) -> None:
    with pytest.raises(ValueError, match="a text in quotes is due, on one line, not"):
        unquoted(token)


# Tokens


def test_tokens_know_their_line() -> None:
    assert tokens('[A "b c"]\n', "\n", "1. 3{x}\r\n") == [
        *[(1, "["), (1, "A"), (1, '"b c"'), (1, "]")],
        *[(3, "1."), (3, "3"), (3, "{"), (3, "x"), (3, "}")],
    ]


def test_lines_that_begin_with_a_percent_sign_are_passed_over() -> None:
    assert tokens("%a", " b %c", "%") == [(2, "b"), (2, "%c")]


def test_behind_the_last_token_there_is_none() -> None:
    with pytest.raises(ValueError, match="the text ends within a match"):
        Tokens([""]).take()


def test_another_token_than_the_one_that_is_due() -> None:
    with pytest.raises(ValueError, match="a is due, not 'b'"):
        Tokens(["b"]).expect("a")


@pytest.mark.parametrize("text", ["1. 3", "1.3"])
def test_a_prefix_may_touch_what_follows(text: str) -> None:
    found = Tokens(["", text])
    found.expect_prefix("1.")
    assert (found.line, found.take()) == (2, "3")


@pytest.mark.parametrize("text", ["2.3", "1...3"])
def test_another_prefix_than_the_one_that_is_due(text: str) -> None:
    with pytest.raises(ValueError, match=f"1. is due, not '{re.escape(text)}'"):
        Tokens([text]).expect_prefix("1.")
