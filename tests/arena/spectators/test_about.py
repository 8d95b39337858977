"""Description of an arena for spectators."""

import pytest

from arena.protocol.spectator import ParameterInfo, TournamentInfo
from arena.spectators.about import RUN, describe_arena
from arena.tournament.plan import Plan
from core import GAMES
from tests.support.games.toy_games import NIM

PLAN = Plan("take_stones", {"ann": "random", "bob": "greedy"}, ({"stones": 7},), "5+0", 3)


def test_who_may_have_house_bots() -> None:
    about = describe_arena(["take_stones"], "5+0")
    assert (about.run, about.is_open, about.offers, about.tournament) == (RUN, False, {}, None)
    assert describe_arena(["take_stones"], "5+0", house_bots={}).is_open
    about = describe_arena(["take_stones"], "5+0", house_bots={"random": ["take_stones"]})
    assert about.offers == {"random": ["take_stones"]}


def test_games_are_described_with_their_parameters() -> None:
    [stones, isolation] = describe_arena(["take_stones", "isolation"], "5+0").games
    assert (stones.title, [*stones.parameters], stones.is_solved) == (
        "Take-Stones",
        ["stones"],
        True,
    )
    assert (isolation.title, isolation.is_solved) == ("Isolation", False)
    assert isolation.parameters == {"size": ParameterInfo("size of the board", 3, (8,), 8, 8)}


def test_a_game_may_have_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "misere_nim", NIM)
    games = describe_arena(["take_stones", "misere_nim"], "5+0").games
    assert [game.has_board for game in games] == [True, False]


def test_matchings_and_tournaments_are_described() -> None:
    games = describe_arena(["take_stones", "isolation"], "5+0").games
    assert [game.has_matching for game in games] == [True, False]
    expected = TournamentInfo("take_stones", "round-robin", ["ann", "bob"], 2, False, 3)
    assert describe_arena(["take_stones"], "5+0", PLAN).tournament == expected
