"""Command `arena check-game`: conformance suite of a game."""

from collections import Counter

from arena.cli.configuration import CheckGameConfig
from arena.conformance.game_checks import run_checks
from arena.conformance.optional_checks import (
    ENCODING_CHECK,
    ENGINE_CHECKS,
    MATCHING_CHECK,
    STRONG_CHECKS,
)
from arena.conformance.rule_checks import RULE_CHECKS
from arena.storage.verify import RECORD_CHECK
from core import GAMES

STATES = ("ok", "FAILED", "skipped")


def run(config: CheckGameConfig) -> int:
    """Print a line for each check of a game, then their numbers.

    Returns:
        The exit status: 0, or 1 if a check has failed.

    Raises:
        OSError: Standard output cannot be written.
    """
    checks = (
        *RULE_CHECKS,
        *ENGINE_CHECKS,
        RECORD_CHECK,
        MATCHING_CHECK,
        *STRONG_CHECKS,
        ENCODING_CHECK,
    )
    counts: Counter[str] = Counter()
    for report in run_checks(GAMES[config.game], config.seed, checks):
        counts[report.state] += 1
        print(f"{report.state:<8} {report.number:>2} {report.title}: {report.detail}", flush=True)
    print(", ".join(f"{counts[state]} {state}" for state in STATES), flush=True)
    return 1 if counts["FAILED"] else 0
