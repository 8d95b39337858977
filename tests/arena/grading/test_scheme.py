"""Marking scheme."""

import pytest

from arena.grading.scheme import parse_weights
from tests.support.cases import loop_over


def test_weights() -> None:
    assert parse_weights([]) == (1, 1, 1, 1, 1, 1)
    assert parse_weights(["value=2.5", "depth=0"]) == (1, 2.5, 1, 1, 0, 1)


@loop_over(
    "words, error",
    (["moves=1"], "'moves=1': unknown line 'moves' (choose from move, value, visited,"),
    (["move=x"], "'move=x': 'x' is not a number"),
    (["move=-1"], "'move=-1': a weight is at least 0"),
    (["move=nan"], "'move=nan': 'nan' is not a number"),
    (
        [f"{name}=0" for name in ("move", "value", "visited", "evaluated", "depth", "branching")],
        "all weights are 0",
    ),
)
def test_invalid_weights(words: list[str], error: str) -> None:
    with pytest.raises(ValueError, match=r"^") as raised:
        parse_weights(words)
    assert str(raised.value).startswith(error)
