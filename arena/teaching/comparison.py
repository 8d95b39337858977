"""The answer to "is the result the same as with minimax?", with its reason."""

from typing import NamedTuple

from arena.teaching.compared_run import Run
from arena.teaching.names import format_value

SHOWN = 5  # nodes that are named, where there may be many


class Answer(NamedTuple):
    """Whether a search has the value of minimax, None where that is not known, and why."""

    is_same: bool | None
    words: str


def same_as_minimax(run: Run) -> Answer:
    """Compare the value of the root with minimax."""
    if run.tree.limit is not None:
        return Answer(None, f"Unknown: the trace stops after {run.tree.limit:,} steps.")
    if not run.minimax:
        return Answer(None, "Not compared: the tree is too large for minimax.")
    root, value = run.tree.nodes[0], format_value(run.minimax.value)
    if root.value != run.minimax.value:
        return Answer(False, f"No: minimax gives the root the value {value}.")
    return Answer(True, f"Yes: both give the root the value {value}. {_reason(run)}{_bounds(run)}")


def _reason(run: Run) -> str:
    """Return why the value of the root has not changed."""
    assert run.minimax
    all_nodes = run.minimax.visited
    left_out = all_nodes - run.tree.totals.nodes_visited
    if not left_out:
        return "All nodes were visited."
    reasons = [f"{left_out:,} of {all_nodes:,} nodes were left out."]
    if any(node.bound is not None for node in run.tree.nodes):
        reasons.append(
            "Below a cutoff no value can change that of the root, as a player has a choice that is "
            "at least as good."
        )
    if any(node.same_as is not None for node in run.tree.nodes):
        reasons.append("Equal positions have equal values.")
    return " ".join(reasons)


def _bounds(run: Run) -> str:
    """Return which nodes below the root have another value than under minimax."""
    tree = run.tree
    others = [node for node in tree.nodes if node.is_visited and node.value != node.minimax]
    if not others:
        return ""
    names = ", ".join(run.names.full(tree, node) for node in others[:SHOWN])
    if len(others) > SHOWN:
        names += f" and {len(others) - SHOWN:,} more"
    return f" Where a search was cut off, v is only a bound on the minimax value: {names}."
