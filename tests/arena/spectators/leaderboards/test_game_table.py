"""Leaderboard of one game: rows, margins and head-to-head records."""

import pytest

from arena.analysis.accuracy import Accuracy
from arena.model.results import PairScore, RatedResult, Tally, Termination
from arena.protocol.codec import RequestError
from arena.protocol.spectator import HeadToHead, Leaderboard
from arena.ratings import rate
from arena.spectators.leaderboards import game_table as module
from arena.spectators.leaderboards.game_table import GameTable
from arena.tournament.format_state import FormatState
from arena.tournament.standings import HeadToHeadRecord, head_to_head, standings
from tests.support.tournaments.rated_results import random_results

WIN = RatedResult("one", "two", 1, Termination.NO_LEGAL_MOVE)
FORFEIT = RatedResult("two", "one", 1, Termination.TIMEOUT)
BOTS = [f"bot {number}" for number in range(10)]


def make_table(*results: RatedResult) -> GameTable:
    table = GameTable()
    table.add(results)
    return table


def leaderboard(table: GameTable, *bots: str) -> Leaderboard:
    return table.leaderboard("take_stones", bots, {"one": Accuracy(2, 3, 1)}, FormatState())


def test_leaderboard_has_ratings_and_head_to_head_records() -> None:
    found = leaderboard(make_table(WIN, WIN, WIN, FORFEIT))
    assert (found.game, found.finished, found.judged, found.omitted) == ("take_stones", 4, 1, 0)
    assert [row.bot for row in found.bots] == ["one", "two"]
    assert [(row.wins, row.losses, row.forfeits) for row in found.bots] == [(3, 1, 1), (1, 3, 0)]
    assert [row.accuracy for row in found.bots] == [0.75, None]
    assert found.bots[0].elo
    assert found.bots[0].margin
    assert "95 %" in found.first_move
    assert [*found.meetings] == [HeadToHead(0, 1, (3, 0), (0, 1), 1)]


def test_rows_are_those_of_the_standings() -> None:
    results = random_results(BOTS, 300)
    found, tally = leaderboard(make_table(*results), "new"), Tally(results)
    ratings = rate(tally)
    expected = standings(tally, ratings, ["new"])
    assert [row.bot for row in found.bots] == [standing.bot for standing in expected]
    for row, standing in zip(found.bots, expected, strict=True):
        assert (row.wins, row.draws) == (standing.wins, standing.draws)
        assert (row.losses, row.forfeits) == (standing.losses, standing.forfeits.total())
        if row.bot != "new":
            assert row.elo == pytest.approx(ratings.elo[row.bot], abs=0.006)
            assert row.margin == pytest.approx(ratings.margin(row.bot), abs=0.006)


def test_results_count_in_pairs_and_several_times() -> None:
    table = make_table(WIN, FORFEIT)
    table.add([], None, [PairScore("one", "two", 2, 2, 3, 3, 3)])
    assert [row.pairs for row in leaderboard(table, "new").bots] == [
        (3, 0, 0),
        (0, 0, 3),
        (0, 0, 0),
    ]
    table = GameTable()
    table.add([WIN], [5])
    assert leaderboard(table).finished == 5


def test_head_to_head_records_are_those_of_the_results() -> None:
    results = random_results(BOTS, 300)
    found = leaderboard(make_table(*results))
    records = head_to_head(Tally(results))
    names = [row.bot for row in found.bots]
    for shown in found.meetings:
        one, two = names[shown.one], names[shown.other]
        record = HeadToHeadRecord(shown.first, shown.second, shown.forfeits, shown.draws)
        assert record == records[one, two]
    assert 2 * len(found.meetings) == len(records)


def test_head_to_head_records_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CROSSTABLE_BOTS", 1)
    found = leaderboard(make_table(WIN))
    assert len(found.bots) == 2
    assert not found.meetings


def test_a_reference_has_head_to_head_records_against_all(monkeypatch: pytest.MonkeyPatch) -> None:
    bots, state = [*BOTS, "new"], FormatState()
    table = make_table(*random_results(BOTS, 300))
    everything = table.leaderboard("take_stones", bots, {}, state)
    monkeypatch.setattr(module, "CROSSTABLE_BOTS", 1)
    monkeypatch.setattr(module, "REFERENCES", 2)
    found = table.leaderboard("take_stones", bots, {}, state, BOTS[3:6])
    places = {row.bot: place for place, row in enumerate(found.bots)}
    references = {places[bot] for bot in BOTS[3:5]}
    expected = [each for each in everything.meetings if references & {each.one, each.other}]
    assert found.meetings == expected
    assert len(expected) == 9 + 8


def test_large_leaderboard_has_margins_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MARGIN_BOTS", 1)
    table = make_table(WIN, FORFEIT)
    found = leaderboard(table, "new")
    assert [row.margin for row in found.bots] == [None, None, None]
    assert "95 %" not in found.first_move
    first_move, margins = table.margins()
    assert ({*margins}, "95 %" in first_move) == ({"one", "two"}, True)


def test_margins_belong_to_the_latest_leaderboard() -> None:
    table = make_table(WIN)
    leaderboard(table)
    before = table.margins()
    table.add([WIN] * 9)
    assert table.margins() is before
    leaderboard(table)
    assert table.margins()[1]["one"] != before[1]["one"]


def test_margins_of_too_many_bots_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MATRIX_BOTS", 1)
    table = make_table(WIN)
    leaderboard(table)
    with pytest.raises(RequestError, match="at most 1 bots, not for 2") as error:
        table.margins()
    assert error.value.code == "too_large"


def test_bots_with_the_most_matches_have_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 2)
    found = leaderboard(make_table(WIN, WIN, WIN._replace(two="three")), "new")
    assert [row.bot for row in found.bots] == ["one", "two"]
    assert found.omitted == 1
