from arena.teaching import MINIMAX, VARIANTS, Run, run
from arena.teaching.formats.figures import Figure, exercise, figures, printable, symbol
from arena.teaching.notation import parse_tree
from core.take_stones import Board
from tests.arena.teaching.formats.runs import merged, stones, uncompared, written


def texts(figure: Figure) -> list[str]:
    return [row.text for row in figure.rows]


def named(found: Run) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures(found)}


def test_nodes_have_values_and_bounds() -> None:
    by_name = named(written())
    assert texts(by_name["A"]) == ["v 3", "α 3", "β ∞"]  # noqa: RUF001
    assert texts(by_name["B"]) == ["v 3", "α −∞", "β 3"]  # noqa: RUF001
    assert texts(by_name["D"]) == ["v 2", "α 3", "β 5"]  # noqa: RUF001
    assert [row.text for row in by_name["I"].bounds] == ["α 3", "β ∞"]  # noqa: RUF001
    assert by_name["I"].is_cut_off
    assert not by_name["I"].is_visited
    assert not by_name["H"].bounds
    assert texts(by_name["F"]) == ["12"]
    assert texts(by_name["I"]) == ["4"]
    assert by_name["F"].kind == by_name["I"].kind == "leaf"


def test_only_the_top_of_a_pruned_branch_has_bounds() -> None:
    by_name = named(written("(((3 1) (4 2)) ((1 2) (5 6)))"))
    below = [figure for figure in by_name.values() if not figure.is_visited]
    assert [figure.name for figure in below if figure.is_cut_off] == ["G", "K"]
    assert [figure.name for figure in below if figure.bounds] == ["G", "K"]
    assert texts(by_name["G"]) == ["minimax", "6"]
    assert [figure.name for figure in below] == ["G", "K", "N", "O"]


def test_shapes_show_the_player_and_the_best_line() -> None:
    assert [figure.kind for figure in figures(written())[:2]] == ["max", "min"]
    assert [figure.kind for figure in figures(written("min ((3 4) (5 6))"))[:2]] == ["min", "max"]
    best = [figure.name for figure in figures(written()) if figure.is_best]
    assert best == ["A", "B", "E"]


def test_minimax_is_shown_where_it_differs() -> None:
    by_name = named(written("((3 12 8) (2 1))"))
    assert texts(by_name["C"])[-2:] == ["minimax", "1"]
    assert by_name["C"].words == "C: Min, v 2, alpha 3, beta infinity, minimax 1"
    found = figures(written(variant=MINIMAX))
    assert texts(found[0]) == ["v 3"]
    assert found[0].words == "A: Max, v 3"


def test_a_merged_node_names_the_earlier_one() -> None:
    found = stones(14, 3, variant=VARIANTS["transpositions"])
    names = {found.names.full(found.tree, node) for node in found.tree.nodes}
    rows = [row for figure in figures(found) for row in figure.rows]
    earlier = [row.value for row in rows if row.symbol == "="]
    assert earlier
    assert {*earlier} <= names


def test_merged_leaves_lead_to_earlier_nodes() -> None:
    found = figures(merged())
    [figure] = [figure for figure in found if figure.same_as is not None]
    assert texts(figure) == ["1", "= 2-4-8"]
    assert figure.words == "4-2-8: leaf, value 1, the same position as 2-4-8"
    assert found[figure.same_as or 0].words.startswith("2-4-8: leaf, value 1.")
    found = figures(stones(20, 3, 1, depth=4, variant=VARIANTS["transpositions"]))
    same = [figure for figure in found if "the same position as" in figure.words]
    assert {figure.same_as is None for figure in same} == {True, False}


def test_nodes_that_were_not_visited() -> None:
    found = figures(run(parse_tree("((3 12 8) (2 4 6))"), limit=3))
    assert texts(found[0])[0] == "v ?"
    assert [figure.is_cut_off for figure in found] == [False] * len(found)
    assert "D: leaf, not visited, minimax 3" in [figure.words for figure in found]
    huge = figures(uncompared(10, 1, depth=4))
    unvisited = [figure for figure in huge if not figure.is_visited]
    assert {figure.rows for figure in unvisited if figure.kind in ("max", "min")} == {()}


def test_collapsed_nodes_are_counted() -> None:
    found = figures(stones(20, 1, depth=4))
    more = [figure for figure in found if figure.kind == "more"]
    one = [figure for figure in more if texts(figure) == ["… 1", "node"]]
    assert one[0].words == "1 node, not drawn"
    assert any(texts(figure)[1] == "nodes" for figure in more)
    assert any(figure.is_cut_off and figure.bounds for figure in more)


def test_words_names_and_large_rows() -> None:
    found = figures(run(Board(7, [3, 6]), 0))
    assert any("cannot move and has lost" in figure.words for figure in found)
    assert printable("a\nb\x00\u202e") == "a\ufffdb\ufffd\ufffd"
    assert printable("x" * 20, 16) == "x" * 15 + "…"
    assert printable("x" * 16, 16) == "x" * 16
    for figure in figures(written()):
        if figure.is_visited:
            assert [row.is_main for row in figure.rows] == [True, *[False] * (len(figure.rows) - 1)]
        assert not any(row.is_main for row in figure.bounds)


def test_values_have_mathematical_signs() -> None:
    assert [symbol(value) for value in (-0.5, float("inf"), 3, 1e-20)] == [
        "−0.5",  # noqa: RUF001
        "∞",
        "3",
        "1e−20",  # noqa: RUF001
    ]


def test_an_exercise_has_empty_boxes() -> None:
    found = exercise(written())
    assert [row.symbol for row in found[0].rows] == ["v", "α", "β"]  # noqa: RUF001
    assert [row.value for row in found[1].rows] == [None] * 3
    assert texts(found[4]) == ["3"]
    assert not any(figure.is_best or figure.is_cut_off or figure.words for figure in found)
    found = exercise(written(), has_leaf_values=False)
    assert {row.value for figure in found for row in figure.rows} == {None}
