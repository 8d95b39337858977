"""What a tournament's arguments ask for, as a plan."""

import argparse
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arena.cli.arguments import (
    DEFAULT_BOTS,
    Refused,
    anchor,
    check_numbers,
    setups_of,
    time_control,
)
from arena.ratings.sprt import Sprt
from arena.runner.bot_spec import entrants
from arena.runner.processes import LimitExceeded, check_limits
from arena.storage.reader import Records
from arena.tournament.openings import Opening, read_book
from arena.tournament.schedule import Plan
from arena.tournament.swiss import most_rounds
from core import GAMES

UNTIL_DECIDED = 1_000_000  # rounds of a sequential test


def plan_of(arguments: argparse.Namespace) -> Plan:
    """The tournament that the arguments ask for. Raises Refused, and StoreError.

    Without a seed it has that of the tournament in the database, which goes on, or one is drawn.
    """
    check_numbers(arguments)
    try:
        bots = _bots(arguments)
        sprt = str(Sprt.parse(arguments.sprt)) if arguments.sprt else None
    except ValueError as error:
        raise Refused(str(error)) from None
    setups = setups_of([arguments.game], arguments)[arguments.game]
    book = _book(arguments) if arguments.book else ()
    return Plan(
        game=arguments.game,
        bots=bots,
        setups=() if book else setups,
        time=str(time_control(arguments)),
        seed=_seed(arguments.db) if arguments.seed is None else arguments.seed,
        format=arguments.format,
        rounds=arguments.rounds or _usual_rounds(arguments.format, len(bots), sprt),
        seeds=arguments.seeds or 1,
        pairs=arguments.pairs or 1,
        opening_plies=arguments.opening_plies,
        book=book,
        sprt=sprt,
    )


def _bots(arguments: argparse.Namespace) -> Mapping[str, str]:
    """The bots that are named and, if the tournament is open, those that have entered it.

    Raises ValueError, and Refused if they are not those of the tournament that goes on.
    """
    if not arguments.server:
        bots = arguments.bots or DEFAULT_BOTS
        if len(bots) < 2:
            raise ValueError(f"a tournament needs at least 2 bots, not {len(bots)}")
        return entrants(bots)
    named = entrants(arguments.bots or [])
    stored = stored_plan(arguments.db) if arguments.db else None
    if not stored:
        return named
    for name, what in named.items():
        if stored.bots.get(name) != what:
            raise Refused(f"{arguments.db} holds another tournament, without the bot {name}={what}")
    return stored.bots


def is_open(arguments: argparse.Namespace) -> bool:
    """Whether nobody knows yet who will take part. Raises Refused and StoreError."""
    return arguments.server and not (arguments.db and stored_plan(arguments.db))


def with_bots(arguments: argparse.Namespace, plan: Plan, bots: Mapping[str, str]) -> Plan:
    """The plan of an open tournament, for these bots. Raises Refused if it does not suit them."""
    rounds = arguments.rounds or _usual_rounds(plan.format, len(bots), plan.sprt)
    plan = replace(plan, bots=bots, rounds=rounds)
    _check_bots(arguments, plan)
    return plan


def _seed(db: Path | None) -> int:
    stored = stored_plan(db) if db else None
    return stored.seed if stored else secrets.randbits(32)


def stored_plan(db: Path) -> Plan | None:
    """The plan of the tournament in a database; None if nothing is in it or it is not there.

    Raises StoreError, and Refused if there are matches without a plan.
    """
    if not (db.exists() and db.stat().st_size):
        return None
    with Records(db) as records:
        text = records.plan()
        if text is None and records.tallies():
            raise Refused(f"{db} holds matches that are no tournament's")
    return Plan.from_json(text) if text else None


def _usual_rounds(kind: str, bots: int, sprt: str | None) -> int:
    if kind == "swiss" and bots > 1:
        return min(most_rounds(bots), (bots - 1).bit_length())  # as many as a knockout has
    return UNTIL_DECIDED if sprt else 1


def _book(arguments: argparse.Namespace) -> tuple[Opening, ...]:
    """The openings of the book. Raises Refused."""
    for name in ("opening_plies", *GAMES[arguments.game].parameters):
        if getattr(arguments, name):
            raise Refused(f"with --book there is no --{name.replace('_', '-')}: the book says it")
    try:
        with arguments.book.open(encoding="utf-8") as lines:
            return tuple(read_book(arguments.game, lines))
    except OSError as error:
        raise Refused(f"cannot read {arguments.book}: {error.strerror}") from None
    except ValueError as error:
        raise Refused(f"{arguments.book}: {error}") from None


def check(arguments: argparse.Namespace, plan: Plan) -> None:
    """Refuse what does not fit together, a database of something else, and too many bots.

    How many bots an open tournament will have is not known yet. Raises Refused and StoreError.
    """
    meets = {
        "seeds": ("gauntlet",),
        "pairs": ("swiss", "knockout"),
        "rounds": ("round-robin", "gauntlet", "swiss"),
        "sprt": ("round-robin",),
    }
    for name, formats in meets.items():
        if getattr(arguments, name) is not None and plan.format not in formats:
            raise Refused(f"--{name} is for {' and '.join(formats)}, not for {plan.format}")
    if arguments.at and not arguments.server:
        raise Refused("--at is for a tournament with --server")
    stored = stored_plan(arguments.db) if arguments.db else None
    if stored and (differences := stored.differences(plan)):
        raise Refused(f"{arguments.db} holds another tournament: {'; '.join(differences)}")
    if not is_open(arguments):
        _check_bots(arguments, plan)
    try:
        check_limits(plan.bots)
    except LimitExceeded as error:
        raise Refused(str(error)) from None


def _check_bots(arguments: argparse.Namespace, plan: Plan) -> None:
    kind, bots = plan.format, len(plan.bots)
    if kind == "gauntlet" and plan.seeds >= bots:
        raise Refused(f"a gauntlet of {bots} bots has at most {bots - 1} seeds, not {plan.seeds}")
    if kind == "swiss" and plan.rounds > most_rounds(bots):
        raise Refused(
            f"a Swiss tournament of {bots} bots has at most {most_rounds(bots)} rounds without a"
            f" rematch, not {plan.rounds}"
        )
    if plan.sprt and bots != 2:
        raise Refused(f"--sprt compares 2 bots, not {bots}")
    known = anchor(arguments)
    if known and known[0] not in plan.bots:
        raise Refused(f"--anchor {known[0]!r} is none of the bots {', '.join(plan.bots)}")
