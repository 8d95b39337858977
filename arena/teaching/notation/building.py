"""Words of the notations, and trees built of them: limits, names and values."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import isfinite
from string import ascii_uppercase
from typing import NamedTuple

from arena.teaching.space import GameTree, Node

COMMENT = re.compile(r"#.*")
_WORD = re.compile(r"[()=]|[^\s,()=]+")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
PLAYERS = {"max": True, "min": False}
MAX_NODES = 200_000
MAX_DEPTH = 1000  # plies from the root
SHOWN = 40  # characters of a name or a value in a message
NAME = re.compile(r"[a-zA-Z_][\w.'-]*", re.ASCII)
NAME_RULE = "a name begins with a letter a-z, and has letters, digits and _ . ' - only"


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


class TreeError(ValueError):
    """A text that describes no tree, or one that is too large.

    The message has the place in the text and the rule.
    """


def shown(text: str) -> str:
    """Return a word for a message: quoted, in ASCII, shortened."""
    return ascii(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")


def value_after(mark: Word, rest: Sequence[Word]) -> float:
    """Return the value that must follow a =, if it does. Raises TreeError."""
    value = rest[0].value if rest else None
    if value is None:
        found = shown(rest[0].text) if rest else "the end"
        raise TreeError(f"{mark.place}: after = must come a value such as -1.5, not {found}")
    return value


class Draft:
    """A node of a tree under construction; `place` says where it is in the text."""

    __slots__ = ("children", "depth", "name", "place", "value")

    def __init__(self, place: object, depth: int) -> None:
        self.place = place
        self.depth = depth
        self.name: str | None = None
        self.value: float | None = None
        self.children: list[Draft] = []


class Builder:
    """A tree under construction."""

    def __init__(self) -> None:
        self.root: Draft | None = None
        self._count = 0
        self._places: dict[str, object] = {}  # by the name of a node

    def add(self, place: object, parent: Draft | None) -> Draft:
        """Add a node, the root without a parent. Raises TreeError."""
        draft = Draft(place, parent.depth + 1 if parent else 0)
        if parent:
            parent.children.append(draft)
        elif self.root:
            raise TreeError(f"{place}: the tree has ended here, as it has one root only")
        else:
            self.root = draft
        self._count += 1
        if self._count > MAX_NODES:
            raise TreeError(f"{place}: the tree has more than {MAX_NODES:,} nodes")
        if draft.depth > MAX_DEPTH:
            raise TreeError(f"{place}: the tree is deeper than {MAX_DEPTH:,} plies")
        return draft

    def set_name(self, draft: Draft, name: str) -> None:
        """Name a node. Raises TreeError."""
        if not NAME.fullmatch(name):
            raise TreeError(
                f"{draft.place}: {shown(name)} is neither a name nor a value; {NAME_RULE}"
            )
        if first := self._places.get(name):
            raise TreeError(f"{draft.place}: the name {shown(name)} is in use already, at {first}")
        self._places[name] = draft.place
        draft.name = name

    def set_value(self, draft: Draft, value: float) -> None:
        """Give a node its value. Raises TreeError."""
        if not isfinite(value):
            raise TreeError(f"{draft.place}: a value must be finite")
        draft.value = value + 0.0  # which takes the sign from a zero

    def finish(self, is_max: bool) -> GameTree:
        """Return the tree; nodes without a name get one. Raises TreeError."""
        assert self.root
        if not self.root.children:
            raise TreeError(f"{self.root.place}: the root needs children")
        drafts = [self.root]  # breadth first
        for draft in drafts:
            if not draft.children and draft.value is None:
                raise TreeError(f"{draft.place}: a node without children needs a value")
            drafts += draft.children
        free = (name for name in _standard_names() if name not in self._places)
        for draft in drafts:
            draft.name = draft.name or next(free)
        nodes: dict[int, Node] = {}
        for draft in reversed(drafts):  # children before their parents
            assert draft.name
            children = tuple(nodes.pop(id(child)) for child in draft.children)
            nodes[id(draft)] = Node(draft.name, draft.value, children)
        return GameTree(nodes[id(self.root)], is_max)


def _standard_names() -> Iterator[str]:
    """Yield A, B ... Z, AA, AB ..."""
    length = 1
    while True:
        for letters in product(ascii_uppercase, repeat=length):
            yield "".join(letters)
        length += 1
