"""Searched trees as text."""

import re

import pytest

from arena.teaching import VARIANTS, Node, run
from arena.teaching.formats.text import render, render_all, render_steps
from arena.teaching.notation import parse_tree
from arena.teaching.space import GameTree
from core.search import search
from core.take_stones import Board
from core.take_stones.six_lines import format_six_lines
from tests.support.cases import loop_over

TREE = parse_tree("((3 5) (2 (9 1)) (7 1))")

WHOLE = """\
Title

Alpha-beta (Figure 5.7, fail-soft):

node        player  v      alpha      beta  minimax
A           Max     3          3  infinity        3
+- B        Min     3  -infinity         3        3
|  +- E     Max     3  -infinity  infinity        3  leaf
|  +- F     Max     5  -infinity         3        5  leaf
+- C        Min     2          3  infinity        2  cutoff: v <= alpha
|  +- G     Max     2          3  infinity        2  leaf
|  +x H     Max                                   9  pruned
|     +x K  Min                                   9  pruned
|     +x L  Min                                   1  pruned
+- D        Min     1          3         7        1  cutoff: v <= alpha
   +- I     Max     7          3  infinity        7  leaf
   +- J     Max     1          3         7        1  leaf

                                alpha-beta  minimax
Move                                     B
Value                                    3        3
Number of nodes visited                  9       12
Number of nodes evaluated                5        7
Max depth reached                        2
Avg effective branching factor         2.0

Same as minimax? Yes: both give the root the value 3. 3 of 12 nodes were left out. Below
a cutoff no value can change that of the root, as a player has a choice that is at least
as good.
"""


def rows(text: str) -> dict[str, list[str]]:
    """Return the words of each node's row, by its name."""
    table = text.split("\n\n")[2]
    lines = [
        line.replace("|", " ").replace("+-", "").replace("+x", "") for line in table.split("\n")
    ]
    return {name: words for name, *words in map(str.split, lines[1:])}


def test_a_tree_as_a_whole() -> None:
    assert render(run(TREE), "Title") == WHOLE


def test_a_cutoff_of_max() -> None:
    assert rows(render(run(parse_tree("min ((3 5) (9 2))")), ""))["C"][-4:] == [
        "cutoff:",
        "v",
        ">=",
        "beta",
    ]


def test_trees_of_other_variants() -> None:
    found = rows(render(run(TREE, variant=VARIANTS["minimax"]), ""))
    assert (found["C"], found["G"]) == (["Min", "2", "2"], ["Max", "2", "2", "leaf"])
    text = render(run(Board(7, [3, 6]), variant=VARIANTS["transpositions"]), "")
    assert "  = 1-2-4\n" in text
    # 1-4-2 and 2-4-1 are different positions, but both lead to 8.
    text = render(run(Board(13, [3]), 5, variant=VARIANTS["transpositions"]), "")
    assert "  known\n" in text


def test_what_a_limit_has_left_out_is_marked() -> None:
    found = rows(render(run(TREE, limit=10), ""))
    assert found["A"] == ["Max", "-", "-infinity", "infinity", "3", "not", "finished"]
    assert found["B"][1:4] == ["3", "-infinity", "3"]
    assert found["C"] == ["Min", "2", "not", "reached"]
    assert found["K"] == ["Min", "9", "not", "reached"]


def test_without_minimax_its_column_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 5)
    text = render(run(TREE), "")
    assert rows(text)["G"] == ["Max", "2", "3", "infinity", "leaf"]
    assert "Number of nodes visited                  9        ?\n" in text


def test_a_leaf_alone_and_a_deep_tree() -> None:
    text = render(run(GameTree(Node("A", 2.0))), "")
    assert "Move                                     -\n" in text
    assert "Avg effective branching factor         0.0\n" in text
    node = Node("leaf", 1.0)
    for number in range(1500):
        node = Node(f"N{number}", None, (node,))
    assert render(run(GameTree(node)), "").count("cutoff") == 0


@loop_over(("n", "depth"), [(7, 0), (9, 3), (12, 4), (16, 5)])
def test_the_numbers_are_those_of_the_search(n: int, depth: int) -> None:
    board = Board(n, [3])
    found = search(board, depth)
    lines = format_six_lines(found.move, found.value, *found[2:5]).splitlines()
    wanted = [float(line.split(": ")[1]) for line in lines]
    table = render(run(board, depth), "").split("\n\n")[3]
    numbers = [re.split("  +", line)[1] for line in table.splitlines()[1:]]
    assert [float(number.replace(",", "")) for number in numbers] == wanted


def test_runs_stand_side_by_side() -> None:
    runs = [run(TREE), run(TREE, variant=VARIANTS["minimax"])]
    text = render_all(runs, "Title")
    tables = text.split("\n\n")
    assert [tables[1], tables[3]] == ["Alpha-beta (Figure 5.7, fail-soft):", "Minimax:"]
    visited = next(line for line in tables[5].splitlines() if "visited" in line)
    assert visited.split()[-3:] == ["9", "12", "12"]
    assert "Same as minimax, minimax? Yes: both give the root the value 3. All nodes" in text


STEPS = """\
step  lines
   1      1  Enter A (Max) with alpha -infinity and beta infinity.
   2   3, 4  A has 2 children: B and C. Its v starts at -infinity.
   3      9  Enter B (Min) with alpha -infinity and beta infinity.
   4     10  B has the value 1. It is a leaf.
   5     10  B returns 1.
   6   5, 7  B gives A the value 1: v becomes 1 and alpha becomes 1.
   7      9  Enter C (Min) with alpha 1 and beta infinity.
   8     10  C has the value 2. It is a leaf.
   9     10  C returns 2.
  10   5, 7  C gives A the value 2: v becomes 2 and alpha becomes 2.
  11      8  A returns 2.
"""


def test_steps_follow_the_pseudocode_to_the_limit() -> None:
    tree = parse_tree("(1 2)")
    code, steps = render_steps(run(tree), tree, 0).split("\n\n")
    assert code.splitlines()[5] == "  6          if v >= beta: return v"
    assert steps == STEPS
    assert render_steps(run(TREE, limit=3), TREE, 0).endswith("it is limited to 3 steps.\n")
