"""The graph of remaining stones, with the maximum matching of a library."""

from typing import Any

import networkx

from tests.support.games.reference import Taken

Graph = Any  # the library has no types


def graph(n: int, taken: Taken) -> Graph:
    """The remaining stones, joined if one divides the other."""
    result = networkx.Graph()
    remaining = set(range(1, n + 1)) - {*taken}
    result.add_nodes_from(remaining)
    result.add_edges_from(
        (stone, multiple)
        for stone in remaining
        for multiple in range(2 * stone, n + 1, stone)
        if multiple in remaining
    )
    return result


def pairs(stones: Graph) -> int:
    return len(networkx.max_weight_matching(stones, maxcardinality=True))


def without(stones: Graph, stone: int) -> Graph:
    return stones.subgraph(set(stones) - {stone})
