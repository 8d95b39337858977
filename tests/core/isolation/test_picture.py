"""Pictures of Isolation."""

from xml.etree import ElementTree

from core.isolation.board import Board
from core.isolation.picture import TILE, position_svg
from core.picture import PLAYER_COLOURS, TEXT

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg: str) -> list[ElementTree.Element]:
    return [*ElementTree.fromstring(svg).iter()]


def test_squares_and_pieces_are_drawn() -> None:
    for moves, tiles in ([], 64), ([8], 63), ([8, 62], 62):
        found = [part for part in parts(position_svg(Board(moves))) if part.get("fill") == TILE]
        assert len(found) - 1 == tiles  # the ground has the same colour
    svg = position_svg(Board([8], size=8))
    [circle] = [part for part in parts(svg) if part.tag == f"{SVG}circle"]
    assert (circle.get("cx"), circle.get("cy")) == ("66", "126")  # first column, second row
    assert circle.get("fill") == PLAYER_COLOURS[0]
    assert PLAYER_COLOURS[1] in svg
    for moves, tags in ([], []), ([8], ["circle"]), ([8, 62], ["rect"]):
        ringed = [part.tag for part in parts(position_svg(Board(moves))) if part.get("stroke")]
        assert ringed == [f"{SVG}{tag}" for tag in tags]
    assert TEXT not in position_svg(Board())
    root = ElementTree.fromstring(position_svg(Board(size=3)))
    assert root.get("viewBox") == "0 0 230 230"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["1", "1", "2", "2", "3", "3"]
