"""Searched trees as JSON: everything that the other formats show."""

import json
from math import isinf
from typing import Any

from arena.teaching.compared_run import Run, same_as_minimax
from arena.teaching.names import format_value
from arena.teaching.searched_tree import SearchedNode


def render(run: Run, title: str) -> str:
    """Return a run as a JSON object, with a node in each line.

    Infinite bounds are the strings "infinity" and "-infinity".
    """
    totals, answer = run.tree.totals, same_as_minimax(run)
    facts: dict[str, Any] = {
        "title": title,
        "variant": run.variant.title,
        **totals._asdict(),
        "branching_factor": totals.branching_factor,
        "minimax": run.minimax and run.minimax._asdict(),
        "same_as_minimax": answer.is_same,
        "reason": answer.words,
        "limit": run.tree.limit,
    }
    facts["move"] = None if totals.move is None else run.names.move(totals.move)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in facts.items()]
    nodes = ",\n  ".join(json.dumps(_node(run, node)) for node in run.tree.nodes)
    lines.append(f'"nodes": [\n  {nodes}\n]')
    return "{{{}}}\n".format(",\n".join(lines))


def _node(run: Run, node: SearchedNode) -> dict[str, Any]:
    """Return a node; one that was not visited has no facts of the search."""
    facts: dict[str, Any] = {
        "number": node.number,
        "name": run.names.full(run.tree, node),
        "parent": node.parent,
        "depth": node.depth,
        "player": "max" if node.is_max else "min",
        "children": [*node.children],
        "minimax": node.minimax,
        "visited": node.is_visited,
    }
    if node.is_visited:
        facts |= {
            "finished": node.is_finished,
            "value": None if node.value is None else _bound(node.value),
            "alpha": _bound(node.alpha),
            "beta": _bound(node.beta),
            "cutoff": node.bound,
            "same_as": node.same_as,
            "words": node.words,
        }
    return facts


def _bound(value: float) -> float | str:
    return format_value(value) if isinf(value) else value
