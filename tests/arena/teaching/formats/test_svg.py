import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from arena.teaching import MINIMAX, Run, run
from arena.teaching.formats.figures import exercise
from arena.teaching.formats.svg import LEAST_TEXT_WIDTH, STYLE, render, render_tree
from arena.teaching.space import GameTree, Node
from tests.arena.teaching.formats.runs import merged, stones, written
from tests.support.cases import loop_over

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def classes(root: ElementTree.Element) -> list[str]:
    return [element.get("class", "") for element in root.iter()]


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@given(st.text(st.characters(), min_size=1), st.text(st.characters(exclude_categories=["Cs"])))
def test_any_name_gives_well_formed_xml(title: str, name: str) -> None:
    tree = GameTree(Node(name, None, (Node(name, 3.0), Node("]]>" + name, 4.0))))
    root = parsed(render(run(tree), title))
    assert not [*root.iter(f"{SVG}script")]
    assert len(texts(root)) > 5


def test_names_and_titles_are_text() -> None:
    tree = GameTree(Node("r", None, (Node('<b a="', 3.0), Node("</text>", 4.0))))
    found = texts(parsed(render(run(tree), "<script>alert(1)</script>")))
    assert {'<b a="', "</text>", "<script>alert(1)</script>"} <= {*found}
    found = texts(parsed(render(written(), "x" * 200)))
    assert found[0].startswith("xxxx")
    assert found[0].endswith("…")
    assert len(found[0]) < 60


def test_it_has_a_title_a_description_and_tooltips() -> None:
    root = parsed(render(written(), "Tree"))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Tree"
    assert "C is cut off at alpha 3" in (root.findtext(f"{SVG}desc") or "")
    tooltips = [group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g")]
    assert "C: Min, v 2, alpha 3, beta infinity" in tooltips
    assert len([text for text in tooltips if text]) == 13


def test_branches_leaves_and_the_legend_are_drawn() -> None:
    found = classes(parsed(render(written(), "Tree")))
    assert found.count("edge unvisited") == found.count("faint") == 2
    assert found.count("cross") == 2 + 1  # and the legend
    assert found.count("edge best") == 2 + 1
    assert legend(written()) == LEGEND[:-1]
    assert legend(written(variant=MINIMAX)) == LEGEND[:4]
    assert legend(stones(20, 1, depth=4)) == LEGEND
    assert legend(run(GameTree(Node("leaf", 5.0)))) == LEGEND[2:3]
    empty = parsed(render_tree(exercise(written("(3 4)"), has_leaf_values=False), "label"))
    assert classes(empty).count("box") == 3
    assert texts(empty)[:4] == ["A", "v", "α", "β"]  # noqa: RUF001


def legend(found: Run) -> list[str]:
    return [text for text in texts(parsed(render(found, "Tree"))) if text in LEGEND]


LEGEND = [
    "Max",
    "Min",
    "leaf with its value",
    "best line",
    "pruned, with alpha and beta",
    "not visited",
    "nodes that are not drawn",
]


def test_drawings_have_room_and_load_nothing() -> None:
    assert float(parsed(render(written("(3 4)"), "Tree")).get("width", "")) > LEAST_TEXT_WIDTH
    text = render(written(), "Tree")
    assert "prefers-color-scheme: dark" in text
    assert "url(" not in text
    assert "href" not in text


def test_an_element_for_pages_has_no_style() -> None:
    text = render_tree(exercise(written()), '"empty" & blank')
    root = parsed(text)
    assert root.get("aria-label") == '"empty" & blank'
    assert classes(root).count("box") == 3 * 4
    assert "<style" not in text
    assert ".tree .box" in STYLE


@loop_over("count", [8, 20])
def test_the_size_is_that_of_the_view_box(count: int) -> None:
    root = parsed(render(stones(count, 1, depth=4), "Tree"))
    width, height = root.get("width"), root.get("height")
    assert root.get("viewBox") == f"0 0 {width} {height}"


def test_a_line_leads_from_a_merged_node_to_the_earlier_one() -> None:
    root = parsed(render(merged(), "Tree"))
    line, _ = (path for path in root.iter(f"{SVG}path") if path.get("class") == "same")
    assert re.fullmatch(r"M[\d. ]+Q[\d. ]+", line.get("d") or "")
    assert "the same position" in texts(root)  # in the legend
    assert "the same position" not in texts(parsed(render(written(), "Tree")))
