"""Pictures of positions of any game."""

from typing import Any
from xml.etree import ElementTree

import pytest

from core import GAMES
from core.game import Game
from core.picture import MAX_COLUMNS, MAX_LINES, notebook_svg, position_svg, text_svg
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, Heap

SVG = "{http://www.w3.org/2000/svg}"


def usual_setup(game: Game) -> dict[str, int]:
    return {name: parameter.usual[0] for name, parameter in game.parameters.items()}


def lines(svg: str) -> list[str]:
    """Return the texts of a picture from top to bottom, which must be a document of SVG."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_a_game_without_a_picture_is_drawn_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert lines(position_svg(Heap(3))) == str(Heap(3)).split("\n")
    assert notebook_svg(Heap(3)) is None  # a game without a picture
    monkeypatch.delitem(GAMES, NIM.name)
    assert notebook_svg(Heap(3)) is None  # no registered game


def test_games_draw_their_own_positions_only(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = NIM._replace(position_svg=lambda heap: f"<svg>{heap.legal_moves()}</svg>")
    monkeypatch.setitem(GAMES, NIM.name, drawn)
    assert position_svg(Heap(1)) == "<svg>[1]</svg>"
    with pytest.raises(TypeError, match="expected a position of a registered game"):
        position_svg("heap")  # type: ignore[arg-type]


@loop_over("name", ["take_stones", "isolation"])
def test_a_notebook_shows_the_picture_of_a_position(name: str) -> None:
    game = GAMES[name]
    position: Any = game.position(**usual_setup(game))
    assert position._repr_svg_() == position_svg(position)
    position.play(position.legal_moves()[0])
    assert position._repr_svg_() == position_svg(position)


def test_a_class_offers_its_picture_to_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    class DrawnHeap(Heap):
        _repr_svg_ = notebook_svg

    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(position_svg=lambda _: "<svg/>"))
    assert DrawnHeap(3)._repr_svg_() == "<svg/>"


def test_text_has_a_picture_of_its_size() -> None:
    assert lines(text_svg("<b> & \x07\n")) == ["<b> &  ", ""]
    root = ElementTree.fromstring(text_svg("ten letter\nx"))
    assert root.get("viewBox") == "0 0 140 80"
    assert (root.get("width"), root.get("height")) == ("140", "80")


def test_a_long_text_is_cut_off() -> None:
    found = lines(text_svg("\n".join(["x" * (MAX_COLUMNS + 1)] * (MAX_LINES + 1))))
    assert found == [*["x" * (MAX_COLUMNS - 1) + "…"] * (MAX_LINES - 1), "…"]
    assert (
        lines(text_svg("\n".join(["x" * MAX_COLUMNS] * MAX_LINES)))
        == ["x" * MAX_COLUMNS] * MAX_LINES
    )
