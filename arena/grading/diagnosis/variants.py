"""All misreadings of the rules, and the readings in which they are combined."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations

from arena.grading.diagnosis.evaluation_variants import EVALUATION
from arena.grading.diagnosis.reading import Changes, Rules, Variant
from arena.grading.diagnosis.search_variants import SEARCH

VARIANTS = (*SEARCH, *EVALUATION)


@dataclass(frozen=True, eq=False)
class Reading:
    """A reading of the rules: some misreadings, each in one of the ways to program it.

    Attributes:
        variants: The misreadings; empty for the right reading.
        changes: The switches that they turn.
        rules: All switches.
    """

    variants: tuple[Variant, ...] = ()
    changes: Changes = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    parts: tuple["Reading", ...] = ()


RIGHT = Reading()


@cache
def readings() -> tuple[Reading, ...]:
    """Return the readings with one misreading, in every way to program it."""
    return tuple(
        Reading((variant,), changes, Rules(**changes))
        for variant in VARIANTS
        for changes in variant.changes
    )


@cache
def pairs() -> tuple[Reading, ...]:
    """Return the readings with two misreadings."""
    found = (combined(pair) for pair in combinations(readings(), 2))
    return tuple(reading for reading in found if reading)


@lru_cache(maxsize=20_000)
def combined(parts: tuple[Reading, ...]) -> Reading | None:
    """Return a reading with the misreadings of others, or None if they contradict each other."""
    variants = tuple(variant for part in parts for variant in part.variants)
    merged = {name: value for part in parts for name, value in part.changes.items()}
    is_consistent = all(part.changes.items() <= merged.items() for part in parts)
    if not is_consistent or len({variant.name for variant in variants}) < len(variants):
        return None
    return Reading(variants, merged, Rules(**merged), parts)
