"""JSON Schema of a tournament's TOML file, for editors that complete and check its keys.

It is made of the flags of `arena tournament`: their names are the keys of the file. Print it by
`python -m tools.tournament_schema > docs/reference/tournament.schema.json`.
"""

import argparse
import json
from typing import Any

from arena.cli.arguments import game_name
from arena.cli.config_file import SETTINGS
from arena.cli.parser import command_parser, parser
from arena.cli.tournament_options import TournamentConfig
from core import GAMES
from core.cli import main
from core.game_families import SEPARATOR

Schema = dict[str, Any]

NUMBERS = {int: "integer", float: "number"}
MINIMUMS = {
    name: option.least
    for name, option in TournamentConfig.declared().items()
    if option.least is not None
}
TEXT: Schema = {"type": "string"}
NUMBER_OR_TEXT: Schema = {"type": ["number", "string"]}
BOT: Schema = {
    "type": "object",
    "properties": {
        "time": NUMBER_OR_TEXT | {"description": "time control of its own clock"},
        "dir": TEXT | {"description": "working directory of its process"},
        "restart": {"type": "boolean", "description": "a new process for each match"},
        "env": {
            "type": "object",
            "description": "environment variables of its process",
            "additionalProperties": NUMBER_OR_TEXT,
        },
    },
    "additionalProperties": False,
    "minProperties": 1,
}


def schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of a tournament's file."""
    tournament = command_parser(parser(["tournament"]), "tournament")
    keys = [each for each in tournament._actions if each.option_strings and _key(each) != "help"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A tournament of the arena",
        "type": "object",
        "properties": {_key(each): _property(tournament, each) for each in keys},
        "additionalProperties": False,
        "allOf": [_exclusion(group) for group in tournament._mutually_exclusive_groups],
    }


def _key(action: argparse.Action) -> str:
    return action.option_strings[-1].removeprefix("--")


def _property(tournament: argparse.ArgumentParser, action: argparse.Action) -> Schema:
    """Return the schema of the value of a key."""
    described: Schema = {"description": tournament._get_formatter()._expand_help(action)}
    if action.dest == SETTINGS:
        return described | {"type": "object", "additionalProperties": BOT, "minProperties": 1}
    if action.nargs == 0:
        return described | {"type": "boolean", "default": False}
    item = _item(action)
    if action.nargs == "?":
        return described | {"anyOf": [item, {"const": True}]}
    if action.nargs == "+":
        return described | {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}
    if isinstance(action.default, str | int | float):
        described["default"] = action.default
    return described | item


def _item(action: argparse.Action) -> Schema:
    """Return the schema of a value, or of each value of a list."""
    if action.type is game_name:
        other = {"type": "string", "pattern": f"^[a-z0-9_]+{SEPARATOR}."}
        return {"anyOf": [{"enum": [*GAMES]}, other]}
    if action.choices:
        return {"enum": [*map(str, action.choices)]}
    if action.type in NUMBERS:
        least = {"minimum": MINIMUMS[action.dest]} if action.dest in MINIMUMS else {}
        return {"type": NUMBERS[action.type]} | least
    has_numbers = action.dest.startswith("parameters.") or action.dest in {"time", "opening_plies"}
    return NUMBER_OR_TEXT if has_numbers else TEXT


def _exclusion(group: argparse._MutuallyExclusiveGroup) -> Schema:
    """Return the rule that two keys exclude each other, unless one of them is false."""
    keys = [_key(action) for action in group._group_actions]
    are_set = {key: {"not": {"const": False}} for key in keys}
    return {"not": {"required": keys, "properties": are_set}}


if __name__ == "__main__":
    main("tools.tournament_schema", lambda _: json.dumps(schema(), indent=2) + "\n")
