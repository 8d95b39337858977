"""Tournament events: the page and the JSON Schema are correct and complete."""

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator

from arena.reports.event_stream import Event, schema
from arena.tournament.schedule import MAX_ATTEMPTS
from tests.support.cases import loop_over
from tests.support.tools import need

DOCS = Path(__file__).parents[3] / "docs" / "reference"
TEXT = (DOCS / "events.md").read_text()
SCHEMA = json.loads((DOCS / "events.schema.json").read_text())

Facts = dict[str, Any]

TYPES = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
STREAM = re.findall(r"^```events\n(.*?)^```$", TEXT, re.M | re.S)[0]
EXAMPLES = re.findall(r"^```json\n(.*)\n```$", TEXT, re.M)
LINES = [*STREAM.splitlines(), *EXAMPLES]

decode = msgspec.json.Decoder(Event, strict=True).decode


def section(name: str) -> str:
    """Return the section of an event."""
    return re.findall(rf"^### {name}\n(.*?)(?=^#|\Z)", TEXT, re.M | re.S)[0]  # type: ignore[no-any-return]


def tables(text: str) -> list[dict[str, str]]:
    """Return the field types of each table in a text."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.M)
    return [dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", table, re.M)) for table in found]


# Events


def test_every_event_is_explained() -> None:
    assert re.findall(r"^### (\w+)$", TEXT, re.M) == [*TYPES]
    assert f"up to {MAX_ATTEMPTS} times in all" in " ".join(TEXT.split())


EXPLAINED = {TYPES[name].__name__: tables(section(name))[0] for name in TYPES} | {
    "Fault": tables(section("finished"))[1],
    "BotRating": tables(section("rating"))[1],
}


@loop_over("name", EXPLAINED)
def test_every_field_is_explained_with_the_type_of_the_schema(name: str) -> None:
    properties: Facts = schema()["$defs"][name]["properties"]
    assert [*EXPLAINED[name]] == [field for field in properties if field != "event"]
    for field, explained in EXPLAINED[name].items():
        definition: Facts = properties[field]
        kinds = [kind.get("type", "") for kind in definition.get("anyOf", [definition])]
        assert explained.startswith(kinds[0])
        assert explained.endswith(" or null") == ("null" in kinds)


@loop_over("name", TYPES)
def test_every_event_has_an_example(name: str) -> None:
    [example] = re.findall(r"^```json\n(.*)\n```$", section(name), re.M)
    assert json.loads(example)["event"] == name


@loop_over("line", LINES)
def test_examples_satisfy_the_schema_and_are_written_as_shown(line: str) -> None:
    Draft202012Validator(SCHEMA).validate(json.loads(line))
    assert msgspec.json.encode(decode(line)).decode() == line


def test_the_stream_is_a_complete_tournament() -> None:
    events = [json.loads(line) for line in STREAM.splitlines()]
    names = [event["event"] for event in events]
    assert {*names} == {*TYPES}
    assert names.count("scheduled") == names.count("started") == names.count("finished") == 2
    assert names[-1] == "rating"


# The schema


def test_the_schema_is_valid_and_up_to_date() -> None:
    assert schema() == SCHEMA
    Draft202012Validator.check_schema(SCHEMA)


# Programs

OUTPUTS = pairwise(re.findall(r"^```(jq|python|output)\n(.*?)^```$", TEXT, re.M | re.S))
PROGRAMS = [(kind, text, out) for (kind, text), (_, out) in OUTPUTS if kind != "output"]


@pytest.mark.parametrize(("kind", "text", "expected"), PROGRAMS)
def test_programs_print_the_output_shown(kind: str, text: str, expected: str) -> None:
    if kind == "jq":
        need("jq")
    command = {"jq": ["jq", "-r", text], "python": [sys.executable, "-c", text]}[kind]
    ended = subprocess.run(command, input=STREAM, capture_output=True, text=True, check=True)
    assert ended.stdout == expected
