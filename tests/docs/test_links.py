"""Links between the pages of the documentation lead to existing files and headings."""

import re
from pathlib import Path

from tests.support.cases import loop_over

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])


def without_code(text: str) -> str:
    """Return the text of a page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, in the style of GitHub."""
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


LINKS = [
    (page, target)
    for page in PAGES
    for target in re.findall(r"\]\(([^)]+)\)", without_code(page.read_text()))
    if not re.match(r"https?:", target)
]


def test_pages_are_linked() -> None:
    assert len(LINKS) > 50
    linked = {(page.parent / link.partition("#")[0]).resolve() for page, link in LINKS}
    assert {page for page in PAGES if page.is_relative_to(ROOT / "docs")} <= linked


@loop_over(("page", "target"), LINKS)
def test_a_link_leads_to_a_file_and_a_heading(page: Path, target: str) -> None:
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    assert file.exists()
    if anchor:
        assert anchor in anchors(file)
