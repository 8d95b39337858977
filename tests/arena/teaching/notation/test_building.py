"""The words of a text, and names, values and limits, whatever the notation."""

import pytest

from arena.teaching.notation import MAX_DEPTH, TreeError, parse_tree
from arena.teaching.notation.building import lines_of_words
from arena.teaching.space import GameTree
from tests.arena.teaching.notation.trees import nodes_of
from tests.support.cases import loop_over


def test_words_have_places() -> None:
    [first, second] = lines_of_words("A(3,\n  x=-4) # y")
    assert [(word.text, *word.place) for word in first] == [("A", 1, 1), ("(", 1, 2), ("3", 1, 3)]
    found = [(word.text, word.value, word.is_mark, str(word.place)) for word in second]
    assert found == [
        ("x", None, False, "line 2, column 3"),
        ("=", None, True, "line 2, column 4"),
        ("-4", -4.0, False, "line 2, column 5"),
        (")", None, True, "line 2, column 7"),
    ]


def test_numbers_and_players() -> None:
    [words] = lines_of_words("1 +2 -.5 3. 1e3 x 1x inf nan 0x1 \u0663")
    values = [word.value for word in words]
    assert values == [1.0, 2.0, -0.5, 3.0, 1000.0, *[None] * 6]
    [words] = lines_of_words("max MIN maxi")
    assert [word.player for word in words] == [True, False, None]


def names(tree: GameTree) -> str:
    return " ".join(node.name for node in nodes_of(tree))


@loop_over(
    "text, found",
    ("((1 2) (3))", "A B D E C F"),
    ("B((1 2) A(3))", "B C D E A F"),
    ("(B=1 (2) A=3)", "C B D E A"),
    ("(x'=1 a-b.c_d=2)", "A x' a-b.c_d"),
)
def test_nodes_without_a_name_get_one_level_by_level(text: str, found: str) -> None:
    assert names(parse_tree(text)) == found


def test_after_z_comes_aa() -> None:
    text = f"({' '.join(map(str, range(30)))})"
    assert names(parse_tree(text)).split()[25:30] == ["Z", "AA", "AB", "AC", "AD"]


@loop_over(
    "text, message",
    ("(a=1 a=2)", "line 1, column 6: the name 'a' is in use already, at line 1, column 2"),
    ("(1é=2)", "line 1, column 2: '1\\xe9' is neither a name nor a value; a name begins with a "),
    ("(1 2) (3 4)", "line 1, column 7: the tree has ended here, as it has one root only"),
    ("(1 1e999)", "line 1, column 4: a value must be finite"),
    ("7", "line 1, column 1: the root needs children"),
    ("A\n B\n", "line 2, column 2: a node without children needs a value"),
    ("x" * 100 + "(1 (", "line 1, column 104: the bracket of this node is not closed"),
    ("(" + "!" * 100 + ")", f"line 1, column 2: '{'!' * 40}...' is neither a name nor a value; "),
)
def test_errors_name_the_place_and_the_rule(text: str, message: str) -> None:
    with pytest.raises(TreeError) as error:
        parse_tree(text)
    assert str(error.value).startswith(message)


def test_trees_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    deepest = "(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH
    assert len([*nodes_of(parse_tree(deepest))]) == MAX_DEPTH + 1
    with pytest.raises(TreeError, match="line 1, column 1002: the tree is deeper than 1,000 plies"):
        parse_tree(f"({deepest})")
    monkeypatch.setattr("arena.teaching.notation.building.MAX_NODES", 4)
    assert names(parse_tree("(1 2 3)")) == "A B C D"
    with pytest.raises(TreeError, match="line 1, column 8: the tree has more than 4 nodes"):
        parse_tree("(1 2 3 4)")
