"""Options of a command, declared as the fields of a dataclass."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from arena.options import InvalidOption, Options, argument, option, switch
from tests.support.cases import loop_over


def colours(words: tuple[str, ...]) -> dict[str, str]:
    """Return the colour of each layer."""
    if "layers" in words:
        raise ValueError("layers are no layer")
    for word in words:
        if "=" not in word:
            raise ValueError(f"{word} has no colour")
    return dict(word.split("=") for word in words)


@dataclass(frozen=True)
class Cake(Options):
    """Options of a command that bakes."""

    usage = "%(prog)s FLOUR"
    flour: str = argument("kind of flour")
    eggs: int = option("number of eggs (default: %(default)s)", default=2, least=1, most=9)
    hours: float | None = option("time in the oven", above=0)
    fruit: tuple[str, ...] = option("kinds of fruit", default=(), group="filling")
    layers: Mapping[str, str] = option("colours of layers", default={}, nargs="+", convert=colours)
    tin: Path | None = option("tin to use", environment="TIN", excludes="place")
    by_hand: bool = switch("use no tin", excludes="place")
    extras: Mapping[str, str | None] = option(
        "extras", each=lambda: {"nuts": "kind of nuts", "eggs": "taken"}, default={}
    )


@dataclass(frozen=True)
class SmallCake(Cake):
    """Options of a command that bakes less."""

    without = frozenset({"layers", "hours"})
    fruit: tuple[str, ...] = option("one kind of fruit", default=("apple",), group="filling")


@dataclass(frozen=True)
class Shelf(Options):
    """Options of a command with actions."""

    action: str = argument("what to do", actions={"add": "add a cake", "list": "list the cakes"})
    shelf: str = option("the shelf", required=True)
    cake: str | None = argument("the cake", required=False, not_for="list")


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors: `exit_on_error` has exceptions that differ by version."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def parser_of(kind: type[Options]) -> argparse.ArgumentParser:
    found = Parser(prog="bake")
    kind.add_to(found)
    return found


def baked(words: str, kind: type[Options] = Cake) -> Options:
    return kind.of(vars(parser_of(kind).parse_args(words.split())))


NO_EXTRAS: Any = {"extras": {"nuts": None}}


@loop_over(
    "words, expected",
    ("rye", Cake("rye", **NO_EXTRAS)),
    ("rye --eggs 3 --hours 0.5 --by-hand", Cake("rye", 3, 0.5, by_hand=True, **NO_EXTRAS)),
    ("rye --fruit a b --tin x", Cake("rye", fruit=("a", "b"), tin=Path("x"), **NO_EXTRAS)),
    ("rye --layers a=red b=blue", Cake("rye", layers={"a": "red", "b": "blue"}, **NO_EXTRAS)),
    ("rye --nuts cashew", Cake("rye", extras={"nuts": "cashew"})),
)
def test_arguments_are_the_fields(words: str, expected: Cake) -> None:
    assert baked(words) == expected


@loop_over(
    "words, error",
    ("rye --eggs 0", "--eggs must be at least 1, not 0"),
    ("rye --eggs 10", "--eggs must be at most 9, not 10"),
    ("rye --hours 0", "--hours must be above 0, not 0.0"),
    ("rye --layers cream", "--layers: cream has no colour"),
    ("rye --layers layers", "--layers are no layer"),
)
def test_a_value_that_breaks_the_rule(words: str, error: str) -> None:
    with pytest.raises(InvalidOption) as raised:
        baked(words)
    assert str(raised.value) == error


@loop_over(
    "words, error",
    ("rye --by-hand --tin x", "argument --tin: not allowed with argument --by-hand"),
    ("rye --eggs many", "argument --eggs: must be a whole number, not 'many'"),
    ("rye --eggs 1_0", "argument --eggs: must be a whole number, not '1_0'"),
    ("rye --hours nan", "argument --hours: must be a number, not 'nan'"),
    ("rye --eggs 3 --eggs 3", "argument --eggs: is given twice"),
    ("rye --fruit a --eggs 3 --fruit b", "argument --fruit: is given twice"),
    ("rye --nuts a --nuts b", "argument --nuts: is given twice"),
)
def test_words_that_argparse_refuses(words: str, error: str) -> None:
    with pytest.raises(ValueError, match=r"^argument ") as raised:
        baked(words)
    assert str(raised.value) == error


def test_the_environment_replaces_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIN", "round")
    assert baked("rye") == Cake("rye", tin=Path("round"), **NO_EXTRAS)
    assert baked("rye --tin x") == Cake("rye", tin=Path("x"), **NO_EXTRAS)


def test_the_help_has_usage_defaults_and_groups() -> None:
    text = parser_of(Cake).format_help()
    assert text.startswith("usage: bake FLOUR\n")
    assert "number of eggs (default: 2)" in text
    assert text.index("--nuts") < text.index("\nfilling:\n") < text.index("kinds of fruit")


def test_a_command_can_inherit_without_some_options() -> None:
    assert baked("rye", SmallCake) == SmallCake("rye", fruit=("apple",), **NO_EXTRAS)
    text = parser_of(SmallCake).format_help()
    assert "one kind of fruit" in text
    assert "--layers" not in text


def test_actions_share_options() -> None:
    assert baked("add tart --shelf top", Shelf) == Shelf("add", "top", "tart")
    assert baked("list --shelf top", Shelf) == Shelf("list", "top")
    with pytest.raises(ValueError, match=r"^unrecognized arguments: tart$"):
        baked("list tart --shelf top", Shelf)
