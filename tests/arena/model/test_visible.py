"""Text from outside that is safe on a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from arena.model.visible import printable, visible, visible_lines, visible_output
from tests.support.cases import loop_over


@loop_over("text", ["", "spec:8", "Zoë", "小 猫", "a\\b"])
def test_printable_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@loop_over(
    "text, expected",
    ("\x1b[2J", r"\x1b[2J"),
    ("a\nb", r"a\nb"),
    ("\0", r"\x00"),
    ("\x9b31m", r"\x9b31m"),
    ("\u202eevil", r"\u202eevil"),
    ("\ud800", r"\ud800"),
)
def test_other_characters_are_escapes(text: str, expected: str) -> None:
    assert visible(text) == expected


@given(st.text(st.characters()))
def test_any_text_becomes_printable(text: str) -> None:
    assert visible(text).isprintable()


def test_lines_and_outputs_keep_their_layout() -> None:
    assert visible_lines("one\ntwo\x1b\r\n") == "one\ntwo\\x1b\\r\n"
    assert visible_output("a\tb\x1b\r\nc\x9b\n") == "a       b\\x1b\nc\\x9b\n"


@loop_over(("text", "expected"), [("Zoë", "Zoë"), ("a\nb", "a?b"), ("\x1b[2J", "?[2J")])
def test_other_characters_are_question_marks(text: str, expected: str) -> None:
    assert printable(text) == expected
