"""Names of games with parameters."""

import re

import pytest

from arena.integrations.openspiel_family import Value, join_name, parse_parameters, split_name
from tests.support.cases import loop_over

USUAL: dict[str, Value] = {"komi": 7.5, "rows": 6, "handicap": 0, "piles": "1;3", "swap": False}


@loop_over(
    "text, name, parameters",
    ("hex", "hex", {}),
    ("hex()", "hex", {}),
    ("hex(swap=True,rows=3)", "hex", {"swap": "True", "rows": "3"}),
    ("hex( rows = 3 , swap = True )", "hex", {"rows": "3", "swap": "True"}),
    ("hex(=)", "hex", {"": ""}),
)
def test_parts_of_a_name(text: str, name: str, parameters: dict[str, str]) -> None:
    assert split_name(text) == (name, parameters)


@loop_over(
    "text, error",
    ("", "expected NAME or NAME(PARAMETER=VALUE,...)"),
    ("hex(rows=3", "expected NAME or NAME(PARAMETER=VALUE,...)"),
    ("(rows=3)", "expected NAME or NAME(PARAMETER=VALUE,...)"),
    ("hex(rows)", "expected PARAMETER=VALUE, got 'rows'"),
    ("hex(rows=3,rows=4)", "repeated parameter 'rows'"),
)
def test_no_name_of_a_game(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(error)}$"):
        split_name(text)


def test_parameters_have_the_kinds_and_an_order_of_their_own() -> None:
    written = {"swap": "true", "rows": "3", "piles": "2;2", "komi": "6", "handicap": "0"}
    parsed = parse_parameters(written, USUAL)
    assert parsed == {"handicap": 0, "komi": 6.0, "piles": "2;2", "rows": 3, "swap": True}
    name = join_name("hex", parsed)
    assert name == "hex(handicap=0,komi=6.0,piles=2;2,rows=3,swap=True)"
    assert parse_parameters(split_name(name)[1], USUAL) == parsed
    assert join_name("hex", {}) == "hex"


@loop_over(
    "name, text, error",
    (
        "rowz",
        "1",
        "unknown parameter 'rowz' (parameters: handicap=0, komi=7.5, piles=1;3, rows=6,"
        " swap=False)",
    ),
    ("rows", "0", "parameter rows: expected a whole number from 1 to 2000, got '0'"),
    ("rows", "2001", "parameter rows: expected a whole number from 1 to 2000, got '2001'"),
    ("rows", "3.0", "parameter rows: expected a whole number from 1 to 2000, got '3.0'"),
    ("handicap", "-1", "parameter handicap: expected a whole number from 0 to 2000, got '-1'"),
    ("komi", "x", "parameter komi: expected a number, got 'x'"),
    ("komi", "inf", "parameter komi: expected a number, got 'inf'"),
    ("swap", "1", "parameter swap: expected True or False, got '1'"),
    ("piles", "1;-3", "parameter piles: expected letters, digits or any of _.:;, got '1;-3'"),
)
def test_invalid_parameters(name: str, text: str, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(error)}$"):
        parse_parameters({name: text}, USUAL)


def test_a_game_without_parameters() -> None:
    with pytest.raises(ValueError, match=r"^unknown parameter 'rows' \(parameters: none\)$"):
        parse_parameters({"rows": "3"}, {})
