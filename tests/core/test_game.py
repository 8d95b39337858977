"""What core.game says of an illegal move."""

import pickle

import pytest

from core.game import IllegalMove

ERROR = IllegalMove(move=4, number=3, rule="stone 4 has already been taken")


def test_it_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="stone 4"):
        raise ERROR


def test_it_tells_the_place_in_the_game_and_the_rule() -> None:
    assert str(ERROR) == "illegal move 3: stone 4 has already been taken"


def test_it_keeps_the_facts() -> None:
    assert (ERROR.move, ERROR.number, ERROR.rule) == (4, 3, "stone 4 has already been taken")


def test_it_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(ERROR))
    assert (type(again), again.__dict__) == (IllegalMove, ERROR.__dict__)
