"""What those who watch are told of an arena, before anything happens."""

from pathlib import Path

from arena.cli.watching import RUN, about_arena, feed_of
from arena.protocol.spectator import TournamentInfo
from arena.storage.writer import DatabaseWriter
from arena.tournament.schedule import Plan
from tests.support.sites import fill

PLAN = Plan("take_stones", {"ann": "random", "bob": "greedy"}, ({"stones": 7},), "5+0", 3)


def test_an_arena_that_nobody_may_enter_offers_nothing() -> None:
    about = about_arena(["take_stones"], "5+0")
    assert (about.run, about.is_open, about.offers, about.tournament) == (RUN, False, {}, None)


def test_an_open_arena_offers_bots_or_none() -> None:
    assert about_arena(["take_stones"], "5+0", offers={}).is_open
    about = about_arena(["take_stones"], "5+0", offers={"random": ["take_stones"]})
    assert about.offers == {"random": ["take_stones"]}


def test_the_games_are_told_with_their_parameters() -> None:
    [stones, isolation] = about_arena(["take_stones", "isolation"], "5+0").games
    assert (stones.title, [*stones.parameters], stones.is_solved) == (
        "Take-Stones",
        ["stones"],
        True,
    )
    assert (isolation.title, isolation.parameters, isolation.is_solved) == ("Isolation", {}, False)


def test_a_tournament_is_told() -> None:
    about = about_arena(["take_stones"], "5+0", PLAN)
    assert about.tournament == TournamentInfo("take_stones", "round-robin", ["ann", "bob"], 2, False, 3)


def test_what_is_to_be_seen_begins_with_what_is_stored(db: Path) -> None:
    fill(db)
    lobby = feed_of(db, "5+0").lobby(0)
    assert lobby
    assert lobby.results
    assert [summary.facts.match for summary in lobby.results] == [6, 5, 4, 3, 2, 1]
    assert lobby.finished == 6


def test_an_empty_database_is_to_be_seen_too(db: Path) -> None:
    DatabaseWriter(db).close()
    lobby = feed_of(db, "5+0").lobby(0)
    assert lobby
    assert (lobby.results, lobby.finished) == ([], 0)
