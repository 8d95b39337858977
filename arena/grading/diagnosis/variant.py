"""A misreading of the rules: a name, a sentence, advice, and the switches that it turns."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arena.grading.diagnosis.reading import Kind, Side

Changes = Mapping[str, Any]
SIDES = {"max": Side.MAX, "min": Side.MIN}
KINDS = {
    "one": (Kind.ONE, "stone 1"),
    "prime": (Kind.PRIME, "a prime number"),
    "composite": (Kind.COMPOSITE, "a composite number"),
}


class Variant(NamedTuple):
    """A misreading.

    Attributes:
        name: Its name in data.
        title: The behaviour of the program, as a sentence.
        advice: The part of the program to look at, in words.
        changes: Ways to program it, each as changed fields of the rules.
    """

    name: str
    title: str
    advice: str
    changes: tuple[Changes, ...]


def variant(name: str, title: str, advice: str, *changes: Changes) -> Variant:
    """Return a misreading with one or more ways to program it."""
    return Variant(name, title, advice, changes)


def by_side(
    name: str, title: str, advice: str, *changes: Callable[[Side], Changes]
) -> list[Variant]:
    """Return a misreading of both players' turns, of Max's and of Min's alone."""
    found = [variant(name, title, advice, *(change(Side.BOTH) for change in changes))]
    for word, side in SIDES.items():
        limited = f"On {word.capitalize()}'s turn, {_continued(title)}"
        found.append(variant(f"{name}-{word}", limited, advice, *(way(side) for way in changes)))
    return found


def by_kind(name: str, title: str, advice: str, change: Callable[[Kind], Changes]) -> list[Variant]:
    """Return a misreading after each kind of a last move alone."""
    return [
        variant(f"{name}-{word}", f"After {last}, {_continued(title)}", advice, change(kind))
        for word, (kind, last) in KINDS.items()
    ]


def _continued(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
