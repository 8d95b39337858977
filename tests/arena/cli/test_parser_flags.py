"""Flags of all commands, and their help texts."""

import argparse
from collections.abc import Iterator

import pytest

from arena.cli.arguments import UsageError
from arena.cli.commands.serve import ServeConfig
from arena.cli.parser import parse, parser
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import configured


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


@loop_over("command", ["tournament", "serve"])
def test_a_game_with_the_name_of_an_option_as_a_parameter_cannot_be_played(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("time", "help"):
        parameters = {name: NIM.parameters["heap"]}
        monkeypatch.setitem(GAMES, NIM.name, NIM._replace(parameters=parameters))
        with pytest.raises(UsageError) as raised:
            parse([command, "--game", NIM.name])
        assert str(raised.value) == (
            f"game 'misere_nim' cannot be played here: its parameter {name!r} has the name of an"
            f" option of arena {command}"
        )
    assert NIM.name not in configured(ServeConfig, "serve").setups  # the others can be played


def test_a_flag_has_one_meaning_in_all_commands() -> None:
    texts: dict[str, set[str]] = {}
    for action in actions(parser()):
        for flag in action.option_strings:
            if flag in {"--timeout", "--db", "--grace", "--host", "--anchor", "--log"}:
                meaning = str(action.help).partition(" (default: ")[0]
                texts.setdefault(flag, set()).add(meaning)
    assert all(len(found) == 1 for found in texts.values())
