"""Trees in indented text: a line for each node, further to the right than its parent.

A line has the name of the node, its value, or both, with or without =; * stands for a node without
a name. The player at the root, max or min, may be the first line or stand before the root.
"""

from collections.abc import Sequence

from arena.teaching.notation.building import (
    Builder,
    Draft,
    TreeError,
    Word,
    lines_of_words,
    shown,
    value_after,
)
from arena.teaching.space import GameTree


def parse_indented(text: str) -> GameTree:
    """Return the tree that indented text describes. Raises TreeError."""
    lines = [
        (line[: len(line) - len(line.lstrip())], words)
        for line, words in zip(text.splitlines(), lines_of_words(text), strict=True)
        if words
    ]
    (indentation, words), *others = lines
    is_max = words[0].player
    if is_max is not None and (words[1:] or (others and others[0][0] != indentation)):
        lines = [(indentation, words[1:] or [words[0]._replace(text="*")]), *others]
    elif is_max is not None:
        lines = others
        if not lines:
            raise TreeError(f"{words[0].place}: expected a tree after {words[0].text}")
    return _tree(lines, is_max is not False)


def _tree(lines: Sequence[tuple[str, Sequence[Word]]], is_max: bool) -> GameTree:
    builder = Builder()
    path: list[tuple[str, Draft]] = []  # the last node after its ancestors
    for indentation, words in lines:
        if not (path and indentation != path[-1][0] and indentation.startswith(path[-1][0])):
            while path and path[-1][0] != indentation:
                path.pop()
            if builder.root and not path:
                raise TreeError(f"{words[0].place}: this line begins below no line above it")
            del path[-1:]
        draft = builder.add(words[0].place, path[-1][1] if path else None)
        _read(builder, draft, words)
        path.append((indentation, draft))
    return builder.finish(is_max)


def _read(builder: Builder, draft: Draft, words: Sequence[Word]) -> None:
    """Read the name and the value of a node."""
    first, *rest = words
    if first.value is not None:
        builder.set_value(draft, first.value)
    else:
        if first.text != "*":
            builder.set_name(draft, first.text)
        if rest and rest[0].text == "=":
            builder.set_value(draft, value_after(rest[0], rest[1:]))
            rest = rest[2:]
        elif rest and rest[0].value is not None:
            builder.set_value(draft, rest[0].value)
            rest = rest[1:]
    if rest:
        raise TreeError(
            f"{rest[0].place}: a line has one node, its name, its value or both; "
            f"{shown(rest[0].text)} is too much"
        )
