"""JSON Schemas of all messages, generated from their types."""

from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import Struct

from arena.model.results import Termination
from arena.protocol import spectator
from arena.protocol.codec import PLAYER_CODES, SPECTATOR_CODES
from arena.protocol.player import FromArena, FromBot
from arena.protocol.spectator import FromSpectator, ToSpectator
from core import GAMES
from core.game import Game, Parameter

SCHEMAS = "#/components/schemas/{name}"

Facts = dict[str, Any]

# Fields that are texts for decoders, so that these accept the values of later versions.
VALUES = {
    ("Error", "code"): PLAYER_CODES,
    ("ErrorReply", "code"): SPECTATOR_CODES,
    ("Finished", "termination"): tuple(Termination),
}


def schemas() -> Facts:
    """Return the schema of each type and of each game's setup, by name."""
    found = message_schemas()
    for (name, field), values in VALUES.items():
        found[name]["properties"][field] = {
            "enum": [*values],
            "description": "Later versions may add values.",
        }
    for schema in found.values():
        _type_setup(schema)
    return {name: _in_draft_7(schema) for name, schema in found.items()} | _setups()


def message_schemas() -> Facts:
    """Return the schema of each type by its name, in draft 2020-12, as messages are sent."""
    unions = [FromBot, FromArena, FromSpectator, ToSpectator]
    _, found = msgspec.json.schema_components(unions, ref_template=SCHEMAS)
    for schema in found.values():
        schema["description"] = cleandoc(schema["description"])
    for name in _always_complete():
        _require_all(found[name])
    return found


def _always_complete() -> list[str]:
    """Return the types that the arena sends with all fields, although decoders have defaults."""
    _, sent = msgspec.json.schema_components([FromArena, ToSpectator])
    _, received = msgspec.json.schema_components([FromBot, FromSpectator])
    return [name for name in sent if name not in received and name not in partial_types()]


def partial_types() -> set[str]:
    """Return the types that are sent without the fields that have their defaults."""
    kinds = [kind for kind in vars(spectator).values() if isinstance(kind, type(Struct))]
    return {kind.__name__ for kind in kinds if kind.__struct_config__.omit_defaults}


def _require_all(schema: Facts) -> None:
    """Change the schema of a type so that no field may be omitted."""
    if "prefixItems" in schema:
        schema["minItems"] = schema["maxItems"] = len(schema["prefixItems"])
    if "properties" in schema:
        schema["required"] = [*schema["properties"]]
        for about in schema["properties"].values():
            about.pop("default", None)


def _type_setup(schema: Facts) -> None:
    """Add the requirements of a game to the setup of a schema that has both."""
    if {"game", "setup"} <= {*schema.get("properties", ())}:
        schema["allOf"] = [
            {
                "if": {"properties": {"game": {"const": game.name}}},
                "then": {"properties": {"setup": {"$ref": SCHEMAS.format(name=_setup_name(game))}}},
            }
            for game in GAMES.values()
        ]


def _setups() -> Facts:
    """Return the schema of the setup of each game."""
    return {
        _setup_name(game): {
            "title": f"Setup of {game.title}",
            "type": "object",
            "properties": {
                name: _parameter(parameter) for name, parameter in game.parameters.items()
            },
            "required": [
                name for name, parameter in game.parameters.items() if parameter.default is None
            ],
            "additionalProperties": False,
        }
        for game in GAMES.values()
    }


def _parameter(parameter: Parameter) -> Facts:
    limits = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    given = {**limits, "default": parameter.default}
    found = {name: value for name, value in given.items() if value is not None}
    return {"type": "integer", **found, "description": parameter.meaning}


def _setup_name(game: Game) -> str:
    return f"Setup.{game.name}"


def _in_draft_7(schema: Any) -> Any:
    """Convert a schema from draft 2020-12 to draft 7, which AsyncAPI uses.

    The drafts differ for tuples: draft 7 does not know `prefixItems`, and then `"items": false`
    forbids all items. Tuples become arrays with items of any of their types.
    """
    if isinstance(schema, list):
        return [_in_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: _in_draft_7(part) for key, part in schema.items()}
    if items := parts.pop("prefixItems", None):
        kinds = [kind for place, kind in enumerate(items) if kind not in items[:place]]
        parts["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return parts
