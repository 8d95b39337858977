"""AsyncAPI document: up to date, valid, and with all messages in their directions."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft7Validator

from arena.cli.parser import parser
from arena.protocol.player import PROTOCOL_VERSION, FromArena, FromBot
from arena.protocol.spectator import FromSpectator, ToSpectator
from tests.docs.reference.test_protocol import close_codes
from tests.support.cases import loop_over
from tools.asyncapi.document import CLOSE_CODES

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "reference" / "asyncapi.json").read_text()
OFFICIAL = (
    ROOT / "build" / "web" / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0.json"
)

Facts = dict[str, Any]

DOCUMENT: Facts = json.loads(TEXT)
MESSAGES: Facts = DOCUMENT["components"]["messages"]


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


# The document


@pytest.mark.usefixtures("measured")
def test_the_document_is_up_to_date() -> None:
    command = [sys.executable, "-m", "tools.asyncapi"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == TEXT


def test_the_official_schema_accepts_it_and_no_invalid_document() -> None:
    official = Draft7Validator(json.loads(OFFICIAL.read_text()))
    assert [*official.iter_errors(DOCUMENT)] == []
    channel = {**DOCUMENT["channels"]["play"], "adress": "/play"}
    assert not official.is_valid({**DOCUMENT, "channels": {"play": channel}})


@loop_over("reference", sorted({*references(DOCUMENT)}))
def test_every_reference_can_be_resolved(reference: str) -> None:
    assert reference.startswith("#/")
    assert resolve(reference)


@loop_over("kind", ["schemas", "messages"])
def test_no_component_is_unused(kind: str) -> None:
    defined = {f"#/components/{kind}/{name}" for name in DOCUMENT["components"][kind]}
    assert defined <= {*references(DOCUMENT)}


def test_version_and_port_are_those_of_the_sources() -> None:
    assert DOCUMENT["info"]["version"] == str(PROTOCOL_VERSION)
    port = DOCUMENT["servers"]["arena"]["variables"]["port"]["default"]
    assert int(port) == parser().parse_args(["serve"]).port


# Who sends what


@loop_over(
    "operation, action, union",
    ("fromBot", "receive", FromBot),
    ("fromArena", "send", FromArena),
    ("fromSpectator", "receive", FromSpectator),
    ("toSpectator", "send", ToSpectator),
)
def test_operations_are_seen_from_the_arena(operation: str, action: str, union: Any) -> None:
    told = DOCUMENT["operations"][operation]
    assert told["action"] == action
    assert [resolved(message)["name"] for message in told["messages"]] == tags(*get_args(union))


@loop_over(
    "channel, prefix, unions",
    [("play", "", [FromBot, FromArena]), ("watch", "watch.", [FromSpectator, ToSpectator])],
)
def test_a_channel_has_all_its_messages(channel: str, prefix: str, unions: list[Any]) -> None:
    told = DOCUMENT["channels"][channel]
    expected = tags(*(kind for union in unions for kind in get_args(union)))
    assert told["address"] == f"/{channel}"
    assert [*told["messages"]] == expected
    for name, reference in told["messages"].items():
        assert reference == {"$ref": f"#/components/messages/{prefix}{name}"}
        assert resolved(reference)["name"] == name


def test_there_are_no_other_messages() -> None:
    listed = [*references(DOCUMENT["channels"])]
    assert sorted(listed) == sorted(
        [f"#/components/messages/{name}" for name in MESSAGES]
        + ["#/servers/arena"] * len(DOCUMENT["channels"])
    )


@loop_over("channel", ["play", "watch"])
def test_every_close_code_is_listed(channel: str) -> None:
    listed = DOCUMENT["channels"][channel]["x-close-codes"]
    assert {int(code) for code in listed} == close_codes() == {*CLOSE_CODES}
