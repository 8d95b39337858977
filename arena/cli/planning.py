"""Plan of a tournament, from its configuration and its database."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arena.cli.arguments import DEFAULT_BOTS, UsageError, unknown_anchor
from arena.cli.configuration import TournamentConfig
from arena.reports.text import counted
from arena.runner.bot_spec import (
    EXTERNAL,
    check_in_process,
    check_playable,
    is_deterministic,
    parse_bots,
    supported_games,
)
from arena.runner.processes import LimitExceeded, check_limits
from arena.storage.reader import DatabaseReader
from arena.tournament.openings import Opening, read_book
from arena.tournament.plan import Plan
from arena.tournament.sweep import is_sweep
from arena.tournament.swiss import max_rounds

SPRT_ROUNDS = 1_000_000  # an upper limit: the sequential test ends the tournament


def make_plan(config: TournamentConfig) -> Plan:
    """Return the plan of the tournament that a configuration asks for.

    Without a seed, the plan has the seed of the tournament in the database, or a random one.

    Raises:
        UsageError: The bots or the book are invalid, or the database belongs to another tournament.
        DatabaseError: The database cannot be read.
    """
    try:
        bots = _bots(config)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return Plan(
        game=config.game,
        bots=bots,
        setups=config.setups,
        time=str(config.time),
        seed=_seed(config.db) if config.seed is None else config.seed,
        format=config.format,
        rounds=config.rounds or _default_rounds(config.format, len(bots), config.sprt),
        seeds=config.seeds or 1,
        pairs=config.pairs or 1,
        opening_plies=config.opening_plies,
        book=_read_book(config.game, config.book) if config.book else (),
        sprt=config.sprt,
        in_process=config.in_process is not None,
    )


def _bots(config: TournamentConfig) -> Mapping[str, str]:
    """Return the given bots, the default ones that can play the game, or the stored ones.

    Those are the bots of an open tournament that has begun.

    Raises ValueError, and UsageError if a given bot is not one of the stored ones.
    """
    if config.in_process:
        check_in_process(parse_bots(config.bots or (), config.bot_files))
    if config.bots is None and not config.server:
        return parse_bots([bot for bot in DEFAULT_BOTS if supported_games(bot, [config.game])])
    named = parse_bots(config.bots or (), config.bot_files)
    check_playable(named, config.game)
    if not config.server:
        if len(named) < 2:
            raise ValueError(f"a tournament needs at least 2 bots, not {len(named)}")
        return named
    stored = stored_plan(config.db) if config.db else None
    if not stored:
        return named
    for name, spec in named.items():
        if stored.bots.get(name) != spec:
            raise UsageError(
                f"{config.db} belongs to a different tournament, without the bot {name}={spec}"
            )
    return stored.bots


def is_open(config: TournamentConfig) -> bool:
    """Return whether bots can still join. Raises UsageError and DatabaseError."""
    return config.server and not (config.db and stored_plan(config.db))


def add_entrants(config: TournamentConfig, plan: Plan, bots: Mapping[str, str]) -> Plan:
    """Return the plan of an open tournament with its final bots.

    Raises:
        UsageError: The plan is not possible with this number of bots.
    """
    rounds = config.rounds or _default_rounds(plan.format, len(bots), plan.sprt)
    plan = replace(plan, bots=bots, rounds=rounds)
    _check_bots(config, plan)
    return plan


def _seed(db: Path | None) -> int:
    stored = stored_plan(db) if db else None
    return stored.seed if stored else secrets.randbits(32)


def stored_plan(db: Path) -> Plan | None:
    """Return the plan in a database; None for an empty or missing database.

    Raises:
        UsageError: The database holds a sweep, or matches without a plan.
        DatabaseError: The database cannot be read.
    """
    if not (db.exists() and db.stat().st_size):
        return None
    with DatabaseReader(db) as records:
        text = records.plan()
        if text is None and records.games():
            raise UsageError(f"{db} holds matches that belong to no tournament")
    if text and is_sweep(text):
        raise UsageError(f"{db} holds a sweep, not a tournament")
    return Plan.from_json(text) if text else None


def _default_rounds(kind: str, bots: int, sprt: str | None) -> int:
    if kind == "swiss" and bots > 1:
        return min(max_rounds(bots), (bots - 1).bit_length())  # the rounds of a knockout
    return SPRT_ROUNDS if sprt else 1


def _read_book(game: str, path: Path) -> tuple[Opening, ...]:
    """Return the openings of a book. Raises UsageError."""
    try:
        with path.open(encoding="utf-8") as lines:
            return tuple(read_book(game, lines))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def check_plan(config: TournamentConfig, plan: Plan) -> None:
    """Check a plan against its flags, its database and the limits of the system.

    The number of bots in an open tournament is checked later, by `add_entrants`.

    Raises:
        UsageError: A check failed.
        DatabaseError: The database cannot be read.
    """
    formats_of_flags = {
        "seeds": ("gauntlet",),
        "pairs": ("swiss", "knockout"),
        "rounds": ("round-robin", "gauntlet", "swiss"),
        "sprt": ("round-robin",),
    }
    for name, formats in formats_of_flags.items():
        if getattr(config, name) is not None and plan.format not in formats:
            raise UsageError(f"--{name} requires --format {' or '.join(formats)}")
    if config.at and not config.server:
        raise UsageError("--at requires --server")
    has_external = any(spec.startswith(EXTERNAL) for spec in plan.bots.values())
    if config.wait is not None and not (config.server or has_external):
        raise UsageError("--wait requires --server or an external bot")
    stored = stored_plan(config.db) if config.db else None
    if stored and (differences := stored.differences(plan)):
        raise UsageError(f"{config.db} belongs to a different tournament; {'; '.join(differences)}")
    if not is_open(config):
        _check_bots(config, plan)
    try:
        if not config.in_process:
            check_limits(plan.bots)
    except LimitExceeded as error:
        raise UsageError(str(error)) from None


def _check_bots(config: TournamentConfig, plan: Plan) -> None:
    kind, bots = plan.format, len(plan.bots)
    if kind == "gauntlet" and plan.seeds >= bots:
        raise UsageError(f"--seeds must be at most {bots - 1} with {bots} bots, not {plan.seeds}")
    if kind == "swiss" and plan.rounds > max_rounds(bots):
        raise UsageError(
            f"--rounds must be at most {max_rounds(bots)} with {bots} bots, so that no pair meets"
            f" twice, not {plan.rounds}"
        )
    if plan.sprt and bots != 2:
        raise UsageError(f"--sprt compares 2 bots, not {bots}")
    if config.anchor and config.anchor[0] not in plan.bots:
        raise unknown_anchor(config.anchor[0], plan.bots)


def repetition_notice(plan: Plan) -> str | None:
    """Return a notice about deterministic bots that are to repeat their games, if there are any."""
    bots = [name for name, spec in plan.bots.items() if is_deterministic(spec)]
    openings = {(tuple(opening.setup.items()), opening.moves) for opening in plan.book}
    distinct = len(openings) or len({tuple(setup.items()) for setup in plan.setups})
    asked, unit = plan.rounds, "round"
    if plan.format in {"swiss", "knockout"}:
        asked, unit = plan.pairs, "pair"
        repeats = asked > distinct
    else:
        repeats = asked * plan.openings_per_round > distinct
    if len(bots) < 2 or (plan.opening_plies and not plan.book) or not repeats:
        return None
    return (
        f"{counted(distinct, 'distinct opening')} for {counted(asked, unit)}: {', '.join(bots)}"
        " repeat their games (--opening-plies N makes random openings)"
    )
