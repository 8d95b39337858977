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


def test_numbers_are_counted_and_printed() -> None:
    assert code_lines(MODULE) == 4
    assert circles(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])) == 1
    found = flags()
    assert found["games"] == 1  # --json
    assert found["token"] == 1  # --tokens of each action
    printed = dict(rows())
    assert printed["circles of packages"] == 0
    assert int(str(printed["modules"])) > 100
