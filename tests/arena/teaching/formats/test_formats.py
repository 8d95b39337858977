"""The formats by their names."""

from arena.teaching import run
from arena.teaching.formats import FORMATS, render
from arena.teaching.notation import parse_tree
from tests.support.cases import loop_over

BEGINNINGS = {
    "text": "A small tree\n\nAlpha-beta",
    "json": '{"title": "A small tree",\n',
    "dot": "graph {\n",
    "svg": "<svg ",
    "tex": "\\documentclass",
}


@loop_over("name", FORMATS)
def test_each_format_renders_a_run(name: str) -> None:
    found = render(name, run(parse_tree("((3 5) (2 9))")), "A small tree")
    assert found.startswith(BEGINNINGS[name])
    assert found.endswith("\n")
