"""AsyncAPI document: up to date, valid, and in accordance with the message types."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from arena.cli.asyncapi import FROM_ARENA, FROM_BOT
from arena.cli.parser import parser
from arena.protocol.codec import decode_from_arena, decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "reference" / "asyncapi.json").read_text()
ASYNCAPI = json.loads((ROOT / "tests" / "data" / "asyncapi-3.0.0.json").read_text())

Facts = dict[str, Any]

DOCUMENT: Facts = json.loads(TEXT)
MESSAGES: Facts = DOCUMENT["components"]["messages"]
SCHEMAS: Facts = DOCUMENT["components"]["schemas"]
DIALECTS = [Draft7Validator, Draft202012Validator]  # AsyncAPI's own, and that of msgspec


def references(part: Any) -> Iterator[str]:
    """Yield every reference in a part of the document."""
    if isinstance(part, dict):
        yield from [part["$ref"]] if "$ref" in part else []
    if isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from references(inner)


def resolve(reference: str) -> Any:
    """Return the part of the document that a reference points to. Raises KeyError."""
    found = DOCUMENT
    for key in reference.removeprefix("#/").split("/"):
        found = found[key]
    return found


def resolved(part: Facts) -> Facts:
    """Follow references until a part of the document is found."""
    return resolved(resolve(part["$ref"])) if "$ref" in part else part


def tags(*kinds: Any) -> list[str]:
    return [kind.__struct_config__.tag for kind in kinds]


def example(name: str) -> Facts:
    [only] = MESSAGES[name]["examples"]
    payload: Facts = only["payload"]
    return payload


# The document


@pytest.mark.usefixtures("measured")
def test_the_document_is_up_to_date() -> None:
    command = [sys.executable, "-m", "arena.cli.asyncapi"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == TEXT


def test_the_document_fits_the_official_schema() -> None:
    assert [*Draft7Validator(ASYNCAPI).iter_errors(DOCUMENT)] == []


def test_the_official_schema_rejects_an_invalid_document() -> None:
    channel = {**DOCUMENT["channels"]["play"], "adress": "/play"}
    assert not Draft7Validator(ASYNCAPI).is_valid({**DOCUMENT, "channels": {"play": channel}})


@pytest.mark.parametrize("reference", sorted({*references(DOCUMENT)}))
def test_every_reference_can_be_resolved(reference: str) -> None:
    assert reference.startswith("#/")
    assert resolve(reference)


@pytest.mark.parametrize("kind", ["schemas", "messages"])
def test_no_component_is_unused(kind: str) -> None:
    defined = {f"#/components/{kind}/{name}" for name in DOCUMENT["components"][kind]}
    assert defined <= {*references(DOCUMENT)}


def test_the_version_is_that_of_the_protocol() -> None:
    assert DOCUMENT["info"]["version"] == str(PROTOCOL_VERSION)


def test_the_port_is_the_default_of_arena_serve() -> None:
    port = DOCUMENT["servers"]["arena"]["variables"]["port"]["default"]
    assert int(port) == parser().parse_args(["serve"]).port


# Who sends what


@pytest.mark.parametrize(
    ("operation", "action", "kinds"),
    [("fromBot", "receive", FROM_BOT), ("fromArena", "send", FROM_ARENA)],
)
def test_operations_are_described_from_the_side_of_the_arena(
    operation: str, action: str, kinds: tuple[Any, ...]
) -> None:
    told = DOCUMENT["operations"][operation]
    assert told["action"] == action
    assert [resolved(message)["name"] for message in told["messages"]] == tags(*kinds)


def test_the_channel_has_all_messages() -> None:
    channel = DOCUMENT["channels"]["play"]
    assert [*channel["messages"]] == [*MESSAGES] == tags(*FROM_BOT, *FROM_ARENA)


# Messages


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid(name: str, dialect: Any) -> None:
    dialect.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", MESSAGES)
def test_examples_fit_their_schemas(name: str, dialect: Any) -> None:
    dialect(resolved(MESSAGES[name]["payload"])).validate(example(name))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", MESSAGES)
def test_examples_fit_no_other_schema(name: str, dialect: Any) -> None:
    others = [resolved(MESSAGES[other]["payload"]) for other in MESSAGES if other != name]
    assert not [schema for schema in others if dialect(schema).is_valid(example(name))]


@pytest.mark.parametrize("name", tags(*FROM_BOT))
def test_the_arena_decodes_the_examples(name: str) -> None:
    assert json.loads(encode(decode_from_bot(json.dumps(example(name))))) == example(name)


@pytest.mark.parametrize("name", tags(*FROM_ARENA))
def test_the_examples_are_as_the_arena_writes_them(name: str) -> None:
    assert json.loads(encode(decode_from_arena(json.dumps(example(name))))) == example(name)


@pytest.mark.parametrize("name", tags(*FROM_ARENA))
def test_the_arena_omits_no_field(name: str) -> None:
    schema = resolved(MESSAGES[name]["payload"])
    assert schema["required"] == [*schema["properties"]] == [*example(name)]


@pytest.mark.parametrize("name", MESSAGES)
def test_unknown_fields_are_allowed(name: str) -> None:
    schema = resolved(MESSAGES[name]["payload"])
    assert Draft202012Validator(schema).is_valid({**example(name), "mood": "good"})


WRONG: list[tuple[str, Facts]] = [
    ("hello", {"name": ""}),
    ("hello", {"name": "x" * 65}),
    ("hello", {"matches": 0}),
    ("hello", {"token": 7}),
    ("move", {"ply": "1"}),
    ("move", {"match": 1}),
    ("turn", {"clocks_ms": [5000]}),
    ("turn", {"clocks_ms": [5000, 5000, 5000]}),
    ("turn", {"setup": {"stones": "7"}}),
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("name", "fields"), WRONG)
def test_invalid_values_are_rejected_in_both_dialects(
    name: str, fields: Facts, dialect: Any
) -> None:
    schema = resolved(MESSAGES[name]["payload"])
    assert not dialect(schema).is_valid(example(name) | fields)
