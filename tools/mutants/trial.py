"""The tests of one mutant, up to the first that notices it."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, TypeVar

from tools.mutants.sample import Mutant


class Failure(NamedTuple):
    """Why a run of tests has failed.

    Attributes:
        test: The first test that fails if it can run alone, else None.
        words: Its name in a report.
    """

    test: str | None
    words: str


Group = TypeVar("Group", contravariant=True)


class Tests(Protocol[Group]):
    """Tests in groups that run one after another."""

    def first_failure(self, group: Group) -> Failure | None:
        """Run a group, and return the first failure."""

    def passes(self, group: Group, failure: Failure) -> bool:
        """Return whether what has failed passes now; if not, it is left out from now on."""


class Changeable(Protocol):
    """A tree of files."""

    def mutated(self, mutant: Mutant) -> AbstractContextManager[None]:
        """Change a file for a while."""


def noticed_by(
    mutant: Mutant, tree: Changeable, tests: Tests[Group], groups: Iterable[Group]
) -> str | None:
    """Return the test that notices a mutant, None if it survives.

    A test counts only if it passes without the mutant.
    """
    for group in groups:
        while True:
            with tree.mutated(mutant):
                failure = tests.first_failure(group)
            if not failure:
                break
            if tests.passes(group, failure):
                return failure.words
    return None
