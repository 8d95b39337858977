"""Plan of a sweep, from its configuration and its database."""

import secrets
from pathlib import Path

from arena.cli.arguments import UsageError, unknown_anchor
from arena.cli.tournament_configuration import SweepConfig
from arena.model.setups import setup_text
from arena.runner.named_bots import Bots, check_in_process, check_playable, parse_bots
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import Plan
from arena.tournament.sweep import SweepPlan


def make_sweep_plan(config: SweepConfig) -> SweepPlan:
    """Return the plan of the sweep that a configuration asks for.

    Without a seed, the plan has the seed of the sweep in the database, or a random one.

    Raises:
        UsageError: The bots or the setups are invalid, or the database belongs to something else.
        DatabaseError: The database cannot be read.
    """
    bots = _bots(config)
    if config.anchor and config.anchor[0] not in bots:
        raise unknown_anchor(config.anchor[0], bots)
    for index, setup in enumerate(config.setups):
        if setup in config.setups[:index]:
            raise UsageError(f"repeated setup: {setup_text(setup)}")
    stored = stored_sweep(config.db) if config.db else None
    seed = stored.seed if stored and config.seed is None else config.seed
    plan = SweepPlan(
        game=config.game,
        bots={name: spec.text for name, spec in bots.items()},
        setups=config.setups,
        opening_plies=config.opening_plies,
        pairs=config.pairs,
        time=str(config.time_control),
        seed=secrets.randbits(32) if seed is None else seed,
    )
    if stored and (differences := stored.differences(plan)):
        raise UsageError(f"{config.db} belongs to a different sweep; {'; '.join(differences)}")
    return plan


def stored_sweep(db: Path) -> SweepPlan | None:
    """Return the plan in a database; None for an empty or missing database.

    Raises:
        UsageError: The database holds something else.
        DatabaseError: The database cannot be read.
    """
    if not (db.exists() and db.stat().st_size):
        return None
    with DatabaseReader(db) as records:
        plan, has_matches = records.decoded_plan(), bool(records.games())
    if isinstance(plan, Plan):
        raise UsageError(f"{db} holds a tournament, not a sweep")
    if not plan and has_matches:
        raise UsageError(f"{db} holds matches that belong to no sweep")
    return plan


def _bots(config: SweepConfig) -> Bots:
    """Return the specification of each bot by its name. Raises UsageError."""
    try:
        bots = parse_bots(config.specifications, config.bot_files)
        check_in_process(bots)
        check_playable(bots, config.game)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if len(bots) < 2:
        raise UsageError(f"a sweep needs at least 2 bots, not {len(bots)}")
    return bots
