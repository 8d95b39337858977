"""What is stored and computed for viewers, from a small tournament that has been played."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, MatchResult, Pairing, RatedResult, Tally, Termination
from arena.protocol.errors import RequestError
from arena.protocol.spectator import Analyse, FindGames, FindRecord, HeadToHead, TournamentInfo
from arena.spectators import queries as module
from arena.spectators.queries import Queries
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from core.take_stones import Board
from core.take_stones.solver import solve

SOLVED = RatedResult("one", "two", 1, Termination.NO_LEGAL_MOVE)
FORFEIT = RatedResult("two", "one", 1, Termination.TIMEOUT)


@contextmanager
def opened(db: Path, anchor: tuple[str, float] | None = None) -> Iterator[Queries]:
    with DatabaseWriter(db) as store, closing(Queries(store, anchor)) as result:
        yield result


@pytest.fixture
def library(complete: Path) -> Iterator[Queries]:
    with opened(complete) as result:
        yield result


def test_a_library_that_was_not_used_can_be_closed(db: Path) -> None:
    with opened(db):
        pass


def test_the_latest_games_come_first(library: Queries) -> None:
    games = library.games(FindGames(7, limit=4))
    assert [summary.facts.match for summary in games.games] == [6, 5, 4, 3]
    assert (games.request, games.more) == (7, True)


def test_the_first_games_are_the_last_page(library: Queries) -> None:
    games = library.games(FindGames(7, before=3, limit=2))
    assert [summary.facts.match for summary in games.games] == [2, 1]
    assert not games.more


def test_games_can_be_those_of_one_bot(library: Queries) -> None:
    games = library.games(FindGames(7, bot="greedy")).games
    assert len(games) == 4
    assert all("greedy" in summary.facts.players for summary in games)


def test_a_match_is_told_with_who_wins(library: Queries) -> None:
    match = library.match(1)
    moves = [*match.moves.moves]
    assert match.winners
    assert [*match.winners] == [
        solve(Board(7, moves[:ply])).winner for ply in range(len(moves) + 1)
    ]
    assert match.result
    assert len(match.moves.charged_ms) == len(moves)


def test_a_match_that_is_not_there_cannot_be_told(library: Queries) -> None:
    with pytest.raises(RequestError, match="there is no match 99"):
        library.match(99)
    with pytest.raises(RequestError) as caught:
        library.match(10**30)
    assert caught.value.code == "damaged"


def test_a_record_is_told_as_text(library: Queries) -> None:
    record = library.record(FindRecord(3, 1))
    assert record.request == 3
    assert record.text.startswith('[Game "take_stones"]')


@pytest.mark.parametrize(
    "damage",
    [
        "setup = '{}'",
        "game = 'chess'",
        """setup = '{"stones": -1}'""",
        "time_control = 'soon'",
        "setup = '{\"stones\": 3}'",
    ],
)
def test_a_damaged_match_is_told_as_such(complete: Path, damage: str) -> None:
    with closing(sqlite3.connect(complete)) as db, db:
        db.execute(f"UPDATE matches SET {damage} WHERE id = 1")
    with opened(complete) as library, pytest.raises(RequestError) as caught:
        library.match(1)
    assert caught.value.code == "damaged"
    assert "match 1 is damaged" in str(caught.value)


def test_damaged_games_are_told_as_such(complete: Path) -> None:
    with closing(sqlite3.connect(complete)) as db, db:
        db.execute("UPDATE matches SET time_control = 'soon' WHERE id = 1")
    with opened(complete) as library, pytest.raises(RequestError, match="soon"):
        library.games(FindGames(1))


def test_a_position_is_analysed(library: Queries) -> None:
    analysis = library.analysis(Analyse(5, "take_stones", {"stones": 7}, [3]))
    assert (analysis.request, analysis.player, [*analysis.legal_moves]) == (5, 2, [1, 6])


def test_a_bad_position_is_refused(library: Queries) -> None:
    with pytest.raises(RequestError) as caught:
        library.analysis(Analyse(5, "take_stones", {"stones": 7}, [2, 3]))
    assert caught.value.code == "bad_position"


def test_who_wins_is_followed_through_a_match(library: Queries) -> None:
    first = library.winners(1, "take_stones", {"stones": 7}, [3])
    then = library.winners(1, "take_stones", {"stones": 7}, [3, 1])
    assert first
    assert then
    assert [*then][:2] == [*first]
    library.forget(1)
    library.forget(1)
    assert library.winners(1, "take_stones", {"stones": 7}, [3, 1]) == then


def test_nobody_knows_who_wins_without_a_solver(library: Queries) -> None:
    assert library.winners(1, "isolation", {}, []) is None


def test_a_table_has_ratings_and_meetings(library: Queries) -> None:
    [table] = library.tables({"take_stones": Tally({SOLVED: 3, FORFEIT: 1})}, None, []).tables
    assert (table.game, table.finished, table.judged) == ("take_stones", 4, 0)
    assert [line.bot for line in table.bots] == ["one", "two"]
    assert [(line.wins, line.losses, line.forfeits) for line in table.bots] == [
        (3, 1, 1),
        (1, 3, 0),
    ]
    assert table.bots[0].elo
    assert table.bots[0].margin
    assert table.first_move.startswith("First move: ")
    assert HeadToHead(0, 1, (3, 0), (0, 1), 1) in table.meetings


def test_a_tournament_shows_all_its_bots(library: Queries) -> None:
    tournament = TournamentInfo("take_stones", "swiss", ["ann", "bob"], 2, False, 1)
    [table] = library.tables({}, tournament, [("Points", "none yet")]).tables
    assert [(line.bot, line.elo, line.margin) for line in table.bots] == [
        ("ann", None, None),
        ("bob", None, None),
    ]
    assert [*table.blocks] == [("Points", "none yet")]


def test_large_crosstables_are_cut(library: Queries, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CROSSTABLE", 1)
    [table] = library.tables({"take_stones": Tally({SOLVED: 3})}, None, []).tables
    assert len(table.bots) == 2
    assert not table.meetings


def test_the_anchor_has_its_rating(complete: Path) -> None:
    with opened(complete, ("two", 1000.0)) as library:
        [table] = library.tables({"take_stones": Tally({SOLVED: 3})}, None, []).tables
    assert {line.bot: line.elo for line in table.bots}["two"] == pytest.approx(1000.0)


def test_matches_are_judged_and_the_table_knows(complete: Path) -> None:
    with opened(complete) as library:
        assert library.judge(None)
        assert not library.judge(None)
        [table] = library.tables({"take_stones": Tally({SOLVED: 6})}, None, []).tables
        assert table.judged == table.finished == 6
    with DatabaseReader(complete) as records:
        assert len([*records.analysed("take_stones")]) == 6


def test_a_table_has_the_accuracies_of_its_bots(library: Queries, complete: Path) -> None:
    library.judge(None)
    with DatabaseReader(complete) as records:
        [table] = library.tables(records.tallies(), None, []).tables
    assert any(line.accuracy is not None for line in table.bots)


def test_matches_are_judged_a_few_at_a_time(
    library: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "JUDGE_SECONDS", -1.0)
    assert library.judge(None)
    [table] = library.tables({"take_stones": Tally({SOLVED: 6})}, None, []).tables
    assert table.judged == 1


def test_matches_after_one_that_is_played_wait(library: Queries) -> None:
    library.judge(4)
    [table] = library.tables({"take_stones": Tally({SOLVED: 6})}, None, []).tables
    assert table.judged == 3
    assert library.judge(None)


def test_what_was_judged_before_is_known(complete: Path) -> None:
    for is_new in (True, False):
        with opened(complete) as library:
            assert library.judge(None) == is_new
            [table] = library.tables({"take_stones": Tally({SOLVED: 6})}, None, []).tables
            assert table.judged == 6


def test_casual_matches_are_not_judged(db: Path) -> None:
    pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 7}, casual=True, time="5")
    with DatabaseWriter(db) as store:
        match = store.begin_match(pairing, "5", 1.0).result()
        result = MatchResult(Termination.RESIGNATION, 1, "player 2 (bob) resigned")
        store.finish_match(MatchRecord(match, pairing, "5", 1.0, 2.0, result, ())).result()
        with closing(Queries(store)) as library:
            assert not library.judge(None)
            assert len(library.games(FindGames(1)).games) == 1
