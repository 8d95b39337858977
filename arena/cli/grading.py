"""Flags of `arena grade`, and their conversion to its configuration."""

import argparse
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.cli.arguments import UsageError, check_minimums
from arena.cli.configuration import GradeConfig
from arena.cli.flags import add_timeout
from arena.grading.scheme import LINES, Matching, Scheme, parse_weights
from arena.processors import usable_processors
from arena.sandbox.sandbox import Policy, parse_policy

SEED, DEFAULT_SEED = "ARENA_SEED", 1  # variable of the environment
MAX_HARDEST = 60  # seconds of the largest case
MAX_TIMEOUT = 3600  # seconds of a case
MAX_CASES = 1000
MAX_JOBS = 256


def add_grading(command: argparse.ArgumentParser) -> None:
    """Add the flags of `arena grade`."""
    command.add_argument(
        "submissions",
        type=Path,
        metavar="SUBMISSIONS",
        help="folder of submissions, or one submission: a folder, a zip file or a single file",
    )
    _add_cases(command)
    _add_marking(command)
    command.add_argument(
        "--sandbox",
        type=parse_policy,
        choices=[*Policy],
        default=Policy.REQUIRE,
        help="protection from the programs: require bubblewrap, use it where it works (auto), or"
        " none (default: %(default)s)",
    )
    _add_grade_reports(command)


def _add_cases(command: argparse.ArgumentParser) -> None:
    """Add the cases of a grading and the limits of programs."""
    command.add_argument(
        "--cases",
        type=int,
        default=20,
        help="number of cases: the assignment's four, then drawn ones (default: %(default)s)",
    )
    command.add_argument(
        "--seed",
        type=int,
        default=os.environ.get(SEED) or str(DEFAULT_SEED),
        help="seed of the drawn cases; programs that are not isolated can read a command line, but"
        f" not the environment of another user (default: ${SEED}, or {DEFAULT_SEED})",
    )
    command.add_argument(
        "--hardest",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help="time that an ordinary solution in Java, 300,000 nodes per second, needs for the"
        " largest case (default: 1)",
    )
    add_timeout(command)
    command.add_argument(
        "--jobs",
        type=int,
        default=usable_processors(),
        help="submissions that are run at the same time (default: one for each processor)",
    )


def _add_marking(command: argparse.ArgumentParser) -> None:
    """Add the marking scheme of a grading."""
    command.add_argument(
        "--weights",
        nargs="+",
        default=[],
        metavar="LINE=WEIGHT",
        help=f"weights of the lines {', '.join(LINES)} (default: 1 each)",
    )
    command.add_argument(
        "--match",
        choices=[matching.value for matching in Matching],
        default=Matching.TOLERANT.value,
        help="compare lines exactly, or without regard to white space, case and other lines"
        " (default: tolerant)",
    )
    command.add_argument(
        "--points",
        type=float,
        default=100.0,
        help="points of a submission without errors (default: 100)",
    )


def _add_grade_reports(command: argparse.ArgumentParser) -> None:
    """Add the reports of a grading."""
    command.add_argument(
        "--output",
        type=Path,
        metavar="REPORT",
        help="folder to write: grades.csv, index.html for the teacher, and pages for each student;"
        " the same command continues a grading that was stopped",
    )
    command.add_argument(
        "--gradescope",
        type=Path,
        metavar="FILE",
        help="write the results for Gradescope's autograder (results.json); SUBMISSIONS is then one"
        " submission",
    )
    command.add_argument(
        "--junit", type=Path, metavar="FILE", help="write the results as JUnit XML"
    )
    command.add_argument(
        "--page",
        metavar="URL",
        help="page of an arena that the positions in the reports link to (default: no links)",
    )
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="print the submissions that are found, and what would be built of each",
    )


def configure_grading(given: Mapping[str, Any]) -> GradeConfig:
    """Return the configuration that the parsed values mean. Raises UsageError."""
    values = dict(given)
    check_minimums({name: (values[name], 1) for name in ("cases", "jobs")})
    limits = {"cases": MAX_CASES, "jobs": MAX_JOBS, "hardest": MAX_HARDEST, "timeout": MAX_TIMEOUT}
    for name, most in limits.items():
        if not 0 < values[name] <= most:
            raise UsageError(f"--{name} must be above 0 and at most {most}, not {values[name]}")
    words, match, points = (values.pop(name) for name in ("weights", "match", "points"))
    if values["page"] and not values["page"].startswith(("http://", "https://")):
        raise UsageError(
            f"--page must be an address with http:// or https://, not {values['page']!r}"
        )
    if not 0 < points < math.inf:
        raise UsageError(f"--points must be above 0 and finite, not {points}")
    try:
        weights = parse_weights(words)
    except ValueError as error:
        raise UsageError(f"--weights {error}") from None
    return GradeConfig(**values, scheme=Scheme(weights, Matching(match), points))
