"""Pictures of plots: well-formed, titled, and without anything from elsewhere."""

import io
from xml.etree import ElementTree as ET

from arena.reports.plots.games import length_panel
from arena.reports.plots.panel import HEIGHT, WIDTH
from arena.reports.plots.panels import write_plots
from tests.support.cases import loop_over

SVG = "{http://www.w3.org/2000/svg}"


def drawn(panels: int, title: str = "A <cup>") -> ET.Element:
    out = io.StringIO()
    write_plots(out, title, [length_panel([(5, 1), (7, 2)])] * panels)
    return ET.fromstring(out.getvalue())


@loop_over(("panels", "columns", "rows"), [(1, 1, 1), (2, 2, 1), (5, 2, 3)])
def test_panels_are_in_two_columns(panels: int, columns: int, rows: int) -> None:
    picture = drawn(panels)
    assert picture.get("viewBox") == f"0 0 {WIDTH * columns} {HEIGHT * rows}"
    assert len(picture.findall(f"{SVG}g")) == panels


def test_a_picture_has_a_title_a_description_and_tooltips() -> None:
    picture = drawn(1)
    assert picture.get("aria-labelledby") == "title about"
    assert picture.findtext(f"{SVG}title") == "A <cup>"
    about = picture.findtext(f"{SVG}desc") or ""
    assert about == "Number of games by length: 3 games of 5 to 7 plies, median 7."
    assert [title.text for title in drawn(1).iterfind(f".//{SVG}path/{SVG}title")] == [
        "5 plies: 1 game",
        "7 plies: 2 games",
    ]
