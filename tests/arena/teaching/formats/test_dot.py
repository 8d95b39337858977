import json
import re
import subprocess

import pytest

from arena.teaching import run
from arena.teaching.formats.dot import render
from arena.teaching.space import GameTree, Node
from tests.arena.teaching.formats.runs import merged, stones, written

NASTY = '\\"]; x -- y \\N &lt; <b>'


def node(text: str, number: int) -> str:
    [found] = re.findall(rf"^  n{number} \[(.*)\]$", text, re.MULTILINE)
    return str(found)


def edge(text: str, number: int) -> str:
    [found] = re.findall(rf"^  n\d+ -- n{number} \[(.*)\]$", text, re.MULTILINE)
    return str(found)


def test_nodes_show_players_values_cutoffs_and_the_best_line() -> None:
    text = render(written(), "Tree")
    assert "shape=house" in node(text, 0)
    assert "shape=invhouse" in node(text, 1)
    assert "shape=box" in node(text, 4)
    assert 'label="v 2\\nα 3\\nβ 5"' in node(text, 3)  # noqa: RUF001
    assert 'label="12"' in node(text, 5)
    assert 'label="D"' in edge(text, 3)
    assert "arrowtail=teetee" in edge(text, 8)
    assert 'label="I\\nα 3\\nβ ∞"' in edge(text, 8)  # noqa: RUF001
    assert "style=dashed" in node(text, 8)
    assert text.count("teetee") == 2
    assert text.count("penwidth=3") == 3 + 2
    assert "penwidth=3" in edge(text, 4)


def test_collapsed_and_equal_nodes_and_escaped_names() -> None:
    assert "shape=triangle" in render(stones(20, 1, depth=4), "Tree")
    tree = GameTree(Node("r", None, (Node(NASTY[:16], 3.0), Node("b", 4.0))))
    text = render(run(tree), NASTY)
    assert '\\\\\\"]; x -- y \\\\N' in edge(text, 1)
    assert "&amp;lt; <b>" in text
    text = render(merged(), "Tree")
    [(later, earlier)] = re.findall(r"^  n(\d+) -- n(\d+) \[constraint=false", text, re.MULTILINE)
    assert 'label="1\\n= 2-4-8"' in node(text, int(later))
    assert 'tooltip="2-4-8: leaf' in node(text, int(earlier))


@pytest.mark.needs("graphviz")
def test_graphviz_reads_it() -> None:
    tree = GameTree(Node("r", None, (Node(NASTY[:16], 3.0), Node("b", 4.0))))
    for found in (run(tree), written(), stones(20, 1, depth=4)):
        text = render(found, NASTY)
        done = subprocess.run(["dot", "-Tjson0"], input=text.encode(), capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        drawn = json.loads(done.stdout)
        assert len(drawn["edges"]) == len(drawn["objects"]) - 1
