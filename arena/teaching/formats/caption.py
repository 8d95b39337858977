"""The result of a search in a few sentences, for captions and for people who do not see."""

from collections.abc import Iterator

from arena.teaching.compared_run import Run, same_as_minimax
from arena.teaching.formats.figures import printable, symbol
from arena.teaching.formats.selection import is_cut_off
from arena.teaching.names import format_value

LISTED = 20  # cutoffs in the description


def caption(run: Run) -> list[str]:
    """Return what the search found and what it cost, in one sentence each."""
    tree, minimax = run.tree, run.minimax
    totals = tree.totals
    sentences = [f"Search: {run.variant.title}."]
    if totals.move is not None and totals.value is not None:
        move, player = printable(run.names.move(totals.move)), _player(tree.nodes[0].is_max)
        sentences.append(f"{player} chooses {move} with the value {symbol(totals.value)}.")
    visited, evaluated = totals.nodes_visited, totals.nodes_evaluated
    if minimax is None:
        sentences.append(f"Nodes visited: {visited:,}, evaluated: {evaluated:,}.")
    else:
        sentences.append(
            f"Nodes visited: {visited:,} of {minimax.visited:,},"
            f" evaluated: {evaluated:,} of {minimax.evaluated:,}."
        )
    if tree.limit is not None:
        sentences.append(f"The search was stopped after {tree.limit:,} steps.")
    elif minimax is not None:
        is_same = same_as_minimax(run).is_same
        sentences.append(f"Minimax gives {'the same value' if is_same else symbol(minimax.value)}.")
    return sentences


def description(run: Run) -> str:
    """Return the caption, and the cutoffs in words."""
    cutoffs = [*_cutoffs(run)]
    left_out = [f"{len(cutoffs) - LISTED:,} more cutoffs."] if len(cutoffs) > LISTED else []
    return " ".join([*caption(run), *cutoffs[:LISTED], *left_out])


def _cutoffs(run: Run) -> Iterator[str]:
    """Yield a sentence for each node at which branches were pruned."""
    nodes = run.tree.nodes
    for node in nodes:
        pruned = [child for child in node.children if is_cut_off(run.tree, nodes[child])]
        if not pruned or node.bound is None:
            continue
        name = printable(run.names.full(run.tree, node))
        first = printable(run.names.short(nodes[pruned[0]]))
        others = f" and {len(pruned) - 1:,} more" if len(pruned) > 1 else ""
        bound = f"at {'beta' if node.is_max else 'alpha'} {format_value(node.bound)}"
        yield f"{name} is cut off {bound}, without {first}{others}."


def _player(is_max: bool) -> str:
    """Return the name of the player to move."""
    return "Max" if is_max else "Min"
