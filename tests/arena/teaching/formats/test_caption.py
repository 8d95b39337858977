from arena.teaching import run
from arena.teaching.formats.caption import LISTED, caption, description
from arena.teaching.notation import parse_tree
from tests.arena.teaching.formats.runs import stones, uncompared, written


def test_a_caption_has_the_result_and_its_cost() -> None:
    assert caption(written()) == [
        "Search: alpha-beta (Figure 5.7, fail-soft).",
        "Max chooses B with the value 3.",
        "Nodes visited: 11 of 13, evaluated: 7 of 9.",
        "Minimax gives the same value.",
    ]


def test_captions_say_who_may_choose_and_what_is_missing() -> None:
    assert caption(written("min (3 -4)"))[1] == "Min chooses C with the value −4."  # noqa: RUF001
    found = caption(run(parse_tree("((3 12 8) (2 4 6))"), limit=3))
    assert found[1:] == [
        "Nodes visited: 2 of 9, evaluated: 0 of 6.",
        "The search was stopped after 3 steps.",
    ]
    found = caption(uncompared(10, 1, depth=4))
    assert found[-1].startswith("Nodes visited: ")
    assert " of " not in found[-1]
    known = written()
    other = known._replace(minimax=known.minimax and known.minimax._replace(value=-2.0))
    assert caption(other)[-1] == "Minimax gives −2."  # noqa: RUF001


def test_a_description_lists_a_few_cutoffs_and_counts_the_others() -> None:
    text = description(written("((3 12 8) (2 4 6) (((1 2) 9) (2 5)))"))
    assert "C is cut off at alpha 3, without I and 1 more." in text
    assert "more cutoffs" not in text
    assert "is cut off at beta" in description(stones(10, 1, depth=4))
    text = description(stones(20, 1, depth=4))
    assert text.count("is cut off") == LISTED
    assert text.endswith("more cutoffs.")
