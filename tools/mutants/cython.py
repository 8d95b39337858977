"""Mutants of the compiled modules, by a few operators on tokens."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tools.mutants.sample import Change, Site

SUFFIXES = {".pxd", ".pxi", ".pyx"}
OPERATORS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "and": "or",
    "or": "and",
    "break": "continue",
    "continue": "break",
    "True": "False",
    "False": "True",
}
# Declarations: a change there seldom compiles, or only enlarges an array.
DECLARATION = re.compile(
    r"\s*(cdef|cpdef|ctypedef|def|class|cimport|import|from|@|include)\b(?!.*[^=!<>]= )"
    r"|.*\) (noexcept|except)\b"
)
CAST = re.compile(r"<(const )?(unsigned |signed )?\w[\w.]*( ?\*+)?( ?\[[^\]]*\])?>")


class Cython:
    """The sites of compiled modules and of the files that they include."""

    def sites(self, root: Path) -> Iterator[Site]:
        """Yield the sites of all files."""
        for path in sorted((root / "core").rglob("*.p*")):
            if path.suffix in SUFFIXES:
                yield from self.sites_in(path.relative_to(root).as_posix(), path.read_text())

    def sites_in(self, path: str, source: str) -> Iterator[Site]:
        """Yield the sites of a file: numbers, and the operators that can be replaced."""
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            line, (row, column) = token.line, token.start
            if DECLARATION.match(line) or _is_cast(line, column):
                continue
            if token.string in OPERATORS:
                changes: tuple[Change, ...] = (Change("operator", OPERATORS[token.string]),)
            elif token.type == tokenize.NUMBER and token.string.isdecimal():
                number = int(token.string)
                changes = (Change("number", str(number + 1)), Change("number", str(number - 1)))
            else:
                continue
            yield Site(path, (row, column), token.end, changes)

    def apply(self, source: str, site: Site, change: Change) -> str:
        """Return the text of a file with a change."""
        lines = source.splitlines(keepends=True)
        row, (start, end) = site.start[0] - 1, (site.start[1], site.end[1])
        lines[row] = f"{lines[row][:start]}{change.detail}{lines[row][end:]}"
        return "".join(lines)


def _is_cast(line: str, column: int) -> bool:
    """Return whether a place of a line is within a cast such as `<int>`."""
    return any(found.start() <= column < found.end() for found in CAST.finditer(line))
