"""The arguments of the arena's command line; what is refused is tested with the program."""

import pytest

from arena.arguments import Refused, check_numbers, named, parser, setups_of, time_control
from core import GAMES


def test_a_tournament_has_defaults_for_everything() -> None:
    arguments = parser().parse_args(["tournament"])
    check_numbers(arguments)
    assert len([*named(arguments.bots)]) == 5
    assert (arguments.game, str(time_control(arguments))) == ("take_stones", "5+0.05")


def test_serving_has_all_games_by_default() -> None:
    assert parser().parse_args(["serve"]).game == [*GAMES]


def test_bots_of_a_kind_are_numbered() -> None:
    names = [name for name, _ in named(["greedy", "random", "greedy", "external:x", "greedy"])]
    assert names == ["greedy", "random", "greedy#2", "x", "greedy#3"]


def test_names_that_clash_are_refused() -> None:
    with pytest.raises(Refused, match="two bots are named greedy#2"):
        dict(named(["greedy", "greedy", "external:greedy#2"]))


def test_setups_are_what_is_usual() -> None:
    arguments = parser().parse_args(["serve"])
    assert setups_of(["take_stones", "isolation"], arguments) == {
        "take_stones": ({"stones": 20}, {"stones": 30}, {"stones": 50}),
        "isolation": ({},),
    }


def test_setups_are_what_is_given() -> None:
    arguments = parser().parse_args(["serve", "--stones", "7", "9"])
    setups = setups_of(["take_stones"], arguments)
    assert setups == {"take_stones": ({"stones": 7}, {"stones": 9})}
