"""Lines of comma-separated values that spreadsheets read as data alone.

A spreadsheet runs a text that begins like a formula, and a name may come from anyone. Such a text
gets an apostrophe in front, by which a spreadsheet knows a text. Numbers stay as they are. Where
the comma is the decimal sign, as in German, spreadsheets divide such files at semicolons.
"""

import csv
import io
import re
from collections.abc import Iterable

FORMULA_STARTS = re.compile(r"(^|;)(?=[=+@\t\r\n-])")
CRLF = "\r\n"
NUMBERS = re.compile(r"-?\d+(\.\d+)?( -?\d+(\.\d+)?)*", re.ASCII)  # one or more, such as moves


def csv_line(cells: Iterable[object]) -> str:
    """Return a line; a cell that is None is empty."""
    line = io.StringIO()
    # With this line end, and no other, a cell with CR or LF is quoted.
    csv.writer(line, lineterminator=CRLF).writerow(map(_as_data, cells))
    return line.getvalue().removesuffix(CRLF) + "\n"


def _as_data(cell: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(cell, str) and not NUMBERS.fullmatch(cell):
        return FORMULA_STARTS.sub(r"\1'", cell)
    return cell
