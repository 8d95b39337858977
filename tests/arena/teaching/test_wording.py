"""The steps in words, with their lines of pseudocode."""

from itertools import islice

from arena.teaching import FIGURE_5_7, VARIANTS, GameTree, Names, steps, trace
from arena.teaching.notation import parse_tree
from core.game import Position
from core.take_stones import Board
from tests.support.cases import loop_over

TREE = parse_tree("((3 5) (2 9) (7 1))")  # A(B(E F) C(G H) D(I J))
MIN = parse_tree("min ((3 5) (9 2 4))")  # A(B(D E) C(F G H))


def words(start: Position | GameTree, variant: str = "alpha-beta", depth: int = 0) -> list[str]:
    chosen = VARIANTS[variant]
    return [
        step.words for step in steps(trace(start, depth, variant=chosen), chosen, Names.of(start))
    ]


@loop_over(
    "sentence",
    "Enter A (Max) with alpha -infinity and beta infinity.",
    "A has 3 children: B, C and D. Its v starts at -infinity.",
    "Enter B (Min) with alpha -infinity and beta infinity.",
    "B has 2 children: E and F. Its v starts at infinity.",
    "E has the value 3. It is a leaf.",
    "E returns 3.",
    "E gives B the value 3: v becomes 3 and beta becomes 3.",
    "F gives B the value 5: it is not smaller, so v stays 3.",
    "B gives A the value 3: v becomes 3 and alpha becomes 3.",
    "Enter C (Min) with alpha 3 and beta infinity.",
    "G gives C the value 2: v becomes 2.",
    "At C, v 2 is at most alpha 3, so its other child H is cut off.",
    "C returns 2.",
    "C gives A the value 2: it is not larger, so v stays 3.",
    "At D, v 1 is at most alpha 3, but no other child is left to be cut off.",
)
def test_alpha_beta(sentence: str) -> None:
    assert sentence in words(TREE)


def test_words_of_other_roots_and_variants() -> None:
    found = words(MIN)
    assert found[0] == "Enter A (Min) with alpha -infinity and beta infinity."
    assert "At C, v 9 is at least beta 5, so its other children G and H are cut off." in found
    found = words(TREE, "minimax")
    assert "Enter C (Min)." in found
    assert "E gives B the value 3: v becomes 3." in found
    assert not [sentence for sentence in found if "alpha" in sentence or "beta" in sentence]
    found = words(TREE, "fail-hard")
    assert "C returns the bound 3." in found
    assert "B returns 3." in found


def test_children_are_counted_and_limits_said() -> None:
    assert "A has one child: B. Its v starts at -infinity." in words(parse_tree("(1)"))
    tree = parse_tree(f"({' '.join(map(str, range(30)))})")
    first = (
        "A has 30 children: B, C, D, E, F, G, H, I, J, K and 20 more. Its v starts at -infinity."
    )
    assert words(tree)[1] == first
    found = [*steps(trace(TREE, limit=2), VARIANTS["alpha-beta"], Names.of(TREE))]
    assert found[-1].words == "The trace stops here: it is limited to 2 steps."


def test_an_evaluation_has_its_reason() -> None:
    assert words(Board(7, [3, 6]), depth=2)[5] == (
        "1-2 has the value 0.7. Stone 1 is taken. The last stone, 2, is prime. Of the 1 legal "
        "move, 1 is a multiple of 2 (4): an odd number, which is worth 0.7 for Max, who is to move."
    )


def test_equal_positions_are_named_with_their_bounds() -> None:
    found = words(Board(7, [3, 6]), "transpositions")
    assert "2-1-4 is the same position as 1-2-4, whose value 1 suffices." in found
    found = words(Board(13, [3]), "transpositions")
    assert any("whose value at least 1 suffices." in sentence for sentence in found)


def test_each_event_has_words_and_lines() -> None:
    found = [*steps(trace(TREE), FIGURE_5_7, Names.of(TREE))]
    assert [step.event for step in found] == [*trace(TREE)]
    assert all(step.words and step.lines for step in found)


def test_steps_are_lazy() -> None:
    board = Board(1000)
    assert len([*islice(steps(trace(board), FIGURE_5_7, Names.of(board)), 100)]) == 100
