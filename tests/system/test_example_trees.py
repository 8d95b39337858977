"""The example trees show what their README says."""

import re
from pathlib import Path

from arena.teaching import VARIANTS, GameTree, SearchedTree, run, trace
from arena.teaching.notation import parse_tree
from tests.support.cases import loop_over

FOLDER = Path(__file__).parents[2] / "examples" / "trees"
ROWS = re.findall(
    r"^\| \[(\S+)\]\(\1\) \| (.+?) \| .+ \| (\d+) of (\d+) \|$",
    (FOLDER / "README.md").read_text(),
    re.MULTILINE,
)


def tree(name: str) -> GameTree:
    return parse_tree((FOLDER / name).read_text())


def test_every_tree_and_notation_is_listed() -> None:
    names = sorted(path.name for path in FOLDER.iterdir())
    assert sorted(["README.md", *(name for name, *_ in ROWS)]) == names
    assert {notation for _, notation, *_ in ROWS} == {"brackets", "indented text", "JSON"}


@loop_over(("name", "notation", "visited", "nodes"), ROWS)
def test_trees_have_the_nodes_of_a_row(name: str, notation: str, visited: str, nodes: str) -> None:
    found = run(tree(name))
    assert found.minimax
    assert (found.tree.totals.nodes_visited, found.minimax.visited) == (int(visited), int(nodes))
    assert found.tree.totals.value == found.minimax.value
    first = {"brackets": "#", "indented text": "#", "JSON": "{"}[notation]
    assert (FOLDER / name).read_text().startswith(first)


def test_cutoffs_of_the_trees() -> None:
    found = SearchedTree.after(trace(tree("three-plies.txt"))).nodes
    cut = {node.move: node.is_max for node in found if node.bound is not None}
    assert cut == {"E": True, "C": False}
    found = SearchedTree.after(trace(tree("deep-cutoff.txt"))).nodes
    [deep] = [node for node in found if node.move == "E"]
    assert (deep.bound, found[0].value) == (5.0, 5.0)
    evaluated = [
        run(tree("order.txt"), variant=VARIANTS[name]).tree.totals.nodes_evaluated
        for name in ("best-first", "alpha-beta", "worst-first")
    ]
    assert evaluated == [7, 9, 16]


def test_fail_hard_returns_the_bound() -> None:
    values = {
        name: {
            node.move: node.value for node in run(tree("fail-soft.txt"), variant=variant).tree.nodes
        }
        for name, variant in VARIANTS.items()
    }
    assert (values["alpha-beta"]["C"], values["fail-hard"]["C"]) == (1.0, 6.0)


@loop_over(("depth", "move"), [(1, "B"), (2, "C")])
def test_a_ply_more_changes_the_move(depth: int, move: str) -> None:
    assert run(tree("horizon.txt"), depth).tree.totals.move == move
