"""Leaderboards for spectators, on the database of a small finished tournament."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, MatchResult, Pairing, RatedResult, Tally, Termination
from arena.protocol.spectator import FindGames, HeadToHead, Leaderboard, TournamentInfo
from arena.spectators import leaderboards as leaderboards_module
from arena.spectators.leaderboards import LeaderboardQueries
from arena.spectators.queries import Queries
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.game import Solver

WIN = RatedResult("one", "two", 1, Termination.NO_LEGAL_MOVE)
FORFEIT = RatedResult("two", "one", 1, Termination.TIMEOUT)


@contextmanager
def open_leaderboards(
    db: Path, anchor: tuple[str, float] | None = None
) -> Iterator[LeaderboardQueries]:
    with DatabaseWriter(db) as writer, closing(Queries(db)) as queries:
        yield LeaderboardQueries(queries, writer, anchor)


@pytest.fixture
def leaderboards(complete: Path) -> Iterator[LeaderboardQueries]:
    with open_leaderboards(complete) as result:
        yield result


def compute(leaderboards: LeaderboardQueries, tally: Tally) -> Leaderboard:
    """Return the only leaderboard, which is of Take-Stones."""
    [leaderboard] = leaderboards.compute({"take_stones": tally}, None, []).tables
    return leaderboard


def test_leaderboard_has_ratings_and_head_to_head_records(leaderboards: LeaderboardQueries) -> None:
    leaderboard = compute(leaderboards, Tally({WIN: 3, FORFEIT: 1}))
    assert (leaderboard.game, leaderboard.finished, leaderboard.judged) == ("take_stones", 4, 0)
    assert [row.bot for row in leaderboard.bots] == ["one", "two"]
    assert [(row.wins, row.losses, row.forfeits) for row in leaderboard.bots] == [
        (3, 1, 1),
        (1, 3, 0),
    ]
    assert leaderboard.bots[0].elo
    assert leaderboard.bots[0].margin
    assert leaderboard.first_move.startswith("First move: ")
    assert HeadToHead(0, 1, (3, 0), (0, 1), 1) in leaderboard.meetings


def test_leaderboard_of_a_tournament_has_all_bots(leaderboards: LeaderboardQueries) -> None:
    tournament = TournamentInfo("take_stones", "swiss", ["ann", "bob"], 2, False, 1)
    [leaderboard] = leaderboards.compute({}, tournament, [("Points", "none yet")]).tables
    assert [(row.bot, row.elo, row.margin) for row in leaderboard.bots] == [
        ("ann", None, None),
        ("bob", None, None),
    ]
    assert [*leaderboard.blocks] == [("Points", "none yet")]


def test_head_to_head_records_are_limited(
    leaderboards: LeaderboardQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboards_module, "CROSSTABLE_BOTS", 1)
    leaderboard = compute(leaderboards, Tally({WIN: 3}))
    assert len(leaderboard.bots) == 2
    assert not leaderboard.meetings


def test_anchor_keeps_its_rating(complete: Path) -> None:
    with open_leaderboards(complete, ("two", 1000.0)) as leaderboards:
        leaderboard = compute(leaderboards, Tally({WIN: 3}))
    assert {row.bot: row.elo for row in leaderboard.bots}["two"] == pytest.approx(1000.0)


def test_judged_matches_are_stored_and_counted(complete: Path) -> None:
    with open_leaderboards(complete) as leaderboards:
        assert leaderboards.judge_matches(None)
        assert not leaderboards.judge_matches(None)
        leaderboard = compute(leaderboards, Tally({WIN: 6}))
        assert leaderboard.judged == leaderboard.finished == 6
    with DatabaseReader(complete) as records:
        assert len([*records.analysed("take_stones")]) == 6


def test_a_match_whose_solver_fails_is_skipped(
    leaderboards: LeaderboardQueries, complete: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Solver:
        raise RuntimeError("out of order")

    monkeypatch.setitem(GAMES, "take_stones", GAMES["take_stones"]._replace(solver=fail))
    assert leaderboards.judge_matches(None)
    assert not leaderboards.judge_matches(None)
    with DatabaseReader(complete) as records:
        assert not [*records.analysed("take_stones")]


def test_leaderboard_has_accuracies(leaderboards: LeaderboardQueries, complete: Path) -> None:
    leaderboards.judge_matches(None)
    with DatabaseReader(complete) as records:
        [leaderboard] = leaderboards.compute(records.tallies(), None, []).tables
    assert any(row.accuracy is not None for row in leaderboard.bots)


def test_batch_ends_at_its_time_limit(
    leaderboards: LeaderboardQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboards_module, "JUDGE_SECONDS", -1.0)
    assert leaderboards.judge_matches(None)
    leaderboard = compute(leaderboards, Tally({WIN: 6}))
    assert leaderboard.judged == 1


def test_matches_after_a_running_one_are_not_judged(leaderboards: LeaderboardQueries) -> None:
    leaderboards.judge_matches(4)
    leaderboard = compute(leaderboards, Tally({WIN: 6}))
    assert leaderboard.judged == 3
    assert leaderboards.judge_matches(None)


def test_stored_verdicts_are_counted(complete: Path) -> None:
    for is_new in (True, False):
        with open_leaderboards(complete) as leaderboards:
            assert leaderboards.judge_matches(None) == is_new
            leaderboard = compute(leaderboards, Tally({WIN: 6}))
            assert leaderboard.judged == 6


def test_casual_match_is_not_judged(db: Path) -> None:
    pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 7}, casual=True, time="5")
    with DatabaseWriter(db) as writer:
        match = writer.begin_match(pairing, "5", 1.0).result()
        result = MatchResult(Termination.RESIGNATION, 1, "player 2 (bob) resigned")
        writer.finish_match(MatchRecord(match, pairing, "5", 1.0, 2.0, result, ())).result()
        with closing(Queries(db)) as queries:
            assert not LeaderboardQueries(queries, writer).judge_matches(None)
            assert len(queries.games(FindGames(1)).games) == 1
