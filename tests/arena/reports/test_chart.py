"""Tests of the rating chart."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.bradley_terry import Ratings
from arena.reports.chart import (
    MAX_LABEL_LETTERS,
    MAX_TICK_INTERVALS,
    PLOT_WIDTH,
    ROW_HEIGHT,
    TWO_AXES_ROWS,
    Chart,
    rating_chart,
)
from tests.support.tournaments.rated_results import EqualVariances


def some_ratings(**elo: float) -> Ratings:
    """Return ratings with a margin of 98 Elo each."""
    return Ratings(elo, 0.0, EqualVariances(50), dict.fromkeys(elo, 0))


def make_chart(**elo: float) -> Chart:
    return rating_chart(some_ratings(**elo), [*elo])


def test_ticks_are_round() -> None:
    assert [text for _, text in make_chart(anna=400, bert=-400).ticks] == [
        *("-600", "-400", "-200", "0", "+200", "+400", "+600")
    ]
    assert [text for _, text in make_chart(anna=2000).ticks] == [
        *("+1900", "+1950", "+2000", "+2050", "+2100")
    ]
    ratings = replace(some_ratings(anna=0), variances=EqualVariances(0))
    assert [text for _, text in rating_chart(ratings, ["anna"]).ticks] == ["0", "+1"]


def test_bars() -> None:
    one, two = make_chart(anna=50, bert=-50).bars
    assert (one.label, one.value, one.y, two.y) == (
        "anna",
        "+50 ± 98",
        0.5 * ROW_HEIGHT,
        1.5 * ROW_HEIGHT,
    )
    assert one.low < two.high
    assert one.elo - one.low == pytest.approx(one.high - one.elo, abs=0.2)


@given(st.lists(st.floats(-4000, 4000), min_size=1, max_size=30))
def test_bars_are_within_the_axis(elo: list[float]) -> None:
    layout = make_chart(**{f"bot{place}": rating for place, rating in enumerate(elo)})
    ticks = [x for x, _ in layout.ticks]
    assert (ticks[0], ticks[-1]) == (layout.left, layout.left + PLOT_WIDTH)
    assert 2 <= len(ticks) <= MAX_TICK_INTERVALS + 1
    for bar in layout.bars:
        assert layout.left <= bar.low <= bar.elo <= bar.high <= layout.right


def test_tall_charts_have_two_axes_and_labels_a_size() -> None:
    few, many = (
        make_chart(**{f"b{place}": 0.0 for place in range(bots)})
        for bots in (TWO_AXES_ROWS - 1, TWO_AXES_ROWS)
    )
    assert (len(few.axes), len(many.axes)) == (1, 2)
    assert many.bars[0].y == 1.5 * ROW_HEIGHT
    (bar,) = make_chart(**{"x" * (MAX_LABEL_LETTERS + 1): 0}).bars
    assert bar.label == "x" * (MAX_LABEL_LETTERS - 1) + "…"
    assert make_chart(棋棋=0).left == make_chart(anna=0).left
