"""Trees in brackets."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.teaching import GameTree, Node
from arena.teaching.notation import TreeError, parse_tree
from tests.arena.teaching.notation.trees import format_brackets
from tests.support.cases import loop_over
from tests.support.games.figure_5_7 import trees


@given(trees())
def test_a_written_tree_is_read_as_it_was(tree: GameTree) -> None:
    assert parse_tree(format_brackets(tree)) == tree


def test_a_tree_is_written_with_all_names_and_any_white_space() -> None:
    text = "min A(B(C=3.0 D=12.0)=4.0 E(F=2.0))"
    assert format_brackets(parse_tree("min ((3 12)=4 E(2))")) == text
    assert parse_tree("x ( y = 1 ( 2 ) = 3 )=4") == parse_tree("x(y=1(2)=3)=4")


@loop_over(
    "text, is_max",
    [("max (1 2)", True), ("MIN(1 2)", False), ("(1 2)", True), ("Max\n(1 2)", True)],
)
def test_the_player_at_the_root(text: str, is_max: bool) -> None:
    assert parse_tree(text) == GameTree(Node("A", None, (Node("B", 1.0), Node("C", 2.0))), is_max)


@loop_over(
    "text, message",
    ("(", "line 1, column 1: the bracket of this node is not closed"),
    (")", "line 1, column 1: this ) closes no bracket"),
    ("(1))", "line 1, column 4: this ) closes no bracket"),
    ("()", "line 1, column 2: a bracket needs at least one child"),
    ("(\n(1) ())", "line 2, column 6: a bracket needs at least one child"),
    ("(= 1)", "line 1, column 2: = must follow a name or a closing bracket"),
    ("(1 = 2)", "line 1, column 4: = must follow a name or a closing bracket"),
    ("(a=)", "line 1, column 3: after = must come a value such as -1.5, not ')'"),
    ("(1)=", "line 1, column 4: after = must come a value such as -1.5, not the end"),
    ("(a b)", "line 1, column 2: after the name 'a' must come = and a value, or a bracket with"),
)
def test_errors_name_the_place_and_the_rule(text: str, message: str) -> None:
    with pytest.raises(TreeError) as error:
        parse_tree(text)
    assert str(error.value).startswith(message)


@given(st.text(alphabet='()=# \n,12-.eaBmaxin[]{}":*', max_size=40))
def test_any_text_is_a_tree_or_has_an_error(text: str) -> None:
    with suppress(TreeError):
        tree = parse_tree(text)
        assert parse_tree(format_brackets(tree)) == tree
