"""The variants: their names and titles."""

from arena.teaching import FIGURE_5_7, MINIMAX, VARIANTS


def test_only_figure_5_7_is_first_and_only_minimax_does_not_prune() -> None:
    assert (next(iter(VARIANTS)), VARIANTS["alpha-beta"]) == ("alpha-beta", FIGURE_5_7)
    assert [variant for variant in VARIANTS.values() if not variant.prunes] == [MINIMAX]
    assert len({variant.title for variant in VARIANTS.values()}) == len(VARIANTS)
