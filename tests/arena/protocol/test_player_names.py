"""Names of players: printable, visible, and with one spelling."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.player import (
    INVISIBLE,
    check_characters,
    check_name,
    closest_name,
    name_problem,
)
from tests.support.cases import loop_over

PRINTABLE = "expected printable characters without surrounding spaces"


@loop_over(
    "name",
    ["Ann", "spec:4", "a b", "é", "Łódź", "石", "ア", "각", "नमस्ते", "שלום", "🙂", "x\u0325\u0323"],
)
def test_visible_names_are_valid(name: str) -> None:
    check_name(name)


@loop_over(
    "name",
    " Ann",
    "Ann ",
    "a\nb",
    "\x1b[2J",
    "a\u00a0b",
    "a\u200bb",
    "\u202eAnn",
    "Ann\ufeff",
    "\ue000",
    "\udcff",
)
def test_characters_that_are_not_printable_are_refused(name: str) -> None:
    for check in (check_characters, check_name):
        with pytest.raises(ValueError, match=PRINTABLE):
            check(name)


@loop_over("character", ["\u034f", "\u115f", "\u3164", "\uffa0", "\u2800", "\ufe0f"])
@loop_over("name", ["{}", "Ann{}", "A{}nn"])
def test_invisible_characters_are_refused(name: str, character: str) -> None:
    rule = rf"^the name has an invisible character, U\+{ord(character):04X}$"
    with pytest.raises(ValueError, match=rule):
        check_name(name.format(character))


def test_invisible_characters_would_be_printable() -> None:
    assert all(character.isprintable() for character in INVISIBLE)


@loop_over(
    "name, normal",
    ("e\u0301", "é"),
    ("\uff21nn", "Ann"),
    ("ｱ", "ア"),
    ("ﬁsh", "fish"),
    ("x²", "x2"),
    ("\u212b", "\u00c5"),
    ("ไทยน\u0e33", "ไทยน\u0e4d\u0e32"),
)
def test_another_spelling_is_refused_with_the_normal_form(name: str, normal: str) -> None:
    check_name(normal)
    rule = f"the name {name!a} is not in the normal form NFKC: use {normal!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(rule)}$"):
        check_name(name)


@loop_over("name", ["\u0301", "\u0301x", "a \u0301x", "\u20dd", "\u0903"])
def test_a_combining_mark_needs_a_letter(name: str) -> None:
    with pytest.raises(ValueError, match=r"^the combining mark U\+[0-9A-F]{4} follows no letter$"):
        check_name(name)


def test_an_emoji_of_several_parts_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"^the name has a joiner \(U\+200D\)"):
        check_name("\U0001f469\u200d\U0001f4bb")


@loop_over(
    "name, closest",
    (" Ann\n", "Ann"),
    ("\uff21nn", "Ann"),
    ("\u2764\ufe0f", "\u2764"),
    ("\U0001f469\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
    ("\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f3f3\U0001f308"),
    ("\U0001f1e9\U0001f1ea", "\U0001f1e9\U0001f1ea"),
    ("\U0001f44b\U0001f3fd", "\U0001f44b\U0001f3fd"),
    ("\U0001f469\u200d \u200d", "\U0001f469"),
    ("e\u0323\u0302" * 42 + "  ", "\u1ec7" * 42),  # 128 characters
)
def test_the_closest_spelling_is_valid(name: str, closest: str) -> None:
    assert closest_name(name) == closest
    assert name_problem(closest) is None


@loop_over(
    "name, problem",
    ("", "expected 1 to 64 characters, got 0"),
    ("x" * 65, "expected 1 to 64 characters, got 65"),
    ("Ann\u2800", "the name has an invisible character, U+2800"),
)
def test_problems_are_named(name: str, problem: str) -> None:
    assert name_problem(name) == problem


@given(st.text(st.characters(max_codepoint=sys.maxunicode), min_size=1, max_size=8))
def test_valid_names_that_look_equal_are_equal(name: str) -> None:
    try:
        check_name(name)
    except ValueError:
        return
    assert unicodedata.normalize("NFKC", name) == name
    assert name.isprintable()
    assert not INVISIBLE.intersection(name)


def test_a_spelling_that_is_much_too_long_is_not_normalised() -> None:
    name = "e\u0323\u0302" * 43
    assert closest_name(name) == name
    assert name_problem(name) == "expected 1 to 64 characters, got 129"
