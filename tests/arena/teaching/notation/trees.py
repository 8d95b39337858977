"""Written trees, taken apart and written again."""

from collections.abc import Iterator

from arena.teaching.space import GameTree, Node


def nodes_of(tree: GameTree) -> Iterator[Node]:
    """Yield all nodes in the order of a depth-first search."""
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def format_brackets(tree: GameTree) -> str:
    """Return a tree in brackets, with all names."""
    pieces = ["max" if tree.is_max else "min"]
    waiting: list[Node | str] = [tree.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            pieces[-1] += node
            continue
        value = "" if node.value is None else f"={node.value!r}"
        if node.children:
            pieces.append(f"{node.name}(")
            waiting += [f"){value}", *reversed(node.children)]
        else:
            pieces.append(f"{node.name}{value}")
    return " ".join(pieces).replace("( ", "(")
