"""`python -m tools.mutants LANGUAGE`: draw mutants, try them, and print which of them survive."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path

from tools.mutants.cython import Cython
from tools.mutants.mirrored import Stage, mirrored_stages, rest_of_suite
from tools.mutants.page import Page, PageTests
from tools.mutants.pytest_run import Pytest
from tools.mutants.python import Python
from tools.mutants.sample import Language, Mutant, draw
from tools.mutants.tree import CompiledTree, NotCompiled, Tree
from tools.mutants.trial import noticed_by

CHECKOUT = Path(__file__).parents[2]
BUILD = CHECKOUT / "build" / "mutants"
COUNTS = {"python": 60, "page": 60, "cython": 10}
SHARES = {"python": 93.0, "page": 85.0, "cython": 0.0}  # percent that must be noticed
LIMITS = {"python": 600.0, "page": 120.0, "cython": 900.0}  # seconds of a run of tests
SPARES = {"python": 1, "page": 1, "cython": 3}  # drawn for each one, as some do not compile


def parser() -> ArgumentParser:
    """Return the parser of the command line."""
    found = ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    found.add_argument("language", choices=sorted(COUNTS))
    found.add_argument("--seed", type=int, default=1, help="which sample is drawn")
    found.add_argument("--count", type=int, metavar="N", help="the number of mutants")
    found.add_argument("--least", type=float, metavar="PERCENT", help="noticed, or the status is 1")
    found.add_argument("--limit", type=float, metavar="SECONDS", help="for a run of tests")
    found.add_argument(
        "--only", type=int, nargs="+", metavar="K", help="numbers of the sample's mutants to try"
    )
    found.add_argument(
        "--folder", type=Path, default=BUILD, help="where the copy of the project is made"
    )
    found.add_argument("--mirrored", action="store_true", help="run only the tests of the module")
    found.add_argument("--list", action="store_true", help="print the sample, and try nothing")
    found.add_argument(
        "--marks",
        default="not slow and not release",
        metavar="EXPRESSION",
        help="the tests of other modules to run, by their marks as in pytest -m",
    )
    return found


def main(arguments: list[str]) -> int:
    """Try a sample; return the status of the command."""
    given = parser().parse_args(arguments)
    language = given.language
    count = COUNTS[language] if given.count is None else given.count
    least = SHARES[language] if given.least is None else given.least
    sample = draw(_language(language), CHECKOUT, given.seed, SPARES[language] * count)
    if given.list:
        for number, mutant in enumerate(sample[:count], 1):
            print(_described(number, mutant))
        return 0
    trial = _trial(given)
    noticed = tried = compiled = 0
    for number, mutant in enumerate(sample, 1):
        if compiled == count:
            break
        try:
            if given.only and number not in given.only:
                compiled += 1
                continue
            found = trial(mutant)
        except NotCompiled:
            print(f"{_described(number, mutant)}\n     cannot be compiled", flush=True)
            continue
        except RuntimeError as error:
            print(f"     not tried: {error}", flush=True)
            found = None
        compiled += 1
        tried += 1
        noticed += found is not None
        verdict = f"noticed by {found}" if found else "SURVIVED"
        print(f"{_described(number, mutant)}\n     {verdict}", flush=True)
    share = 100 * noticed / max(tried, 1)
    print(f"noticed {noticed} of {tried} ({share:.0f} %), seed {given.seed}")
    return int(share < least)


def _described(number: int, mutant: Mutant) -> str:
    place = f"{mutant.path}:{mutant.line}"
    return f"{number:3}  {place}  {mutant.operator}\n     {mutant.before}\n  -> {mutant.after}"


def _language(name: str) -> Language:
    match name:
        case "python":
            return Python()
        case "page":
            return Page(BUILD / "stryker")
        case _:
            return Cython()


def _trial(given: Namespace) -> Callable[[Mutant], str | None]:
    """Return the function that tries a mutant."""
    limit = LIMITS[given.language] if given.limit is None else given.limit
    root = given.folder.resolve() / f"tree-{given.language}"
    tree = (
        CompiledTree(CHECKOUT, root, limit) if given.language == "cython" else Tree(CHECKOUT, root)
    )
    if given.language == "page":
        page = PageTests(root, limit)
        return lambda mutant: noticed_by(mutant, tree, page, page.stages(mutant.path))
    tests = Pytest(root, limit)
    return lambda mutant: noticed_by(mutant, tree, tests, _stages(root, mutant, given))


def _stages(root: Path, mutant: Mutant, given: Namespace) -> Iterable[Stage]:
    stages = mirrored_stages(root, mutant.path)
    return stages if given.mirrored else [*stages, rest_of_suite(stages, given.marks)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
