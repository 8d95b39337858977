"""Trees in JSON."""

import json

import pytest

from arena.teaching.notation import TreeError, parse_tree
from tests.arena.teaching.notation.trees import nodes_of
from tests.support.cases import loop_over


@loop_over(
    "text, brackets",
    ("[1, [2.5, -3e1]]", "(1 (2.5 -30))"),
    ('{"name": "x", "children": [1, {"name": "y", "value": 2}]}', "x(1 y=2)"),
    ('{"player": "min", "value": 4, "children": [1], "comment": "a # b"}', "min (1)=4"),
    ('[{"value": 2, "children": null}, {"children": [[1]], "name": null}]', "(2 ((1)))"),
)
def test_lists_and_objects_are_nodes(text: str, brackets: str) -> None:
    assert parse_tree(text) == parse_tree(brackets)


@loop_over(
    "text, message",
    ("[", "line 1, column 2: invalid JSON: Expecting value"),
    ("[1,\n 2", "line 2, column 3: invalid JSON: Expecting ',' delimiter"),
    ("[1] 2", "line 1, column 5: invalid JSON: Extra data"),
    ("[]", "at the root: a list needs at least one child"),
    ("[[1], []]", "at /1: a list needs at least one child"),
    ("[1, -Infinity]", "a value must be finite, not -Infinity"),
    ("[1, 1e999]", "at /1: a value must be finite"),
    (f"[1, {'9' * 5000}]", "at /1: a value must be finite"),
    ("[true]", "at /0: a node must be a number, a list or an object, not true"),
    ('{"children": [1, {"valu": 1}]}', "at /children/1: unknown key 'valu' (choose from name, "),
    ('{"children": [{"player": "max", "value": 1}]}', "at /children/0: unknown key 'player' ("),
    ('{"value": 1, "value": 2}', "an object has the key 'value' twice"),
    ('{"player": [], "children": [1]}', "at /player: the player must be max or min, not a list"),
    ('{"name": {}, "children": [1]}', "at the root: the name must be a string, not an object"),
    ('{"value": "3", "children": [1]}', "at the root: the value must be a number, not '3'"),
    ('{"children": 3}', "at the root: the children must be a list, not 3"),
    ('{"children": []}', "at the root: the root needs children"),
    ('[{"name": "a"}]', "at /0: a node without children needs a value"),
    ('[{"name": "a", "value": 1}, {"name": "a", "value": 1}]', "at /1: the name 'a' is in use "),
    ('[{"name": "a b", "value": 1}]', "at /0: 'a b' is neither a name nor a value"),
    ("[" * 100_000, "the JSON is nested too deeply; brackets may be nested deeper"),
)
def test_errors_name_the_place_and_the_rule(text: str, message: str) -> None:
    with pytest.raises(TreeError) as error:
        parse_tree(text)
    assert str(error.value).startswith(message)


def test_a_tree_that_is_too_deep() -> None:
    # CPython reads less deep JSON up to 3.11.
    text = "[" * 5000 + "1" + "]" * 5000
    rule = r"the JSON is nested too deeply|at (/0){100}\.\.\.: the tree is deeper than 1,000 plies"
    with pytest.raises(TreeError, match=f"^({rule})"):
        parse_tree(text)


def test_a_long_pointer_is_shortened() -> None:
    with pytest.raises(TreeError, match=r"^at (/0){100}\.\.\.: a list needs at least one child$"):
        parse_tree("[" * 102 + "]" * 102)


def test_a_list_may_be_long() -> None:
    assert len([*nodes_of(parse_tree(json.dumps([*range(10_000)])))]) == 10_001
