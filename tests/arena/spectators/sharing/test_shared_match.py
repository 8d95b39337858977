"""Descriptions and addresses of shared matches."""

from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.spectators.sharing.shared_match import (
    Address,
    SharedMatch,
    format_day,
    game_title,
    setup_text,
)
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM

WON = MatchResult(Termination.NO_LEGAL_MOVE, 2, "player 1 (ann) cannot move")
DRAWN = MatchResult(Termination.GAME_OVER, None, "the board is full")
ABORTED = MatchResult(Termination.ABORTED, None, "")
MATCH = SharedMatch(
    12,
    "take_stones",
    "Take-Stones",
    (("stones", 7),),
    ("ann", "bob"),
    (3, 6, 2),
    WON,
    "5+0.1",
    1.7e9,
)


@loop_over(
    "path, address",
    ("/match/12", Address(12, None, "")),
    ("/match/12/0", Address(12, 0, "")),
    ("/match/12/5", Address(12, 5, "")),
    ("/match/12.png", Address(12, None, ".png")),
    ("/match/12/5.svg", Address(12, 5, ".svg")),
)
def test_an_address_and_its_text(path: str, address: Address) -> None:
    assert Address.parse(path) == address
    assert str(address) == path


@loop_over(
    "path",
    *("/match/", "/match/0", "/match/012", "/match/-1", "/match/1.5", "/match/x", "/match/1/"),
    *("/match/1/05", "/match/1/2/3", "/match/1.gif", "/match/1.PNG", "/match/1\n", "//match/1"),
    *("/match/%31", "/match/1%2f2", "/match/\u0661", "/match/1/../2", "/match/" + "9" * 20),
    *("/match/1/" + "9" * 10, "/match/1?x", "/match/match.js", ""),
)
def test_no_address(path: str) -> None:
    assert Address.parse(path) is None


@given(st.text())
def test_any_text_is_an_address_or_none(text: str) -> None:
    address = Address.parse("/match/" + text)
    assert address is None or str(address) == "/match/" + text


def test_a_record_has_the_moves_of_its_opening() -> None:
    pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 7}, (3,))
    moves = tuple(PlayedMove(ply, move, 0, 0, 0, 0) for ply, move in ((1, 6), (2, 2)))
    record = MatchRecord(12, pairing, "5+0.1", 1.7e9, 1.8e9, WON, moves)
    assert SharedMatch.from_record(record) == MATCH


@loop_over(
    "result, title",
    (WON, "bob beat ann · Take-Stones"),
    (WON.__class__(Termination.TIMEOUT, 1, ""), "ann beat bob · Take-Stones"),
    (DRAWN, "ann drew with bob · Take-Stones"),
    (ABORTED, "ann met bob · Take-Stones"),
    (None, "ann against bob · Take-Stones, live"),
)
def test_the_title(result: MatchResult | None, title: str) -> None:
    assert MATCH._replace(result=result).title == title


def test_the_description() -> None:
    facts = "3 moves · 7 stones · 5+0.1 · 14 November 2023"
    assert MATCH.description(3) == f"Player 1 (ann) cannot move. {facts}"
    expected = f"Player 1 (ann) cannot move. The position after move 1. {facts}"
    assert MATCH.description(1) == expected
    live = MATCH._replace(result=None, moves=(3,))
    assert live.description(1).startswith("In progress. 1 move · ")
    aborted = MATCH._replace(result=ABORTED, setup=(), control="", started_at=-1e99)
    assert aborted.description(3) == "3 moves"


def test_shown_plies_games_and_setups() -> None:
    assert [MATCH.shown_ply(ply) for ply in (None, 0, 3, 99)] == [3, 0, 3, 3]
    assert not MATCH._replace(game=NIM.name).is_installed
    assert game_title(NIM.name) == NIM.name
    assert setup_text({"heaps": 3, "heap": 20}) == "3 heaps, heap 20"


@loop_over("time", [1e300, -1e300, float("nan"), float("inf")])
def test_a_time_without_a_day(time: float) -> None:
    assert format_day(time) == ""
