"""Trees in nested brackets: `((3 12 8) (2 4 6))`, or `min A(B(C=3 D=12)=4 E(F=2 G=4))`.

A leaf is a value, or a name, = and a value. An inner node is a bracket with its children, before it
a name if it has one, behind it = and its value if it has one. The player at the root may stand at
the front, max or min.
"""

from collections.abc import Sequence
from itertools import chain

from arena.teaching.notation.building import (
    Builder,
    Draft,
    TreeError,
    Word,
    lines_of_words,
    shown,
    value_after,
)
from arena.teaching.space import GameTree


def parse_brackets(text: str) -> GameTree:
    """Return the tree that a text in brackets describes. Raises TreeError."""
    return _Parser([*chain.from_iterable(lines_of_words(text))]).tree()


class _Parser:
    """One text, and the next word of it."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._words = words
        self._next = 0
        self._builder = Builder()
        self._open: list[Draft] = []

    def tree(self) -> GameTree:
        """Read the whole text."""
        is_max = self._words[0].player
        if is_max is not None:
            self._next = 1
        while self._next < len(self._words):
            word = self._words[self._next]
            if word.text == ")":
                self._close(word)
            else:
                self._node(word)
        if self._open:
            raise TreeError(f"{self._open[-1].place}: the bracket of this node is not closed")
        return self._builder.finish(is_max is not False)

    def _node(self, word: Word) -> None:
        """Read a leaf, or an inner node up to its opening bracket."""
        if word.text == "=":
            raise TreeError(f"{word.place}: = must follow a name or a closing bracket")
        draft = self._builder.add(word.place, self._open[-1] if self._open else None)
        if word.value is not None:
            self._builder.set_value(draft, word.value)
            self._next += 1
            return
        if not word.is_mark:
            self._builder.set_name(draft, word.text)
            self._next += 1
        mark = self._mark()
        if mark == "(":
            self._open.append(draft)
            self._next += 1
        elif mark == "=":
            self._value(draft)
        else:
            raise TreeError(
                f"{word.place}: after the name {shown(word.text)} must come = and a value, or a "
                "bracket with children"
            )

    def _close(self, word: Word) -> None:
        """Read a closing bracket, and the value of its node."""
        if not self._open:
            raise TreeError(f"{word.place}: this ) closes no bracket")
        draft = self._open.pop()
        if not draft.children:
            raise TreeError(f"{word.place}: a bracket needs at least one child")
        self._next += 1
        if self._mark() == "=":
            self._value(draft)

    def _mark(self) -> str:
        """Return the next word if it is a mark."""
        if self._next == len(self._words) or not self._words[self._next].is_mark:
            return ""
        return self._words[self._next].text

    def _value(self, draft: Draft) -> None:
        """Read = and a value."""
        mark, *rest = self._words[self._next : self._next + 2]
        self._builder.set_value(draft, value_after(mark, rest))
        self._next += 2
