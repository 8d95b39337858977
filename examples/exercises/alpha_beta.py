"""The assignment's first written problem: minimax and alpha-beta on a game tree.

The picture of the tree in the problem is not part of its text, so this is a tree of our own.
"""

from arena.teaching import GameTree, Node, SearchedTree, run
from arena.teaching.searched_tree import SearchedNode


def max_node(name: str, *values: float) -> Node:
    """Return a node of Max above leaves with these values."""
    leaves = (Node(f"{name.lower()}{place}", value) for place, value in enumerate(values, 1))
    return Node(name, children=tuple(leaves))


TREE = GameTree(
    Node(
        "A",
        children=(
            Node("B", children=(max_node("E", 3, 5), max_node("F", 6, 9))),
            Node("C", children=(max_node("G", 2, 4), max_node("H", 1, 2))),
            Node("D", children=(max_node("I", 8, 3), max_node("J", 6, 2))),
        ),
    )
)


def name_of(node: SearchedNode) -> str:
    """Return the name of a node; the root, to which no move leads, is A."""
    return str(node.move or TREE.root.name)


def row(node: SearchedNode) -> str:
    """Return the line of a node in the table."""
    player = "Max" if node.is_max else "Min"
    if not node.children:
        player = "leaf"
    numbers = [node.minimax, node.value, node.alpha, node.beta]
    if not node.is_visited:
        numbers[1:] = [None, None, None]
    cells = ["-" if number is None else f"{number:g}" for number in numbers]
    indent = "  " * node.depth
    return f"{indent + name_of(node):8} {player:6}" + "".join(f"{cell:>9}" for cell in cells)


def cutoff(tree: SearchedTree, node: SearchedNode) -> str:
    """Return the reason why branches of a node are pruned, and their alpha and beta."""
    pruned = (tree.nodes[child] for child in node.children)
    names = ", ".join(name_of(child) for child in pruned if not child.is_visited)
    reason = "v >= beta" if node.is_max else "v <= alpha"
    return (
        f"  {names} below {name_of(node)}: {reason}, as v = {node.value:g},"
        f" alpha = {node.alpha:g}, beta = {node.beta:g}"
    )


def main() -> None:
    """Print the answers."""
    found = run(TREE)
    nodes, totals = found.tree.nodes, found.tree.totals
    print(f"{'node':8} {'player':6}  minimax returned    alpha     beta")
    waiting = [nodes[0]]
    while waiting:  # from left to right, each node before its children
        node = waiting.pop()
        print(row(node))
        waiting += (nodes[child] for child in reversed(node.children))
    print("Pruned branches:")
    for node in nodes:
        if node.bound is not None:
            print(cutoff(found.tree, node))
    assert found.minimax
    print(f"Alpha-beta visits {totals.nodes_visited} of {found.minimax.visited} nodes.")
    print(f"Alpha-beta: move {totals.move}, value {totals.value:g}.")
    print(f"Minimax: value {found.minimax.value:g}. The root never differs.")


if __name__ == "__main__":
    main()
