"""The standing of a bot, against the standings and the head-to-head records of tournaments."""

from collections.abc import Sequence

import pytest

from arena.analysis.accuracy import Accuracy
from arena.model.results import RatedResult, Tally, Termination
from arena.protocol.bots import BotStanding, Score
from arena.ratings import rate
from arena.spectators.leaderboards import game_table as module
from arena.spectators.leaderboards.game_table import GameTable
from arena.tournament.standings import head_to_head, standings
from tests.support.cases import loop_over
from tests.support.tournaments.rated_results import random_results

BOTS = [f"bot {number}" for number in range(10)]
RESULTS = random_results(BOTS, 300)


def no_forfeits(opponents: Sequence[str]) -> dict[str, int]:
    assert opponents
    return {}


def make_table(results: Sequence[RatedResult]) -> GameTable:
    table = GameTable()
    table.add(results)
    table.rate()
    return table


def standing_of(bot: str, results: Sequence[RatedResult] = RESULTS) -> BotStanding:
    return make_table(results).standing("take_stones", bot, None, no_forfeits)


def counts(score: Score) -> tuple[int, int, int]:
    return score.won, score.drawn, score.lost


@loop_over("bot", BOTS)
def test_rating_and_results_are_those_of_the_standings(bot: str) -> None:
    found, tally = standing_of(bot), Tally(RESULTS)
    ratings = rate(tally)
    rows = standings(tally, ratings)
    [(place, row)] = [(at, row) for at, row in enumerate(rows, 1) if row.bot == bot]
    assert counts(found.score) == (row.wins, row.draws, row.losses)
    assert found.elo == pytest.approx(ratings.elo[bot], abs=0.006)
    assert found.margin == pytest.approx(ratings.margin(bot), abs=0.006)
    assert (found.rated, found.matches) == (10, 300)
    assert found.rank == place or (found.is_shared and found.rank < place)
    assert (found.accuracy, found.judged) == (None, 0)


@loop_over("bot", BOTS)
def test_opponents_have_the_head_to_head_records(bot: str) -> None:
    found, records = standing_of(bot), head_to_head(Tally(RESULTS))
    expected = {opponent: record for (one, opponent), record in records.items() if one == bot}
    assert {opponent.bot for opponent in found.opponents} == {*expected}
    for opponent in found.opponents:
        record = expected[opponent.bot]
        (won, lost), drawn = record.first, record.draws[0]
        assert counts(opponent.first) == (won, drawn, lost)
        (won, lost), drawn = record.second, record.draws[1]
        assert counts(opponent.second) == (won, drawn, lost)
        assert opponent.forfeits == record.forfeits
    for side in ("first", "second"):
        of_opponents = zip(
            *(counts(getattr(opponent, side)) for opponent in found.opponents), strict=True
        )
        assert counts(getattr(found, side)) == tuple(map(sum, of_opponents))


def test_opponents_with_the_most_matches_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [sum(counts(opponent.score)) for opponent in standing_of("bot 3").opponents]
    assert played == sorted(played, reverse=True)
    monkeypatch.setattr(module, "MAX_OPPONENTS", 4)
    cut = standing_of("bot 3")
    assert [sum(counts(opponent.score)) for opponent in cut.opponents] == played[:4]
    assert cut.omitted == len(played) - 4
    assert sum(counts(cut.score)) == sum(played)


def test_equal_ratings_share_a_rank() -> None:
    def win(one: str, two: str) -> RatedResult:
        return RatedResult(one, two, 1, Termination.NO_LEGAL_MOVE)

    results = [win("best", "a"), win("best", "b"), win("a", "best"), win("b", "best")]
    results += [win("best", "a"), win("best", "b")]
    ranks = {bot: standing_of(bot, results) for bot in ("best", "a", "b")}
    assert [(row.rank, row.is_shared) for row in ranks.values()] == [
        (1, False),
        (2, True),
        (2, True),
    ]


def test_very_many_bots_have_no_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MATRIX_BOTS", 9)
    assert standing_of("bot 1").margin is None


def test_forfeits_and_accuracy_are_taken_over() -> None:
    asked: list[str] = []

    def find_forfeits(opponents: Sequence[str]) -> dict[str, int]:
        asked.extend(opponents)
        return {"timeout": 2}

    table = make_table(RESULTS)
    found = table.standing("take_stones", "bot 1", Accuracy(4, 3, 1), find_forfeits)
    assert {*asked} == {opponent.bot for opponent in found.opponents}
    assert (found.forfeits, found.accuracy, found.judged) == ({"timeout": 2}, 0.75, 4)
