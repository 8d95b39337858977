"""Panels of a game, by kind."""

from pathlib import Path

from arena.reports.plots import KINDS
from arena.reports.plots.panels import plot_panels
from arena.storage.spectator_reader import PlotReader
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import make_record

TITLES = {
    "rating": ["Ratings in Elo by number of matches"],
    "openings": ["Points of player 1 by opening", "Points of each bot by side"],
    "lengths": ["Number of games by length"],
    "time": [],  # none was measured
}


@loop_over("kinds", [*([kind] for kind in KINDS), KINDS])
def test_each_kind_has_its_panels(db: Path, kinds: list[str]) -> None:
    with DatabaseWriter(db) as writer:
        store_record(writer, make_record())
    with PlotReader(db) as records:
        panels = plot_panels(records, "take_stones", {"anna": 10.0, "bert": -10.0}, None, kinds)
    expected = [title for kind in kinds for title in TITLES[kind]]
    assert [panel.title for panel in panels] == expected


@loop_over(
    "elo, names",
    ({"anna": -10.0, "bert": 10.0}, ["bert", "anna"]),
    ({"bert": 0.0, "anna": 0.0}, ["anna", "bert"]),
)
def test_the_best_bot_comes_first(db: Path, elo: dict[str, float], names: list[str]) -> None:
    with DatabaseWriter(db) as writer:
        store_record(writer, make_record())
    with PlotReader(db) as records:
        _, by_side = plot_panels(records, "take_stones", elo, None, ["openings"])
    assert [name for _, name in sorted(by_side.y_ticks)] == names
