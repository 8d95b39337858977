"""Numbers of the source: what is counted."""

import networkx as nx

from tools.numbers import circles, code_lines, flags, rows

MODULE = '''\
"""Two lines
of a docstring."""

# A comment.
TEXT = """not a
docstring"""


def one() -> int:
    """Return 1."""
    return 1  # in words
'''


def test_code_is_neither_blank_nor_documentation() -> None:
    assert code_lines(MODULE) == 4


def test_a_circle_is_a_group_of_nodes_that_reach_each_other() -> None:
    assert circles(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])) == 1


def test_flags_of_commands_are_counted_once() -> None:
    found = flags()
    assert found["games"] == 1  # --json
    assert found["token"] == 1  # --tokens of each action


def test_all_numbers_are_printed() -> None:
    found = dict(rows())
    assert found["circles of packages"] == 0
    assert int(str(found["modules"])) > 100
