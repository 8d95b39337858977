"""Schemas of the AsyncAPI document: valid in two dialects, and those of the message types."""

from typing import Any, get_args

from jsonschema import Draft7Validator, Draft202012Validator

from arena.model.results import Termination
from arena.protocol.codec import PLAYER_CODES, SPECTATOR_CODES
from arena.protocol.player import FromArena, FromBot
from arena.protocol.spectator import FromSpectator, ToSpectator
from core import GAMES
from tests.docs.reference.test_protocol import error_codes
from tests.support.cases import loop_over
from tests.tools.asyncapi.test_document import DOCUMENT, MESSAGES, Facts, tags

SCHEMAS: Facts = DOCUMENT["components"]["schemas"]
DIALECTS = [Draft7Validator, Draft202012Validator]  # AsyncAPI's own, and that of msgspec
PARTIAL = {"watch.lobby"}  # messages that omit fields without a change


def schema_of(name: str) -> Facts:
    """Return the schema of a message as a document of its own."""
    return {"components": DOCUMENT["components"], **MESSAGES[name]["payload"]}


def example(name: str) -> Facts:
    [only] = MESSAGES[name]["examples"]
    payload: Facts = only["payload"]
    return payload


def properties(name: str) -> Facts:
    """Return the schemas of the fields of a message."""
    kind = MESSAGES[name]["payload"]["$ref"].rpartition("/")[2]
    return dict(SCHEMAS[kind]["properties"])


@loop_over("dialect", DIALECTS)
@loop_over("name", SCHEMAS)
def test_schemas_are_valid(name: str, dialect: Any) -> None:
    dialect.check_schema(SCHEMAS[name])


@loop_over("dialect", DIALECTS)
@loop_over("name", MESSAGES)
def test_examples_fit_their_schemas_and_no_other(name: str, dialect: Any) -> None:
    dialect(schema_of(name)).validate(example(name))
    others = [schema_of(other) for other in MESSAGES if other != name]
    assert not [schema for schema in others if dialect(schema).is_valid(example(name))]


@loop_over("name", [*tags(*get_args(FromArena))])
def test_the_arena_omits_no_field(name: str) -> None:
    kind = MESSAGES[name]["payload"]["$ref"].rpartition("/")[2]
    assert SCHEMAS[kind]["required"] == [*properties(name)] == [*example(name)]


@loop_over("tag", tags(*get_args(ToSpectator)))
def test_spectators_receive_all_fields(tag: str) -> None:
    name = f"watch.{tag}"
    kind = MESSAGES[name]["payload"]["$ref"].rpartition("/")[2]
    is_complete = SCHEMAS[kind]["required"] == [*properties(name)] == [*example(name)]
    assert is_complete == (name not in PARTIAL)


@loop_over("name", MESSAGES)
def test_unknown_fields_are_allowed(name: str) -> None:
    assert Draft202012Validator(schema_of(name)).is_valid({**example(name), "mood": "good"})


@loop_over(
    "name, field, values",
    ("error", "code", PLAYER_CODES),
    ("watch.error", "code", SPECTATOR_CODES),
    ("finished", "termination", Termination),
)
def test_words_are_enumerated(name: str, field: str, values: Any) -> None:
    assert properties(name)[field]["enum"] == [*values]
    for dialect in DIALECTS:
        validator = dialect(schema_of(name))
        assert all(validator.is_valid({**example(name), field: value}) for value in values)
        assert not validator.is_valid({**example(name), field: "other"})


def test_codes_setups_and_types_are_those_of_the_sources() -> None:
    assert sorted(PLAYER_CODES) == sorted({*error_codes()})
    assert {f"Setup.{name}" for name in GAMES} <= {*SCHEMAS}
    unions = [FromBot, FromArena, FromSpectator, ToSpectator]
    kinds = [kind for union in unions for kind in get_args(union)]
    assert len({kind.__name__ for kind in kinds}) == len(kinds)


SETUPS: list[tuple[str, Facts, bool]] = [
    ("take_stones", {"stones": 1}, True),
    ("take_stones", {"stones": 0}, False),
    ("take_stones", {}, False),
    ("take_stones", {"stones": 7, "rows": 2}, False),
    ("isolation", {}, True),
    ("isolation", {"size": 3}, True),
    ("isolation", {"size": 9}, False),
    ("isolation", {"stones": 7}, False),
    ("a_package", {"stones": 0, "rows": 2}, True),
    ("a_package", {"stones": "7"}, False),
]


@loop_over("dialect", DIALECTS)
@loop_over("name", ["turn", "challenge", "started", "watch.analyse"])
@loop_over(("game", "setup", "is_valid"), SETUPS)
def test_setup_types(name: str, game: str, setup: Facts, is_valid: bool, dialect: Any) -> None:
    message = {**example(name), "game": game, "setup": setup}
    assert dialect(schema_of(name)).is_valid(message) == is_valid


WRONG: list[tuple[str, Facts]] = [
    ("hello", {"name": ""}),
    ("hello", {"name": "x" * 65}),
    ("hello", {"matches": 0}),
    ("hello", {"token": 7}),
    ("move", {"ply": "1"}),
    ("move", {"match": 1}),
    ("welcome", {"grace": "5"}),
    ("turn", {"clocks_ms": [5000]}),
    ("turn", {"clocks_ms": [5000, 5000, 5000]}),
    ("turn", {"setup": {"stones": "7"}}),
    ("watch.analyse", {"depth": 51}),
    ("watch.tables", {"tables": [{}]}),
]


@loop_over("dialect", DIALECTS)
@loop_over(("name", "fields"), WRONG)
def test_invalid_values_are_rejected_in_both_dialects(
    name: str, fields: Facts, dialect: Any
) -> None:
    assert not dialect(schema_of(name)).is_valid(example(name) | fields)


@loop_over(
    "meeting",
    [0, 1, [0, 0], [1, 0], 0],
    [0, 1, [0, 0], [1, 0], 0, [0, 0], 0],
    [0, 1, [0, 0], [1, 0], 0, [0]],
    [0, "1", [0, 0], [1, 0], 0, [0, 0]],
)
@loop_over("dialect", DIALECTS)
def test_a_meeting_is_an_array_of_six_parts(meeting: list[Any], dialect: Any) -> None:
    message = example("watch.tables")
    [valid] = message["tables"][0]["meetings"]
    assert len(valid) == 6
    table = {**message["tables"][0], "meetings": [meeting]}
    assert not dialect(schema_of("watch.tables")).is_valid({**message, "tables": [table]})
