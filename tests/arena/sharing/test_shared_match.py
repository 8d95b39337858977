"""Descriptions of shared matches."""

from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.sharing.shared_match import SharedMatch, format_day, game_title, setup_text
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
