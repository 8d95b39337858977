"""Pages for students as Markdown."""

import re

from arena.grading.marking import Grade
from arena.grading.reports.pages import student_markdown

PAGE = "http://127.0.0.1:8765/"


def test_the_page_of_a_wrong_program(grades: dict[str, Grade]) -> None:
    text = student_markdown(grades["bob"], PAGE)
    assert text.startswith("# bob\n\n83.33 of 100 points, 0 of 6 cases right\n\nThis gives")
    assert "- **The depth reached is counted from 1.** The root is at depth 0." in text
    assert "Smallest case: 1." in text
    assert "| Max Depth Reached | 2 | 3 | wrong |" in text
    assert "## Case 6: wrong" in text


def test_a_page_without_links(grades: dict[str, Grade]) -> None:
    assert "([position](http://127.0.0.1:8765/#/" in student_markdown(grades["bob"], PAGE)
    assert "(" not in student_markdown(grades["ada"], None)
    assert "\n\nthe latest of 2\n" in student_markdown(grades["lou"], None)


def test_the_log_of_a_build_is_a_block_of_code(grades: dict[str, Grade]) -> None:
    text = student_markdown(grades["kim"], PAGE)
    assert "## Case" not in text  # it was not run
    assert "    error: <script>alert(1)</script>|*x*\n    line\n" in text


def test_no_text_of_a_program_is_markup(grades: dict[str, Grade]) -> None:
    text = student_markdown(grades["=eve"], PAGE)
    assert not re.search(r"(?<!\\)[<|*]x?script", text)
    assert "\\<script\\>alert(1)\\</script\\>\\|\\*x\\*" in text
