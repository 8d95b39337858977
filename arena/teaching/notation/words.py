"""Words of the notations in brackets and in lines: names, values and marks."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

COMMENT = re.compile(r"#.*")
_WORD = re.compile(r"[()=]|[^\s,()=]+")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
PLAYERS = {"max": True, "min": False}


class Place(NamedTuple):
    """A place in a text, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class Word(NamedTuple):
    """A name, a value, or one of the marks ( ) and =."""

    text: str
    place: Place

    @property
    def is_mark(self) -> bool:
        """Whether it is a bracket or =."""
        return self.text in "()="

    @property
    def value(self) -> float | None:
        """Its value; None if it is no number."""
        return float(self.text) if _NUMBER.fullmatch(self.text) else None

    @property
    def player(self) -> bool | None:
        """Whether it is max; None if it is neither max nor min."""
        return PLAYERS.get(self.text.lower())


def lines_of_words(text: str) -> Iterator[Sequence[Word]]:
    """Yield the words of each line; commas separate words, # begins a comment."""
    for number, line in enumerate(text.splitlines(), 1):
        content = COMMENT.sub("", line)
        yield [
            Word(match[0], Place(number, match.start() + 1)) for match in _WORD.finditer(content)
        ]
