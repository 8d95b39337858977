"""Cards of matches."""

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from arena.spectators.sharing import card
from arena.spectators.sharing.card import card_svg, clipped, text_width, wrapped
from arena.spectators.sharing.shared_match import SharedMatch
from core import GAMES
from core.game import IllegalMove
from tests.arena.spectators.sharing.test_shared_match import ABORTED, DRAWN, MATCH
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM

SVG = "{http://www.w3.org/2000/svg}"
HEAP = MATCH._replace(game=NIM.name, setup=(("heap", 5),), moves=(2,))


def texts(match: SharedMatch, ply: int = 0) -> list[str]:
    root = ElementTree.fromstring(card_svg(match, ply))
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_a_card_has_players_result_day_and_position() -> None:
    found = texts(MATCH, 2)
    assert found[:3] == ["Take-Stones", "ann", "bob"]
    assert " ".join(found[3:5]) == "bob wins: player 1 (ann) cannot move"
    assert found[5:7] == ["After move 2 of 3", "7 stones · 5+0.1 · 14 November 2023"]
    assert found[7:] == ["1", "2", "3", "4", "5", "6", "7"]
    found = texts(MATCH._replace(control="10 min + 10 s a move"))
    assert found[6:8] == ["7 stones · 10 min + 10 s a move", "14 November 2023"]
    assert texts(MATCH._replace(result=DRAWN))[3] == "Draw: the board is full"
    assert texts(MATCH._replace(result=ABORTED))[3] == "No winner:"
    assert texts(MATCH._replace(result=None))[3] == "Live"
    found = texts(MATCH._replace(players=("<b>", "\x1b&")))
    assert found[1:3] == ["<b>", "?&"]


def test_games_that_are_absent_or_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    assert texts(HEAP)[-2:] == ["misere_nim is not", "installed in this arena"]
    with pytest.raises(IllegalMove):
        card_svg(MATCH._replace(moves=(3, 3)), 2)
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert texts(HEAP, 1)[-1] == str(NIM.position(heap=5, moves=[2]))


def fail(_: object) -> str:
    raise RuntimeError


@loop_over("draw", [fail, lambda _: "no SVG", lambda _: "<svg>" + "x" * 400_000])
def test_a_game_that_cannot_draw(
    monkeypatch: pytest.MonkeyPatch, draw: Callable[[object], str]
) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(position_svg=draw))
    assert texts(HEAP, 1)[-1] == str(NIM.position(heap=5, moves=[2]))


def test_long_names_and_texts_are_cut_or_wrapped() -> None:
    for name in "i" * 64, "W" * 64, "石" * 64, "A b " * 16:
        shown = texts(MATCH._replace(players=(name, "bob")))[1]
        assert shown.endswith("…")
        assert name.startswith(shown[:-1])
        assert text_width(shown, card.NAME_SIZE) <= card.RIGHT - card.LEFT - 58
    assert clipped("ann", 200, 20) == "ann"
    assert clipped("ann", 1, 20) == "…"
    assert wrapped("", 100, 10, 3) == [""]
    assert wrapped("one two three", 1000, 10, 3) == ["one two three"]
    assert wrapped("one two three four", 1, 10, 3) == ["one", "two", "three four"]
