"""Extension of a tournament by rounds and bots: what was played keeps its numbers. Pure."""

from dataclasses import replace
from typing import Any

from arena.tournament.plan import Plan
from arena.tournament.round_robin import Size

EXTENSIBLE = {
    "round-robin": ("bots", "rounds"),
    "gauntlet": ("bots", "rounds"),
    "swiss": ("rounds",),
    "knockout": (),
    "grid": ("rounds",),
}
"""The parameters of each format that an extension may change.

The pairs of a Swiss or a knockout decide about the next rounds, which may have been played.
"""


def extend(stored: Plan, given: Plan) -> Plan:
    """Return the plan that extends a stored one to a given size.

    Every pair of the stored plan is in the extended one, with its number, bots and opening.

    Args:
        stored: The plan in the database.
        given: The plan of the whole tournament as it would be without the stored one.

    Raises:
        ValueError: The given plan is no extension; the message gives the reasons.
    """
    allowed = EXTENSIBLE[stored.format]
    if not allowed and given != stored:
        raise ValueError(f"a {stored.format} cannot be extended; {_differences(stored, given)}")
    same: dict[str, Any] = {name: getattr(stored, name) for name in allowed}
    # New bots may have settings.
    same["settings"] = {bot: given.settings[bot] for bot in given.settings if bot in stored.bots}
    if found := _differences(stored, replace(given, **same)):
        raise ValueError(f"--extend changes only {' and '.join(allowed)}; {found}")
    if [*given.bots.items()][: len(stored.bots)] != [*stored.bots.items()]:
        found = _differences(stored, replace(stored, bots=given.bots))
        raise ValueError(f"--extend adds bots after the stored ones; {found}")
    if given.rounds < stored.rounds:
        raise ValueError(f"--rounds must be at least {stored.rounds}, not {given.rounds}")
    sizes = stored.former_sizes
    if len(given.bots) > len(stored.bots):
        sizes = (*sizes, Size(len(stored.bots), stored.rounds))
    return replace(given, former_sizes=sizes)


def _differences(stored: Plan, given: Plan) -> str:
    return "; ".join(stored.differences(replace(given, former_sizes=stored.former_sizes)))


def is_extension(stored: Plan, given: Plan) -> bool:
    """Return whether a given plan extends a stored one."""
    try:
        extend(stored, given)
    except ValueError:
        return False
    return True
