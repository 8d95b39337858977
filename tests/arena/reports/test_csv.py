"""Lines of comma-separated values that spreadsheets read as data alone."""

import csv

from hypothesis import given
from hypothesis import strategies as st

from arena.reports.csv import csv_line
from tests.support.cases import loop_over


def read(line: str) -> list[str]:
    """Return the cells of a line, as a program reads them."""
    [cells] = csv.reader([line.removesuffix("\n")])
    return cells


def test_cells_of_each_kind() -> None:
    assert csv_line(["a b", 1, -0.5, None, True, ""]) == "a b,1,-0.5,,True,\n"


@loop_over("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_formula_becomes_a_text(start: str) -> None:
    cell = f'{start}HYPERLINK("http://localhost")'
    assert read(csv_line([cell])) == [f"'{cell}"]
    assert read(csv_line([f"a;{cell}"])) == [f"a;'{cell}"]


@loop_over("text", ["-1", "-1.5", "-1 2 -3", "7", "-12 34.5"])
def test_numbers_as_text_stay_as_they_are(text: str) -> None:
    assert csv_line([text, -3]) == f"{text},-3\n"


@loop_over("text", ["-1+2", "+1", "-", "-1  2", "-x", "--1", "-1.", "-\u0661"])
def test_other_texts_with_a_sign_are_no_numbers(text: str) -> None:
    assert csv_line([text]) == f"'{text}\n"


@loop_over("text", ["a\rb", "a\nb", "a\r\nb", "a,b", 'a"b', "a\r"])
def test_line_ends_and_separators_are_quoted(text: str) -> None:
    line = csv_line([text, "x"])
    assert line.startswith('"')
    [cells] = csv.reader([line.removesuffix("\n")])
    assert cells == [text, "x"]


@given(st.lists(st.text(), min_size=2))
def test_every_text_is_kept_but_for_the_apostrophe(texts: list[str]) -> None:
    cells = read(csv_line(texts))
    assert [cell.replace("'", "") for cell in cells] == [text.replace("'", "") for text in texts]
    parts = [part for cell in cells for part in cell.split(";")]
    assert not any(part.startswith(("=", "+", "@", "\t", "\r", "\n")) for part in parts)
