"""Page and picture of a grid."""

import io
from html.parser import HTMLParser
from xml.etree import ElementTree

from arena.reports.grid.page import grid_page, write_page, write_picture
from tests.support.computing.grids import PLAN, played_games, results_of


class Tags(HTMLParser):
    """Counts tags, and collects what they load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.loaded += [value or "" for name, value in attrs if name in {"src", "href"}]


def test_a_page_has_tables_and_plots_and_loads_nothing() -> None:
    out = io.StringIO()
    write_page(out, grid_page(results_of(played_games()), {0: 0.5}))
    tags = Tags(out.getvalue())
    assert tags.names.count("table") == 1 + PLAN.cells
    assert tags.names.count("svg") == PLAN.cells + 2
    assert tags.loaded == ["data:,"]
    assert "prefers-color-scheme: dark" in out.getvalue()
    assert "diamonds: perfect play" in out.getvalue()


def test_a_picture_is_well_formed_with_all_plots_or_none() -> None:
    out = io.StringIO()
    page = grid_page(results_of(played_games()), {})
    write_picture(out, page)
    root = ElementTree.fromstring(out.getvalue())
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}g")) == len(page.panels)
    assert "prefers-color-scheme: dark" in out.getvalue()
    out = io.StringIO()
    write_picture(out, grid_page(results_of([]), {}))
    assert ElementTree.fromstring(out.getvalue()).findall("{http://www.w3.org/2000/svg}g") == []
