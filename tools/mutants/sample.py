"""A sample of mutants that depends only on the seed and the source."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

Place = tuple[int, int]  # line from 1, column from 0


class Change(NamedTuple):
    """One way to change a site.

    Attributes:
        operator: The name of the mutation operator.
        detail: What the language needs to apply it: an occurrence, or the new text.
    """

    operator: str
    detail: int | str


class Site(NamedTuple):
    """A place of a file, with the changes that are possible there."""

    path: str
    start: Place
    end: Place
    changes: tuple[Change, ...]


class Mutant(NamedTuple):
    """A file with one change.

    Attributes:
        path: The file, from the top of the project.
        line: The number of the first line that differs.
        operator: The name of the mutation operator.
        before: That line.
        after: The line that replaces it.
        text: The text of the whole file with the change.
    """

    path: str
    line: int
    operator: str
    before: str
    after: str
    text: str


class Language(Protocol):
    """Sites of a language and the changes there."""

    def sites(self, root: Path) -> Iterable[Site]:
        """Return all sites of the product."""

    def apply(self, source: str, site: Site, change: Change) -> str | None:
        """Return the text of a file with a change, None if it cannot be compiled."""


def draw(language: Language, root: Path, seed: int, count: int) -> list[Mutant]:
    """Draw mutants: each site is as likely as another, then each of its changes.

    Without the first step, arithmetic, with eleven changes for each operator, would take most of
    the sample.
    """
    return list(islice(_draw_all(language, root, Random(seed)), count))


def _draw_all(language: Language, root: Path, random: Random) -> Iterator[Mutant]:
    sites = sorted(language.sites(root))
    random.shuffle(sites)
    for site in sites:
        source = (root / site.path).read_text()
        change = random.choice(site.changes)
        text = language.apply(source, site, change)
        if text is not None and text != source:
            yield _mutant(site.path, change.operator, source, text)


def _mutant(path: str, operator: str, source: str, text: str) -> Mutant:
    before, after = source.splitlines(), text.splitlines()
    same = _common(before, after)
    rest = _common(before[same:][::-1], after[same:][::-1])  # equal lines at the end
    return Mutant(
        path,
        same + 1,
        operator,
        _shown(before[same : len(before) - rest]),
        _shown(after[same : len(after) - rest]),
        text,
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many first lines are equal."""
    pairs = zip(one, other, strict=False)
    differing = (index for index, (line, its) in enumerate(pairs) if line != its)
    return next(differing, min(len(one), len(other)))


def _shown(lines: Sequence[str]) -> str:
    return " ".join(line.strip() for line in lines)
