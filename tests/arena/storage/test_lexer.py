"""Lexer of the PGN-like format."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.storage.pgn import TokenStream, quote, unquote
from tests.support.cases import loop_over


def tokens(*lines: str) -> list[tuple[int, str]]:
    found = TokenStream(lines)
    return [(found.line, token) for token in iter(lambda: found.next_token and found.take(), "")]


# Texts


@given(st.text())
def test_unquoting_restores_a_text(text: str) -> None:
    assert unquote(quote(text)) == text


@given(st.text())
@example("\x85\u2028\u2029")
def test_a_quoted_text_is_one_token_on_one_line(text: str) -> None:
    assert tokens(f"[{quote(text)}]") == [(1, "["), (1, quote(text)), (1, "]")]
    assert quote(text).splitlines() == [quote(text)]


def test_quotes_are_escaped_as_in_pgn_and_control_characters_as_in_json() -> None:
    assert quote('a "b" \\') == r'"a \"b\" \\"'
    assert quote("\n\x00\x85") == r'"\u000a\u0000\u0085"'


@loop_over(
    ("token", "error"),
    [
        *((token, "invalid escape") for token in ('"\\x"', '"\\ud800"', '"\\u12"', '"\\n"')),
        *((token, "expected a quoted text on one line, got") for token in ("x", '"')),
    ],
)
def test_texts_without_quotes_or_with_other_escapes_are_rejected(token: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        unquote(token)


# Tokens


def test_tokens_have_lines_and_may_be_unexpected() -> None:
    assert tokens('[A "b c"]\n', "\n", "1. 3{x}\r\n") == [
        *[(1, "["), (1, "A"), (1, '"b c"'), (1, "]")],
        *[(3, "1."), (3, "3"), (3, "{"), (3, "x"), (3, "}")],
    ]
    assert tokens("%a", " b %c", "%") == [(2, "b"), (2, "%c")]
    with pytest.raises(ValueError, match="unexpected end of the text within a match"):
        TokenStream([""]).take()
    with pytest.raises(ValueError, match="expected a, got 'b'"):
        TokenStream(["b"]).expect("a")


@loop_over("text", ["1. 3", "1.3"])
def test_a_prefix_needs_no_space_after_it(text: str) -> None:
    found = TokenStream(["", text])
    found.expect_prefix("1.")
    assert (found.line, found.take()) == (2, "3")


@loop_over("text", ["2.3", "1...3"])
def test_an_unexpected_prefix_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=f"expected 1., got '{re.escape(text)}'"):
        TokenStream([text]).expect_prefix("1.")
