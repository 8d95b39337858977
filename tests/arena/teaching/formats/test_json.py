"""Searched trees as JSON."""

import json
from typing import Any

from arena.teaching import VARIANTS, run
from arena.teaching.formats.json import render
from arena.teaching.notation import parse_tree
from core.isolation.board import Board as IsolationBoard
from core.isolation.board import name

TREE = parse_tree("((3 5) (2 9))")


def document(**options: Any) -> Any:
    return json.loads(render(run(TREE, **options), "Title"))


def test_the_facts_of_the_search() -> None:
    found = document()
    del found["nodes"], found["reason"]
    assert found == {
        "title": "Title",
        "variant": "alpha-beta (Figure 5.7, fail-soft)",
        "move": "B",
        "value": 3.0,
        "nodes_visited": 6,
        "nodes_evaluated": 3,
        "max_depth": 2,
        "branching_factor": 5 / 3,
        "minimax": {"value": 3.0, "visited": 7, "evaluated": 4},
        "same_as_minimax": True,
        "limit": None,
    }


def test_a_visited_node() -> None:
    assert document()["nodes"][2] == {
        "number": 2,
        "name": "C",
        "parent": 0,
        "depth": 1,
        "player": "min",
        "children": [5, 6],
        "minimax": 2.0,
        "visited": True,
        "finished": True,
        "value": 2.0,
        "alpha": 3.0,
        "beta": "infinity",
        "cutoff": 3.0,
        "same_as": None,
        "words": None,
    }


def test_a_node_that_was_not_visited() -> None:
    assert document()["nodes"][6] == {
        "number": 6,
        "name": "G",
        "parent": 2,
        "depth": 2,
        "player": "max",
        "children": [],
        "minimax": 9.0,
        "visited": False,
    }


def test_nodes_and_moves_are_lines_with_names() -> None:
    text = render(run(TREE, variant=VARIANTS["fail-hard"]), "")
    lines = [line.removesuffix(",") for line in text.splitlines() if line.startswith("  {")]
    assert [json.loads(line)["number"] for line in lines] == [*range(7)]
    found = json.loads(render(run(IsolationBoard(), 1, move_name=name), ""))
    assert found["nodes"][1]["name"] == "(1 2)"
    assert found["move"].startswith("(")
    found = document(limit=1)
    assert (found["move"], found["value"], found["limit"]) == (None, None, 1)
    assert (found["same_as_minimax"], found["nodes"][0]["value"]) == (None, None)
