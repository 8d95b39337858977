"""Flags of all commands, and their help texts."""

import argparse
from collections.abc import Iterator

import pytest

from arena.cli.parser import parser
from core import GAMES
from core.registry import RESERVED
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM


def actions(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the documented arguments of a command and of its subcommands."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action.choices.values():
                yield from actions(choice)
        elif action.help != argparse.SUPPRESS:
            yield action


@loop_over("action", [*actions(parser())])
def test_help_can_be_read_without_the_flag(action: argparse.Action) -> None:
    assert action.help
    assert action.help[0].isalpha()
    assert not action.help.startswith(("of ", "to ", "when ", "where "))
    assert not action.help.endswith(".")


def test_the_meaning_of_a_parameter_may_contain_a_percent_sign(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heap = NIM.parameters["heap"]._replace(meaning="fill in % of 9")
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(parameters={"heap": heap}))
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["serve", "--help"])
    assert not ended.value.code
    assert "fill in % of 9: numbers or ranges" in " ".join(capsys.readouterr().out.split())


def test_the_names_of_flags_are_reserved() -> None:
    words = ["--bots", "random", "greedy"]
    names = {*vars(parser().parse_args(["tournament", *words]))}
    names |= {*vars(parser().parse_args(["serve"])), *vars(parser().parse_args(["sweep"]))}
    environments = {"folder", "opponent", "player", "render_mode"}  # of arena.integrations
    parameters = {name for game in GAMES.values() for name in game.parameters}
    assert {"h", "help", "moves", *names, *environments} - parameters == RESERVED


def test_a_flag_has_one_meaning_in_all_commands() -> None:
    texts: dict[str, set[str]] = {}
    for action in actions(parser()):
        for flag in action.option_strings:
            if flag in {"--time", "--timeout", "--db", "--grace", "--host", "--anchor", "--log"}:
                texts.setdefault(flag, set()).add(str(action.help))
    assert all(len(found) == 1 for found in texts.values())
