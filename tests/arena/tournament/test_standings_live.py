"""Tests of the live standings."""

import pytest

from arena.model.results import PairScore, RatedResult, Tally, Termination
from arena.ratings import rate
from arena.tournament.standings import LiveStandings, StoredResults

ANNA_WINS = RatedResult("anna", "bert", 1, Termination.NO_LEGAL_MOVE)
BERT_WINS = RatedResult("bert", "anna", 1, Termination.TIMEOUT)


class Results:
    """Results of a tournament of three bots, two of which have played."""

    def __init__(self) -> None:
        self.tally = Tally({ANNA_WINS: 3})
        self.scores: list[PairScore] = []

    def read(self) -> StoredResults:
        return StoredResults(self.tally.copy(), [*self.scores])

    def live(self, anchor: tuple[str, float] | None = None) -> LiveStandings:
        return LiveStandings(("anna", "bert", "carl"), self.read, anchor)


def test_the_table_has_all_bots_and_results() -> None:
    table = Results().live().table()
    numbers = {standing.bot: (standing.wins, standing.losses) for standing in table.standings}
    assert numbers == {"anna": (3, 0), "bert": (0, 3), "carl": (0, 0)}


def test_the_table_has_the_ratings_of_the_results() -> None:
    results = Results()
    results.tally[BERT_WINS] = 3
    results.scores = [PairScore("anna", "bert", 2, 0, 3, 2, 5)]
    table, ratings = results.live().table(), rate(results.tally, results.scores)
    assert table.ratings.elo == ratings.elo
    assert table.ratings.margin("anna") == pytest.approx(ratings.margin("anna"))
    assert {standing.bot: standing.pairs for standing in table.standings} == {
        "anna": (0, 3, 0),
        "bert": (0, 3, 0),
        "carl": (0, 0, 0),
    }


def test_new_results_change_the_table() -> None:
    results = Results()
    live = results.live()
    before = live.table()
    assert live.table() is before
    results.tally[BERT_WINS] = 9
    after = live.table()
    assert [standing.bot for standing in after.standings] == ["bert", "anna", "carl"]
    assert after.ratings.elo["anna"] < before.ratings.elo["anna"]


def test_the_anchor_keeps_its_rating() -> None:
    assert Results().live(("bert", 1500)).table().ratings.elo["bert"] == 1500
