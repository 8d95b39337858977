"""Plots for spectators: when they are drawn again, and which games have too many matches."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.protocol.codec import RequestError
from arena.protocol.plots import Panel
from arena.ratings import rate
from arena.spectators.leaderboards import plots
from arena.spectators.leaderboards.plots import LEAST_AGE, SHARE, Drawn, GamePlots
from arena.storage.spectator_reader import PlotReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import make_pairing, make_record

GAME = "take_stones"


class Clock:
    """A clock that stands still, or goes on by `step` seconds with each look."""

    def __init__(self) -> None:
        self.now = 100.0
        self.step = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def writer(db: Path) -> Iterator[DatabaseWriter]:
    with DatabaseWriter(db) as writer:
        store_record(writer, make_record(make_pairing(1)))
        yield writer


@pytest.fixture
def records(writer: DatabaseWriter) -> Iterator[PlotReader]:
    with PlotReader(writer.path) as records:
        yield records


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def game_plots(records: PlotReader, clock: Clock) -> GamePlots:
    return GamePlots(records, clock=clock)


def find(game_plots: GamePlots, records: PlotReader) -> Drawn[list[Panel]]:
    return game_plots.find(GAME, rate(records.tallies()[GAME]).elo)


def test_without_new_matches_nothing_is_drawn_again(
    records: PlotReader, game_plots: GamePlots, clock: Clock
) -> None:
    before = find(game_plots, records)
    assert (before.matches, before.value[0].title) == (1, "Ratings in Elo by number of matches")
    clock.now += 10 * LEAST_AGE
    assert find(game_plots, records) is before


@pytest.mark.parametrize(("seconds", "age"), [(0.0, LEAST_AGE), (2.0, 2.0 / SHARE)])
def test_new_matches_are_drawn_after_a_while(
    writer: DatabaseWriter,
    records: PlotReader,
    game_plots: GamePlots,
    clock: Clock,
    seconds: float,
    age: float,
) -> None:
    """Plots that take long are drawn rarely."""
    clock.step = seconds
    assert find(game_plots, records).matches == 1
    clock.step = 0.0
    store_record(writer, make_record(make_pairing(3)))
    clock.now += age - 0.1
    assert find(game_plots, records).matches == 1
    clock.now += 0.2
    assert find(game_plots, records).matches == 2


def test_too_many_matches_are_refused(
    records: PlotReader, game_plots: GamePlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "MAX_MATCHES", 0)
    with pytest.raises(RequestError, match=r"at most 0 matches, not for 1$"):
        find(game_plots, records)


def find_ratings(game_plots: GamePlots, records: PlotReader, bot: str) -> tuple[int, list[Panel]]:
    return game_plots.find_ratings(GAME, rate(records.tallies()[GAME]).elo, bot)


def test_ratings_of_too_many_bots_are_not_drawn(
    game_plots: GamePlots, records: PlotReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "MAX_BOTS", 1)
    titles = [panel.title for panel in find(game_plots, records).value]
    monkeypatch.undo()
    with_ratings = GamePlots(records)
    all_titles = [panel.title for panel in find(with_ratings, records).value]
    assert titles == all_titles[1:]


def test_ratings_of_a_bot_are_its_final_ones(game_plots: GamePlots, records: PlotReader) -> None:
    elo = rate(records.tallies()[GAME]).elo
    for bot, rating in elo.items():
        matches, [panel] = find_ratings(game_plots, records, bot)
        sign = "+" if rating > 0 else "\N{MINUS SIGN}"
        assert matches == 1
        assert f"{bot} {sign}{abs(rating):.0f}." in panel.description
        assert len([shape for shape in panel.shapes if shape.tooltip]) == 1


def test_bot_that_came_later_has_its_own_plot(
    writer: DatabaseWriter, records: PlotReader, game_plots: GamePlots
) -> None:
    for number in range(2, 6):
        store_record(writer, make_record(make_pairing(2 * number, ("anna", "zoe"))))
    matches, [panel] = find_ratings(game_plots, records, "zoe")
    assert matches == 5
    assert [label.text for label in panel.labels] == ["zoe"]


def test_ratings_of_all_bots_are_computed_together(
    records: PlotReader, game_plots: GamePlots, clock: Clock
) -> None:
    clock.step = 2.0
    find_ratings(game_plots, records, "anna")
    clock.step = 0.0
    before = clock.now
    assert find_ratings(game_plots, records, "bert")[0] == 1
    assert clock.now == before


def test_too_many_bots_have_no_ratings_over_time(
    records: PlotReader, game_plots: GamePlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "MAX_BOTS", 1)
    with pytest.raises(RequestError, match=r"at most 1 bots, not for 2$") as error:
        find_ratings(game_plots, records, "anna")
    assert error.value.code == "too_large"
