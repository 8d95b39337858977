"""Trees in indented text."""

import pytest

from arena.teaching.notation import TreeError, parse_tree
from tests.support.cases import loop_over


@loop_over(
    "text, brackets",
    ("A\n  1\n  2", "A(1 2)"),
    ("A\n  B 1\n  C = 2\n  D=3", "A(B=1 C=2 D=3)"),
    ("A\n  * 4\n    1\n  C = 5\n    2", "A((1)=4 C(2)=5)"),
    ("A\n  * = 4\n    1", "A((1)=4)"),
    ("  A\n   B\n     1\n   2\n", "A(B(1) 2)"),
    ("A\n\tB\n\t\t1\n\t2", "A(B(1) 2)"),
    ("A\n\n  1  # one\n\n# two\n  2\n", "A(1 2)"),
    ("min\nA\n  1", "min A(1)"),
    ("min A\n  1", "min A(1)"),
    ("MAX * = 4\n  1", "max (1)=4"),
    ("min\n  1\n  2", "min (1 2)"),
)
def test_lines_are_nodes(text: str, brackets: str) -> None:
    assert parse_tree(text) == parse_tree(brackets)


@loop_over(
    "text, message",
    ("A\n    1\n  2", "line 3, column 3: this line begins below no line above it"),
    ("A\n\t1\n  2", "line 3, column 3: this line begins below no line above it"),
    ("A\n  1\nB\n  2", "line 3, column 1: the tree has ended here, as it has one root only"),
    ("min", "line 1, column 1: expected a tree after min"),
    ("A\n  B = x", "line 2, column 5: after = must come a value such as -1.5, not 'x'"),
    ("A\n  B =", "line 2, column 5: after = must come a value such as -1.5, not the end"),
    ("A\n  1 2", "line 2, column 5: a line has one node, its name, its value or both; '2' is"),
    ("A\n  B C", "line 2, column 5: a line has one node, its name, its value or both; 'C' is"),
    ("A\n  = 1", "line 2, column 3: '=' is neither a name nor a value; a name begins with"),
)
def test_errors_name_the_place_and_the_rule(text: str, message: str) -> None:
    with pytest.raises(TreeError) as error:
        parse_tree(text)
    assert str(error.value).startswith(message)
