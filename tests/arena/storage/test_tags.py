"""Further tags of records: their rules and their order."""

import re

import pytest
from hypothesis import given

from arena.storage.pgn import TAG_PARSERS
from arena.storage.record import RECORD_TAGS, check_tag, check_tags, ordered_tags
from tests.support.cases import loop_over
from tests.support.tournaments.matches import TAGS


def test_the_tags_of_a_record_are_those_of_the_format() -> None:
    assert [*TAG_PARSERS] == [*RECORD_TAGS]


@given(TAGS)
def test_valid_tags_are_accepted_and_none_is_lost_in_order(tags: dict[str, str]) -> None:
    check_tags(tags)
    assert dict(ordered_tags(tags)) == tags


def test_the_order_of_tags() -> None:
    tags = dict.fromkeys(["b", "Site", "White", "Event", "Round"], "")
    assert [name for name, _ in ordered_tags(tags)] == ["Event", "Site", "Round", "White", "b"]


@loop_over(
    ("name", "value", "error"),
    [
        ("", "x", "tag name '' is not 1 to 64 letters, digits and _"),
        ("Évent", "x", "tag name 'Évent' is not 1 to 64"),
        ("a b", "x", "tag name 'a b' is not 1 to 64"),
        ("x" * 65, "x", f"tag name '{'x' * 65}' is not 1 to 64"),
        ("Id", "x", "tag Id is a field of the record, not a further tag"),
        ("Event", "x" * 1001, "tag Event has 1001 characters (at most 1000)"),
        ("Event", "a\x1bb", r"tag Event contains the control character '\x1b'"),
        ("Event", "a\u2028", r"tag Event contains the control character '\u2028'"),
        ("Event", "\ud800", r"tag Event contains the control character '\ud800'"),
    ],
)
def test_invalid_tags_are_rejected(name: str, value: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(error)}"):
        check_tag(name, value)


def test_the_number_of_tags_is_limited() -> None:
    check_tags({f"tag{number}": "" for number in range(32)})
    with pytest.raises(ValueError, match="expected at most 32 further tags, got 33"):
        check_tags({f"tag{number}": "" for number in range(33)})
