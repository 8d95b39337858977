"""Types of messages for the page: `python -m tools.page_types > arena/web/types.js`.

They are the JSON Schemas of the messages as JSDoc, which only the type checker reads.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.cli import main
from tools.asyncapi.schemas import SCHEMAS, message_schemas, partial_types

Schema = dict[str, Any]

PREFIX = SCHEMAS.format(name="")
VIEW_TYPES = Path(__file__).parents[1] / "arena" / "web" / "view_types.js"
OWN_TYPE = re.compile(r"\} (\w+)(?: `.*)?(?: \*/)?$", re.MULTILINE)
TEMPLATE = re.compile(r"/\*\*\n(?: \*(?!/).*\n)* \* @template(?:.*\n)*? \*/")
HEAD = """\
// Types for the type checker, used in comments only: the browser never loads this file.
// Made by `python -m tools.page_types` of the messages; those of the page are in view_types.js.
"""
# Names in the page, where they are not those in Python.
NAMES = {
    "About": "ArenaInfo",
    "Challenge": "ChallengeMessage",
    "ChallengeInfo": "OpenChallenge",
    "EncounterInfo": "Encounter",
    "ErrorReply": "SpectatorError",
    "Games": "MatchList",
    "Info": "MoveInfo",
    "Lobby": "LobbyUpdate",
    "MatchingInfo": "Matching",
    "NodeInfo": "MatchingNode",
    "Record": "MatchRecord",
    "Result": "MatchResult",
    "Score": "BotScore",
    "SearchStart": "RequestedSearch",
    "SearchSummary": "SearchResult",
    "Winners": "WinnersUpdate",
}
WORDS = {"boolean": "boolean", "null": "null", "number": "number", "string": "string"}
MAX_LITERALS = 3  # of a range of whole numbers


def text() -> str:
    """Return the content of arena/web/types.js."""
    found = message_schemas()
    partial = partial_types()
    types = (
        typedef(_name(name), schema, name in partial) for name, schema in sorted(found.items())
    )
    own = OWN_TYPE.findall(TEMPLATE.sub("", VIEW_TYPES.read_text()))
    exports = (f'/** @typedef {{import("./view_types.js").{name}}} {name} */' for name in own)
    return "\n".join([HEAD, *types, *exports, "\nexport {};\n"])


def typedef(name: str, schema: Schema, is_partial: bool) -> str:
    """Return the definition of a type."""
    lines = [f"{{{type_of(schema)}}} {name}"]
    if "properties" in schema:
        lines = ["{{", *(f"  {field}," for field in fields(schema, is_partial)), f"}}}} {name}"]
    summary = schema["description"].split("\n\n")[0].splitlines()
    return "\n".join(
        [
            "/**",
            *(f" * {line}" for line in [*summary, f"@typedef {lines[0]}"]),
            *(f" * {line}" for line in lines[1:]),
            " */\n",
        ]
    )


def fields(schema: Schema, is_partial: bool) -> Iterator[str]:
    """Yield the fields of an object. One of a partial type is omitted if it is null by default."""
    required = schema.get("required", ())
    for name, each in schema["properties"].items():
        if name in required:
            yield f"{name}: {type_of(each)}"
        elif is_partial and each["default"] is None:
            yield f"{name}?: {type_of({'anyOf': each['anyOf'][:-1]})}"
        else:
            yield f"{name}?: {type_of(each)}"


def type_of(schema: Schema) -> str:
    """Return a schema as a type of TypeScript."""
    if "$ref" in schema:
        return _name(schema["$ref"].removeprefix(PREFIX))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(type_of, schema["anyOf"])))
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    match schema.get("type"):
        case "integer":
            return _whole_number(schema)
        case "array":
            return _array(schema)
        case "object":
            values = schema.get("additionalProperties")
            return f"Record<string, {type_of(values)}>" if values else "object"
        case str(word):
            return WORDS[word]
    return "unknown"


def _whole_number(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None or high is None or high - low >= MAX_LITERALS:
        return "number"
    return " | ".join(map(str, range(low, high + 1)))


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
    item = type_of(schema["items"])
    return f"({item})[]" if " | " in item else f"{item}[]"


def _name(name: str) -> str:
    return NAMES.get(name, name)


if __name__ == "__main__":
    main("tools.page_types", lambda _: text())
