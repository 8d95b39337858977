"""Pictures of Take-Stones."""

from xml.etree import ElementTree

from core.picture import PLAYER_COLOURS, SHADE, TEXT
from core.take_stones.board import Board
from core.take_stones.picture import LARGEST, NUMBERED, position_svg
from tests.support.cases import loop_over

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg: str, name: str) -> list[ElementTree.Element]:
    return [*ElementTree.fromstring(svg).iter(f"{SVG}{name}")]


def test_stones_have_the_colour_and_shape_of_their_player() -> None:
    svg = position_svg(Board(20, [3, 6, 2]))
    circles = elements(svg, "circle")
    assert [circle.get("fill") for circle in circles].count(PLAYER_COLOURS[0]) == 2
    assert [circle.get("fill") for circle in circles].count(SHADE) == 17
    _, square = elements(svg, "rect")  # behind the ground
    assert square.get("fill") == PLAYER_COLOURS[1]
    svg = position_svg(Board(20, [3, 6]))
    ringed = [part for part in ElementTree.fromstring(svg).iter() if part.get("stroke") == TEXT]
    assert [part.tag for part in ringed] == [f"{SVG}rect"]
    assert TEXT not in position_svg(Board(20))


@loop_over(
    "stones, columns",
    [(1, 1), (3, 3), (7, 5), (10, 5), (20, 5), (30, 5), (50, 10), (100, 10), (1000, 30)],
)
def test_rows_begin_at_round_numbers(stones: int, columns: int) -> None:
    circles = elements(position_svg(Board(stones)), "circle")
    assert len(circles) == stones
    assert len({circle.get("cx") for circle in circles}) == columns


@loop_over("stones", [1, 7, 50, 400, 2000])
def test_all_stones_are_inside(stones: int) -> None:
    svg = position_svg(Board(stones))
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for circle in elements(svg, "circle"):
        x, y, r = (float(circle.get(name, 0)) for name in ("cx", "cy", "r"))
        assert r <= x <= width - r
        assert r <= y <= height - r


def test_many_stones_have_no_numbers_and_too_many_no_picture() -> None:
    texts = elements(position_svg(Board(NUMBERED)), "text")
    assert [text.text for text in texts] == [*map(str, range(1, NUMBERED + 1))]
    assert [text.text for text in texts if text.get("font-size")] == [
        *map(str, range(100, NUMBERED + 1))
    ]
    assert not elements(position_svg(Board(NUMBERED + 1)), "text")
    assert elements(position_svg(Board(LARGEST)), "circle")
    huge = Board(LARGEST + 1)
    shown = [text.text for text in elements(position_svg(huge), "text")]
    assert shown == str(huge).split("\n")
