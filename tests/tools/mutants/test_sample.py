"""Samples of mutants: drawn by a seed from sites, each as likely as another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.mutants.sample import Change, Site, draw

SOURCE = "one\ntwo\nthree\nfour\n"


class Words:
    """A language whose sites are the lines, and whose changes replace a line."""

    def __init__(self, changes: int = 2) -> None:
        self._changes = changes

    def sites(self, root: Path) -> Iterator[Site]:
        for path in sorted(root.glob("*.txt")):
            for row, word in enumerate(path.read_text().splitlines(), 1):
                changes = tuple(Change("again", f"{word} {n}") for n in range(self._changes))
                yield Site(path.name, (row, 0), (row, len(word)), changes)

    def apply(self, source: str, site: Site, change: Change) -> str | None:
        lines = source.splitlines()
        if lines[site.start[0] - 1] == "two":
            return None
        lines[site.start[0] - 1] = str(change.detail)
        return "\n".join(lines) + "\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(10):
        (tmp_path / f"{number}.txt").write_text(SOURCE)
    return tmp_path


def test_samples_depend_on_the_seed(root: Path) -> None:
    assert draw(Words(), root, 5, 8) == draw(Words(), root, 5, 8)
    assert draw(Words(), root, 5, 8) != draw(Words(), root, 6, 8)
    assert draw(Words(), root, 5, 12)[:4] == draw(Words(), root, 5, 4)
    sample = draw(Words(), root, 5, 100)
    assert len({(mutant.path, mutant.line) for mutant in sample}) == len(sample) == 30
    assert "two" not in {mutant.before for mutant in draw(Words(), root, 5, 100)}


def test_a_mutant_names_the_line_that_differs(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("  one\n")
    (mutant,) = draw(Words(changes=1), tmp_path, 1, 1)
    assert mutant == ("a.txt", 1, "again", "one", "one 0", "  one 0\n")


def test_a_mutant_may_remove_a_line(tmp_path: Path) -> None:
    class Removal(Words):
        def apply(self, source: str, *_: object) -> str:
            return source.replace("three\n", "")

    (tmp_path / "a.txt").write_text(SOURCE)
    (mutant,) = draw(Removal(), tmp_path, 1, 1)
    assert (mutant.line, mutant.before, mutant.after) == (3, "three", "")
