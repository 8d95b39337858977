"""Trees that are written down: in nested brackets, JSON or indented text."""

from arena.teaching.notation.brackets import parse_brackets
from arena.teaching.notation.building import COMMENT, MAX_DEPTH, MAX_NODES, TreeError
from arena.teaching.notation.indented import parse_indented
from arena.teaching.notation.json_trees import parse_json
from arena.teaching.space import GameTree

__all__ = ["MAX_DEPTH", "MAX_NODES", "TreeError", "parse_tree"]


def parse_tree(text: str) -> GameTree:
    """Return the tree that a text describes, in the notation that its content shows.

    Nodes without a name get the names A, B, C ... from the root downwards, level by level.

    Raises:
        TreeError: If the text is in no notation, or the tree too large.
    """
    text = text.removeprefix("\ufeff")  # with which some editors begin a file
    content = COMMENT.sub("", text).replace(",", " ").strip()
    if not content:
        raise TreeError("the text has no tree")
    if content[0] in "[{":
        return parse_json(text)
    return parse_brackets(text) if "(" in content or ")" in content else parse_indented(text)
