from arena.teaching import MINIMAX, VARIANTS, Run, run
from arena.teaching.formats.selection import (
    MAX_NODES,
    MAX_SIBLINGS,
    MAX_WHOLE,
    best_line,
    is_cut_off,
    select,
)
from arena.teaching.notation import parse_tree
from tests.arena.teaching.formats.runs import stones, written
from tests.support.cases import loop_over

LARGE = [(20, [1], 4), (40, [3, 1], 4), (60, [1], 3), (100, [1], 2)]


def line(found: Run) -> str:
    return " ".join(found.names.short(found.tree.nodes[node]) for node in best_line(found.tree))


def test_the_best_line_goes_as_far_as_the_search() -> None:
    assert line(written()) == "A B E"
    assert line(written("min ((3 12 8) (2 4 6) (14 5 2))")) == "A C J"
    found = run(parse_tree("((3 12 8) (2 4 6))"), limit=3)
    assert best_line(found.tree) == [0]


@loop_over("variant", VARIANTS)
def test_the_best_line_begins_with_the_chosen_move(variant: str) -> None:
    found = stones(12, 3, variant=VARIANTS[variant])
    assert found.tree.nodes[best_line(found.tree)[1]].move == found.tree.totals.move


def test_a_pruned_branch_begins_below_a_cutoff() -> None:
    tree = written().tree
    names = [node.move for node in tree.nodes if is_cut_off(tree, node)]
    assert names == ["I", "J"]
    tree = written(variant=MINIMAX).tree
    assert not any(is_cut_off(tree, node) for node in tree.nodes)


def test_a_small_tree_is_whole() -> None:
    tree = run(parse_tree(f"({'1 ' * (MAX_WHOLE - 1)})")).tree
    entries = select(tree)
    assert len(tree.nodes) == MAX_WHOLE
    assert sorted(entry.node.number for entry in entries) == [*range(MAX_WHOLE)]
    assert not any(entry.hidden for entry in entries)


@loop_over(("count", "taken", "depth"), LARGE)
def test_a_large_tree_is_collapsed(count: int, taken: list[int], depth: int) -> None:
    tree = stones(count, *taken, depth=depth).tree
    entries = select(tree)
    drawn = [entry.node for entry in entries if not entry.hidden]
    hidden = sum(entry.hidden for entry in entries)
    assert len(tree.nodes) > MAX_WHOLE
    assert 1 < len(drawn) <= MAX_NODES
    assert len(drawn) + hidden == len(tree.nodes)
    assert {*best_line(tree)} <= {node.number for node in drawn}
    for place, entry in enumerate(entries):
        children = [child for child in entries if child.parent == place and not child.hidden]
        assert len(children) <= MAX_SIBLINGS + 1
        assert all(child.node.parent == entry.node.number for child in children)


def test_cut_branches_are_kept() -> None:
    tree = stones(20, 1, depth=4).tree
    entries = select(tree)
    drawn = {entry.node.number for entry in entries if not entry.hidden}
    opened = [node for node in tree.nodes if {*node.children} & drawn]
    cut_off = [node for node in opened if node.children and node.bound is not None]
    first = [next(iter(set(node.children) & drawn), None) for node in cut_off]
    assert len(cut_off) > 5
    assert None not in first
    for node in cut_off:
        unvisited = [child for child in node.children if not tree.nodes[child].is_visited]
        assert not unvisited or unvisited[0] in drawn


def test_children_are_collapsed_apart_and_come_after_parents() -> None:
    entries = select(stones(20, 1, depth=4).tree)
    collapsed = [entry for entry in entries if entry.hidden]
    assert {entry.node.is_visited for entry in collapsed} == {False, True}
    assert entries[0].parent is None
    for place, entry in enumerate(entries[1:], 1):
        assert entry.parent is not None
        assert entry.parent < place
