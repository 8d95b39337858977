"""What is known of the bots while they play."""

import pytest

from arena.model.results import MatchRecord, Outcome, Tally, Termination
from arena.ratings.bradley_terry import Ratings, rate
from arena.tournament import leaderboard as scoreboard
from arena.tournament.leaderboard import Scoreboard
from tests.support.records import a_casual, a_pairing, a_record, an_aborted

BEFORE = Tally({Outcome("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 3})


def a_board(anchor: tuple[str, float] | None = None) -> Scoreboard:
    """A scoreboard of three bots, of which two have played."""
    return Scoreboard(("anna", "bert", "carl"), BEFORE.copy(), anchor)


def counts(board: Scoreboard) -> dict[str, tuple[int, int]]:
    return {line.bot: (line.wins, line.losses) for line in board.standings}


def test_it_goes_on_from_what_has_been_before() -> None:
    assert counts(a_board()) == {"anna": (3, 0), "bert": (0, 3), "carl": (0, 0)}


def test_it_counts() -> None:
    board = a_board()
    board.finished(a_record(a_pairing(players=("anna", "carl")), 2))
    board.finished(a_record(a_pairing(players=("anna", "carl")), 2, Termination.TIMEOUT))
    assert counts(board) == {"carl": (2, 0), "anna": (3, 2), "bert": (0, 3)}


def test_what_is_aborted_does_not_count() -> None:
    board = a_board()
    board.finished(an_aborted())
    assert counts(board)["anna"] == (3, 0)


def test_what_is_casual_does_not_count() -> None:
    board = a_board()
    board.finished(a_record(a_casual()))
    assert counts(board)["anna"] == (3, 0)


def test_it_rates() -> None:
    assert a_board().ratings.elo == rate(BEFORE).elo


def test_it_rates_anew_after_a_match() -> None:
    board = a_board()
    before = board.ratings
    assert board.ratings is before
    board.finished(a_record())
    assert board.ratings.elo["anna"] > before.elo["anna"]


def test_the_anchor_has_its_rating() -> None:
    assert a_board(("bert", 1500)).ratings.elo["bert"] == 1500


def test_the_table_is_ordered_by_the_ratings() -> None:
    board = a_board()
    for _ in range(9):
        board.finished(a_record(winner=2))
    assert [line.bot for line in board.standings] == ["bert", "anna", "carl"]


def test_a_match_may_end_while_ratings_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a terminal, where a thread of its own draws the table."""
    board = a_board()
    coming: list[MatchRecord] = [a_record()]

    def rate_slowly(tally: Tally, anchor: tuple[str, float] | None) -> Ratings:
        if coming:
            board.finished(coming.pop())
        return rate(tally, anchor)

    monkeypatch.setattr(scoreboard, "rate", rate_slowly)
    assert board.ratings.elo == rate(BEFORE).elo
    assert board.ratings.elo["anna"] > rate(BEFORE).elo["anna"]
