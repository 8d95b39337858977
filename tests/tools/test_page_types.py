"""Types of the page: made of the messages, and current."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.cases import loop_over
from tools.page_types import type_of, typedef

TYPES = Path(__file__).parents[2] / "arena" / "web" / "types.js"


def test_the_types_are_current() -> None:
    command = [sys.executable, "-m", "tools.page_types"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == TYPES.read_text()


@loop_over(
    "schema, expected",
    ({"type": "integer"}, "number"),
    ({"type": "integer", "minimum": 1, "maximum": 2}, "1 | 2"),
    ({"enum": ["won", "lost"]}, '"won" | "lost"'),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
    ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
    (
        {"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "string"}]}},
        "(null | string)[]",
    ),
    (
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]},
        "[number, string]",
    ),
    ({"type": "object", "additionalProperties": {"type": "boolean"}}, "Record<string, boolean>"),
    ({"$ref": "#/components/schemas/About"}, "ArenaInfo"),
)
def test_a_schema_is_a_type(schema: dict[str, Any], expected: str) -> None:
    assert type_of(schema) == expected


OBJECT = {
    "description": "A bot.\n\nIn detail.",
    "properties": {
        "name": {"type": "string"},
        "depth": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
    },
    "required": ["name"],
}


@loop_over("is_partial, depth", [(False, "depth?: number | null"), (True, "depth?: number")])
def test_a_field_that_is_omitted_is_not_null(is_partial: bool, depth: str) -> None:
    assert typedef("Bot", OBJECT, is_partial) == (
        f"/**\n * A bot.\n * @typedef {{{{\n *   name: string,\n *   {depth},\n * }}}} Bot\n */\n"
    )
