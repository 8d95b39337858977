"""The variants: their names and titles."""

from core.alpha_beta import FIGURE_5_7, MINIMAX, VARIANTS


def test_the_first_variant_is_figure_5_7() -> None:
    assert (next(iter(VARIANTS)), VARIANTS["alpha-beta"]) == ("alpha-beta", FIGURE_5_7)


def test_only_minimax_does_not_prune() -> None:
    assert [variant for variant in VARIANTS.values() if not variant.prunes] == [MINIMAX]


def test_titles_differ() -> None:
    assert len({variant.title for variant in VARIANTS.values()}) == len(VARIANTS)
