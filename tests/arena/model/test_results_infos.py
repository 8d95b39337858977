"""Information with a move: what texts it can be read from."""

import pytest

from arena.model.results import MAX_VARIATION, NOTHING, Info, parse_info
from tests.support.cases import loop_over


def test_information_is_read_from_texts() -> None:
    fields: dict[str, str | list[str]] = {
        "evaluation": "-1.5",
        "depth": "6",
        "nodes": "1234",
        "pv": ["8", "4"],
    }
    assert parse_info(fields) == Info(-1.5, 6, 1234, (8, 4))
    assert parse_info({}) == NOTHING


@loop_over(
    "fields",
    {"evaluation": "inf"},
    {"evaluation": "nan"},
    {"evaluation": "1e10"},
    {"depth": "-1"},
    {"depth": "1.5"},
    {"nodes": str(2**63)},
    {"pv": [""]},
    {"pv": ["1"] * (MAX_VARIATION + 1)},
)
def test_invalid_information(fields: dict[str, str | list[str]]) -> None:
    with pytest.raises(ValueError, match="Expected"):
        parse_info(fields)
