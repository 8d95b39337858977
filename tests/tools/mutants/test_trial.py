"""Trials of mutants: which failures count."""

from collections.abc import Iterator
from contextlib import contextmanager

from tools.mutants.sample import Mutant
from tools.mutants.trial import Failure, noticed_by

MUTANT = Mutant("a.py", 1, "AddNot", "if a:", "if not a:", "if not a:\n")


class Scripted:
    """A tree, and tests of which some fail with a mutant, and some always."""

    def __init__(self, noticing: str = "", broken: str = "") -> None:
        self._noticing = noticing
        self._broken = broken
        self._is_mutated = False
        self.runs: list[str] = []

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        assert mutant == MUTANT
        self._is_mutated = True
        yield
        self._is_mutated = False

    def first_failure(self, group: str) -> Failure | None:
        assert self._is_mutated
        self.runs.append(group)
        failing = next((test for test in group if test in self._noticing + self._broken), None)
        return Failure(failing, failing) if failing else None

    def passes(self, group: str, failure: Failure) -> bool:
        assert not self._is_mutated
        assert failure.words in group
        is_broken = failure.words in self._broken
        self._broken = self._broken.replace(failure.words, "")
        return not is_broken


def test_the_first_failure_that_is_the_mutants_counts() -> None:
    tests = Scripted(noticing="cd")
    assert noticed_by(MUTANT, tests, tests, ["ab", "cd", "ef"]) == "c"
    assert tests.runs == ["ab", "cd"]
    tests = Scripted()
    assert noticed_by(MUTANT, tests, tests, ["ab", "cd"]) is None
    tests = Scripted(noticing="d", broken="ac")
    assert noticed_by(MUTANT, tests, tests, ["ab", "cd"]) == "d"
    assert tests.runs == ["ab", "ab", "cd", "cd"]
