"""Reports of the conformance test quote bots in printable ASCII."""

from hypothesis import given
from hypothesis import strategies as st

from arena.conformance.steps import MAX_QUOTED, CheckFailed, printable


@given(st.text() | st.binary())
def test_a_quoted_message_is_printable_and_short(data: str | bytes) -> None:
    text = printable(data)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) <= 10 * MAX_QUOTED + 6


def test_a_failure_names_what_was_expected_and_what_was_received() -> None:
    assert str(CheckFailed("a move", "a resignation")) == "expected a move, got a resignation"
