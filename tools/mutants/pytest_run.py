"""Runs of pytest, up to the first failure."""

import re
from pathlib import Path

from tools.mutants.mirrored import Stage
from tools.mutants.process import Ended, run
from tools.mutants.trial import Failure

PASSED = {0, 5}  # 5: no test was chosen
# An id may have " - " in its brackets.
FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/[^\[\n]+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)


class Pytest:
    """Runs of the tests of a tree in an order of their own.

    Args:
        root: The tree.
        limit: The seconds of a run.
    """

    def __init__(self, root: Path, limit: float) -> None:
        self._root = root
        self._limit = limit
        self._broken: list[str] = []

    def first_failure(self, stage: Stage) -> Failure | None:
        """Run tests, and return the first failure."""
        options = [f"--ignore={each}" for each in stage.ignored]
        options += [f"--deselect={each}" for each in self._broken]
        ended = self._run([*stage.targets, *options, "-m", stage.marks])
        if ended.status in PASSED:
            return None
        if ended.status is None:
            return Failure(None, f"no end within {self._limit:.0f} s")
        found = FAILED.search(ended.output)
        if found is None:
            return Failure(None, f"pytest ended with status {ended.status}")
        return Failure(found[1], found[1])

    def passes(self, stage: Stage, failure: Failure) -> bool:
        """Return whether what has failed passes now; if not, it is left out from now on.

        Raises:
            RuntimeError: If pytest itself ends or hangs.
        """
        if failure.test is None:
            if self.first_failure(stage) is not None:
                raise RuntimeError(
                    f"{' '.join(stage.targets)}: {failure.words}, without a mutant, too"
                )
            return True
        if self._run([failure.test, "-m", stage.marks]).status in PASSED:
            return True
        self._broken.append(failure.test)
        return False

    def _run(self, arguments: list[str]) -> Ended:
        # Nothing may depend on chance: the examples do not, without a profile.
        options = ["-x", "-q", "-rfE", "--tb=no", "--color=no"]
        options += ["-p", "no:randomly", "-p", "no:cacheprovider"]
        return run(
            [".venv/bin/python", "-m", "pytest", *options, *arguments],
            self._root,
            {"PYTHONPATH": str(self._root), "PYTHONHASHSEED": "0"},
            self._limit,
        )
