"""Plan of a tournament, from its configuration and its database."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from arena.cli.arguments import (
    DEFAULT_BOTS,
    Book,
    UsageError,
    alternatives,
    check_anchor,
    check_encoding,
)
from arena.cli.openings import SPRT_ROUNDS, choose_openings, keep_openings
from arena.cli.tournament_options import TournamentConfig
from arena.line_file import read_lines
from arena.processors import CAN_PIN, usable_processors
from arena.reports.text import counted
from arena.runner.bot_settings import ProcessSettings, check_settings
from arena.runner.named_bots import (
    Bots,
    check_in_process,
    check_playable,
    parse_bots,
    supported_games,
)
from arena.runner.processes import LimitExceeded, check_limits
from arena.storage.connection import size_of
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.extension import extend, is_extension
from arena.tournament.grid import MAX_CELLS
from arena.tournament.openings import Opening, read_book
from arena.tournament.plan import BOOK_POLICIES, Plan
from arena.tournament.schedule import WHOLE, Part, Schedule
from arena.tournament.swiss import max_rounds
from bots.specification import BotSpec, Kind, read_bots

PARTED_FORMATS = ("round-robin", "gauntlet", "grid")  # their pairs do not depend on results
GRID_PLIES = 2  # random moves at the start of a match of a grid


def make_plan(config: TournamentConfig, stored: Plan | None = None) -> Plan:
    """Return the plan of the tournament that a configuration asks for.

    Without a seed, the plan has the seed of the stored one, or a random one. Bots that were added
    to this tournament earlier keep their place in the plan.

    Args:
        config: The configuration.
        stored: The plan in the database, if there is one.

    Raises:
        UsageError: The bots or the book are invalid, a grid has too many cells, or the stored plan
            cannot be extended in this way.
    """
    try:
        bots = _bots(config, stored)
        check_settings(config.bot, bots, in_process=config.in_process)
    except ValueError as error:
        raise UsageError(str(error)) from None
    for name, spec in bots.items():
        check_encoding("bot", spec.text)
        for key, value in config.bot.get(name, {}).items():
            check_encoding(f"--bot {name}: {key}", value)
    seed = stored.seed if stored else secrets.randbits(32)
    seed = seed if config.seed is None else config.seed
    is_grid = config.format == "grid"
    plies = config.opening_plies or (GRID_PLIES if is_grid else 0,)
    plan = Plan(
        game=config.game,
        bots={name: spec.text for name, spec in bots.items()},
        setups=config.setups,
        time=str(config.time_control),
        seed=seed,
        format=config.format,
        rounds=config.rounds or _default_rounds(config.format, len(bots), config.sprt),
        seeds=config.seeds or 1,
        pairs=config.pairs or 1,
        opening_plies=0 if is_grid else plies[0],
        book=_openings_of(config.book, config.game, seed) if config.book else (),
        sprt=config.sprt,
        in_process=config.in_process,
        book_policy=config.book.policy if config.book else BOOK_POLICIES[0],
        settings=config.bot,
        grid_plies=plies if is_grid else (),
    )
    if not stored:
        if is_grid and plan.cells > MAX_CELLS:
            raise UsageError(f"too many cells of the grid: {plan.cells} (at most {MAX_CELLS})")
        return plan if config.server else choose_openings(config, plan)
    plan = keep_openings(config, plan, stored)
    if not config.extend:
        return replace(plan, former_sizes=stored.former_sizes)
    try:
        return extend(stored, plan)
    except ValueError as error:
        raise UsageError(f"{config.db} cannot be extended: {error}") from None


def _bots(config: TournamentConfig, stored: Plan | None) -> Bots:
    """Return the given bots, the default ones that can play the game, or the stored ones.

    An open tournament that has begun has stored bots.

    Raises ValueError, and UsageError if a given bot is not one of the stored ones.
    """
    if config.bots is None and not config.server:
        return parse_bots(
            [bot for bot in DEFAULT_BOTS if supported_games(BotSpec.parse(bot), [config.game])]
        )
    named = parse_bots(config.bots or (), config.bot_files, bot_folders(config.bot))
    if config.in_process:
        check_in_process(named)
    check_playable(named, config.game)
    if not config.server:
        if len(named) < 2:
            raise ValueError(f"a tournament needs at least 2 bots, not {len(named)}")
        return named
    if not stored:
        return named
    for name, spec in named.items():
        if stored.bots.get(name) != spec.text:
            raise UsageError(
                f"{config.db} belongs to a different tournament, without the bot {name}={spec}"
            )
    return read_bots(stored.bots)


def bot_folders(settings: Mapping[str, Mapping[str, str]]) -> dict[str, Path]:
    """Return the folders of the bots that have one of their own, by name."""
    folders = {name: ProcessSettings.of(of_bot).folder for name, of_bot in settings.items()}
    return {name: folder for name, folder in folders.items() if folder}


def add_entrants(config: TournamentConfig, plan: Plan, bots: Mapping[str, str]) -> Plan:
    """Return the plan of an open tournament with its final bots.

    Raises:
        UsageError: The plan is not possible with this number of bots.
    """
    rounds = config.rounds or _default_rounds(plan.format, len(bots), plan.sprt)
    plan = replace(plan, bots=bots, rounds=rounds)
    check_number(config, len(bots))
    check_anchor(config.anchor, bots)
    return choose_openings(config, plan)


def stored_plan(db: Path | None) -> Plan | None:
    """Return the plan in a database; None for an empty or missing one. Raises as `read_plan`."""
    if not (db and size_of(db)):
        return None
    with DatabaseReader(db) as records:
        return read_plan(records)


def read_plan(records: DatabaseReader) -> Plan | None:
    """Return the plan of a database, or None.

    Raises:
        UsageError: The database holds matches without a plan.
        DatabaseError: The database cannot be read.
    """
    plan = records.decoded_plan()
    if plan is None and records.games():
        raise UsageError(f"{records.path} holds matches that belong to no tournament")
    return plan


def _default_rounds(kind: str, bots: int, sprt: str | None) -> int:
    if kind == "swiss" and bots > 1:
        return min(max_rounds(bots), (bots - 1).bit_length())  # the rounds of a knockout
    return SPRT_ROUNDS if sprt else 1


def _openings_of(book: Book, game: str, seed: int) -> tuple[Opening, ...]:
    """Return the openings of a book in the order of their use. Raises UsageError."""
    openings = read_openings(game, book.path)
    if book.start > len(openings):
        raise UsageError(f"--book: start must be at most {len(openings)}, not {book.start}")
    if book.order == "random":
        Random(f"{seed}/book").shuffle(openings)
    first = book.start - 1
    return (*openings[first:], *openings[:first])


def read_openings(game: str, path: Path) -> list[Opening]:
    """Return the openings of a book. Raises UsageError."""
    try:
        return read_book(game, read_lines(path))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def check_flags(config: TournamentConfig, stored: Plan | None) -> None:
    """Check the flags that need no new plan, before bots are looked up and a book is read.

    Args:
        config: The configuration.
        stored: The plan in the database, if there is one.

    Raises:
        UsageError: A check failed.
    """
    formats_of_flags = {
        "seeds": ("gauntlet",),
        "pairs": ("swiss", "knockout"),
        "rounds": ("round-robin", "gauntlet", "swiss", "grid"),
        "sprt": ("round-robin",),
    }
    for name, formats in formats_of_flags.items():
        if getattr(config, name) is not None and config.format not in formats:
            raise UsageError(f"--{name} requires --format {alternatives(formats)}")
    if config.extend and not stored:
        raise UsageError("--extend requires --db with a tournament")
    if config.part != WHOLE:
        _check_part(config, stored)
    if config.affinity:
        _check_affinity(config.at_once)


def check_plan(config: TournamentConfig, plan: Plan, stored: Plan | None = None) -> None:
    """Check a plan against its flags, the stored plan and the limits of the system.

    The number of bots in an open tournament is checked later, by `add_entrants`.

    Args:
        config: The configuration.
        plan: The plan.
        stored: The plan in the database, if there is one.

    Raises:
        UsageError: A check failed.
    """
    bots = read_bots(plan.bots)
    check_wait(config, bots)
    if stored and not config.extend and (differences := stored.differences(plan)):
        hint = " (--extend adds what is new)" if is_extension(stored, plan) else ""
        raise UsageError(
            f"{config.db} belongs to a different tournament; {'; '.join(differences)}{hint}"
        )
    if stored or not config.server:
        check_number(config, len(bots))
        check_anchor(config.anchor, bots)
    try:
        if not config.in_process:
            check_limits(bots, has_logs=config.logs is not None)
    except LimitExceeded as error:
        raise UsageError(str(error)) from None


def check_wait(config: TournamentConfig, bots: Bots) -> None:
    """Check that there is something to wait for. Raises UsageError."""
    has_external = any(spec.kind is Kind.EXTERNAL for spec in bots.values())
    if config.wait is not None and not (config.server or has_external):
        raise UsageError("--wait requires --server or an external bot")


def _check_part(config: TournamentConfig, stored: Plan | None) -> None:
    if config.format not in PARTED_FORMATS:
        raise UsageError(f"--part requires --format {alternatives(PARTED_FORMATS)}")
    for name in ("sprt", "server"):
        if getattr(config, name):
            raise UsageError(f"--part cannot be combined with --{name}")
    if config.seed is None and not stored:
        raise UsageError("--part requires --seed, the same one for all parts")


def _check_affinity(concurrency: int) -> None:
    if not CAN_PIN:
        raise UsageError("--affinity requires Linux")
    if concurrency > (usable := usable_processors()):
        raise UsageError(
            "--affinity requires a processor for each match:"
            f" --concurrency must be at most {usable} here, not {concurrency}"
        )


def processors_notice(matches: int | None) -> list[str]:
    """Return a notice, or none, if there are more simultaneous matches than processors.

    In a match only one bot thinks at a time, as far as the arena knows.

    Args:
        matches: The number of simultaneous matches; None if it is not known.
    """
    usable = usable_processors()
    if matches is None or matches <= usable:
        return []
    return [
        f"{matches} matches at once share {counted(usable, 'processor')}: bots think more slowly"
        " than alone and may lose on time"
    ]


def check_number(config: TournamentConfig, bots: int) -> None:
    """Check that a tournament is possible with a number of bots. Raises UsageError."""
    seeds, rounds = config.seeds or 1, config.rounds or 1
    if config.format == "gauntlet" and seeds >= bots:
        raise UsageError(f"--seeds must be at most {bots - 1} with {bots} bots, not {seeds}")
    if config.format == "swiss" and rounds > max_rounds(bots):
        raise UsageError(
            f"--rounds must be at most {max_rounds(bots)} with {bots} bots, so that no pair meets"
            f" twice, not {rounds}"
        )
    if config.sprt and bots != 2:
        raise UsageError(f"--sprt compares 2 bots, not {bots}")


class StoredPlan:
    """Plan in a database; it is stored, or replaced by its extension, once the bots can play.

    So a misspelt bot does not bind the database.

    Args:
        writer: The database.
        text: The stored plan as JSON; None without one.
    """

    def __init__(self, writer: DatabaseWriter, text: str | None) -> None:
        self._writer = writer
        self._text = text

    @property
    def is_missing(self) -> bool:
        """Whether no plan is stored yet."""
        return self._text is None

    def save(self, plan: Plan) -> None:
        """Store a plan unless it is stored; keep the one that it extends as a former plan.

        Raises:
            DatabaseError: It cannot be written.
        """
        text = plan.to_json()
        if self._text is None:
            self._writer.save_plan(text)
        elif Plan.from_json(self._text) != plan:
            self._writer.replace_plan(self._text, text, time.time())
        self._text = text


def stored_schedule(
    records: DatabaseReader,
    plan: Plan,
    part: Part = WHOLE,
    tags: Mapping[str, str] | None = None,
) -> Schedule:
    """Return the schedule of a plan, with the stored matches.

    If the plan needs no results, only the numbers of matches are read: several times as fast.

    Args:
        records: The database.
        plan: The plan.
        part: The part to play.
        tags: Tags of all matches.

    Raises:
        DatabaseError: The database cannot be read.
    """
    if plan.needs_results:
        return Schedule(plan, records.results(), part, tags)
    return Schedule(plan, (), part, tags, records.numbers())
