"""The tests of a module, nearest first.

Tests mirror the packages: `arena/match/referee.py` is tested by `tests/arena/match/test_referee.py`
and the rest of that folder.
"""

import re
from pathlib import Path
from typing import NamedTuple


class Stage(NamedTuple):
    """Tests that run together.

    Attributes:
        targets: Files and folders, from the top of the project.
        ignored: Files and folders among them that have run before.
        marks: Which of the tests run, by their marks.
    """

    targets: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    marks: str = "not release"


def mirrored_stages(root: Path, path: str) -> list[Stage]:
    """Return the tests named after a module, the tests of its folder, and tests that import it."""
    folder = _folder(root, path)
    own = _named(root, folder, path)
    if folder.count("/") == 1:  # tests/arena: its folders test other modules
        beside = sorted(
            each.relative_to(root).as_posix() for each in root.glob(f"{folder}/test_*.py")
        )
        beside = [each for each in beside if each not in own]
    else:
        beside = [folder]
    importing = _importing(root, path, (*own, *beside))
    stages = (Stage(tuple(own)), Stage(tuple(beside), tuple(own)), Stage(tuple(importing)))
    return [stage for stage in stages if stage.targets]


def rest_of_suite(stages: list[Stage], marks: str) -> Stage:
    """Return all tests with some marks that no other stage has."""
    return Stage(("tests",), tuple(target for stage in stages for target in stage.targets), marks)


def _folder(root: Path, path: str) -> str:
    """Return the folder of tests that mirrors a module's, or the nearest one above with tests."""
    folder = Path("tests", path).parent
    while not any((root / folder).rglob("test_*.py")):
        folder = folder.parent
    return folder.as_posix()


def _named(root: Path, folder: str, path: str) -> list[str]:
    """Return the test files named after a module; a package has the name of its folder."""
    stem = Path(path).stem
    name = Path(path).parent.name if stem == "__init__" else stem.strip("_")
    found = [*(root / folder).glob(f"test_{name}.py"), *(root / folder).glob(f"test_{name}_*.py")]
    return sorted(each.relative_to(root).as_posix() for each in found)


def _importing(root: Path, path: str, before: tuple[str, ...]) -> list[str]:
    """Return the other test files of packages that name a module with its packages."""
    module = Path(path).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    package, _, name = module.rpartition(".")
    named = re.compile(
        rf"\b{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{re.escape(name)}\b"
    )
    found = [
        each.relative_to(root).as_posix()
        for package in ("arena", "bots", "core")
        for each in (root / "tests" / package).rglob("test_*.py")
        if named.search(each.read_text())
    ]
    return sorted(each for each in found if not any(_is_in(each, other) for other in before))


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
