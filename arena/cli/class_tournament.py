"""Preparation of a tournament of submissions: programs become bots, and its size is chosen."""

import itertools
import math
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from arena.cli.arguments import UsageError, check_anchor, check_encoding
from arena.cli.output import notify
from arena.cli.planning import (
    check_flags,
    check_number,
    check_wait,
    make_plan,
    read_openings,
    stored_plan,
)
from arena.cli.pseudonyms import assign_pseudonyms, names_file, read_names
from arena.cli.serving import admission_for, check_bots, database_path
from arena.cli.shared_options import own_sandbox
from arena.cli.tournament_options import ClassConfig
from arena.grading.builds import Build, Builds
from arena.grading.collect import (
    Collected,
    Submission,
    UnusableFolder,
    collect,
    describe,
    describe_notes,
    read_settings,
)
from arena.grading.settings import Settings
from arena.model.time_control import TimeControl
from arena.processors import usable_processors
from arena.reports.progress import with_progress_bar
from arena.reports.text import counted
from arena.runner.named_bots import check_playable, parse_bots
from arena.sandbox.written_files import remove_folder
from arena.storage.connection import size_of
from arena.storage.lock import is_locked, lock_path, locked_file
from arena.storage.schema import DatabaseInUse
from arena.tournament.duration import (
    Load,
    TournamentSize,
    choose_size,
    format_duration,
    mean_plies,
    time_controls,
)
from arena.tournament.plan import Plan
from bots.specification import Kind, program_in, read_bots

MINUTE = 60  # seconds


@contextmanager
def prepare(config: ClassConfig) -> Iterator[ClassConfig]:
    """Yield the configuration with the programs of all submissions as bots.

    The folder of their builds is locked until the end of the context.

    Args:
        config: The options of the tournament.

    Raises:
        UsageError: The folder of submissions, the sandbox or the bots cannot be used, or the
            database belongs to another tournament.
        DatabaseError: The database cannot be read, or another arena writes to it or its builds.
        OSError: A build cannot be stored.
    """
    collection, settings = _read(config.submissions)
    benchmarks = _benchmarks(config)
    stored = _stored(config.db, config, benchmarks) if config.db else None
    check_flags(config, stored)
    check_wait(config, read_bots(benchmarks))
    # The plan has the paths of the builds, which are beside the database.
    check_encoding("path", str((config.db or Path()).absolute()))
    _check_names(config, benchmarks, [one.name for one in collection.submissions], stored)
    admission_for(config.arena)
    if config.book:
        read_openings(config.game, config.book.path)
    sandbox = own_sandbox(config.sandbox)
    if sandbox.notice:
        notify(sandbox.notice)
    notes = describe_notes(collection)
    for line in (*notes, *describe(config.submissions, collection, settings)):
        notify(line)
    with database_path(config.db) as db, _folder_of_builds(db, is_new=not config.db) as folder:
        builds = Builds(folder, sandbox, settings)
        playing = _build(builds, collection.submissions)
        programs = _programs(db, playing, benchmarks, is_anonymous=config.anonymous)
        if stored:
            programs = _with_versions(config, stored, benchmarks, programs)
        participants = (f"{name}={spec}" for name, spec in programs.items())
        config = replace(config, db=db, bots=(*config.bots, *participants))
        if config.duration and stored:
            config = sized_as(config, stored)
        elif config.duration:
            in_turn = with_progress_bar(sys.stderr, playing)
            config = sized(config, [builds.start_seconds(build) for build in in_turn])
        yield config


def _check_names(
    config: ClassConfig, benchmarks: Mapping[str, str], names: Sequence[str], stored: Plan | None
) -> None:
    """Check what the submissions and the other bots mean together. Raises UsageError."""
    shown = [] if config.anonymous else names
    if both := benchmarks.keys() & shown:
        raise UsageError(f"a submission and a bot of --bots are both named {min(both)}")
    if not stored:
        least, most = len(benchmarks) + 1, len(benchmarks) + len(names)  # some may not be built
        check_number(config, 2 if config.sprt and least <= 2 <= most else most)
        check_anchor(config.anchor, [*benchmarks, *shown])


class NothingBuilt(UsageError):
    """Error of a class without a submission that can be built."""


@contextmanager
def _folder_of_builds(db: Path, *, is_new: bool) -> Iterator[Path]:
    """Lock the folder of the builds for a tournament.

    A folder that no later run can use is removed if there is no database at the end.

    Args:
        db: The database.
        is_new: Whether the name of the database was chosen here, and is not used again.

    Raises:
        DatabaseInUse: Another process uses the folder, or writes to the database.
        OSError: The lock file cannot be created.
    """
    folder = db.with_name(f"{db.name}.builds")
    with ExitStack() as stack:
        try:
            stack.enter_context(locked_file(lock_path(folder), wait=False))
        except BlockingIOError:
            raise DatabaseInUse(f"another arena is writing to {folder}") from None
        if is_locked(lock_path(db)):
            raise DatabaseInUse(f"another arena is writing to {db}")
        is_useless, was_there = is_new, folder.exists()
        try:
            yield folder
        except NothingBuilt:
            is_useless = not was_there
            raise
        finally:
            if is_useless and not size_of(db):
                remove_folder(folder)
                if is_new:  # else an earlier run may have written the pseudonyms
                    names_file(db).unlink(missing_ok=True)


def _with_versions(
    config: ClassConfig, stored: Plan, benchmarks: Mapping[str, str], given: Mapping[str, str]
) -> dict[str, str]:
    """Return the programs of a stored tournament, and with --extend the new ones after them.

    Raises:
        UsageError: The given programs differ from the stored ones.
    """
    programs = _stored_programs(stored, benchmarks)
    new = new_versions(programs, given)
    if config.extend:
        return programs | new
    specs = {*given.values()}  # `arena rename` may have replaced a name
    differences = [
        *(
            f"{name} is missing"
            for name, spec in programs.items()
            if spec not in specs and student_of(name, programs) not in given
        ),
        *(f"{name} is new" for name in new),
    ]
    if differences:
        text = ", ".join(differences)
        raise UsageError(
            f"{config.db} belongs to a different tournament: {text}"
            " (--extend keeps the programs that have played, and adds new ones)"
        )
    return programs


def _stored_programs(stored: Plan, benchmarks: Mapping[str, str]) -> dict[str, str]:
    """Return the specifications of the submissions in a stored tournament, by name."""
    return {
        name: spec
        for name, spec in stored.bots.items()
        if name not in benchmarks and spec.startswith(f"{Kind.PROGRAM}:")
    }


def new_versions(stored: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the programs that are not stored yet; versions have numbers. Pure.

    Args:
        stored: The specifications of the stored programs by name.
        given: The specifications of the programs by the name of the student.
    """
    new = {}
    for student, spec in given.items():
        if spec not in stored.values():
            numbered = (f"{student}.{number}" for number in itertools.count(2))
            free = (name for name in numbered if name not in stored and name not in given)
            new[next(free) if student in stored else student] = spec
    return new


def student_of(name: str, stored: Collection[str]) -> str:
    """Return the student's name from a program's, which may end in a version number. Pure."""
    student, _, number = name.rpartition(".")
    return student if number.isdecimal() and student in stored else name


def _read(submissions: Path) -> tuple[Collected, Settings]:
    try:
        collection = collect(submissions)
        settings = read_settings(submissions)
    except UnusableFolder as error:
        raise UsageError(str(error)) from None
    if not collection.submissions:
        raise UsageError(f"{submissions} contains no submission")
    return collection, settings


def _benchmarks(config: ClassConfig) -> dict[str, str]:
    """Check the other bots and return their specifications by name. Raises UsageError."""
    try:
        bots = parse_bots(config.bots, config.bot_files)
        check_playable(bots, config.game)
    except ValueError as error:
        raise UsageError(str(error)) from None
    check_bots(bots, config.game, config.bot_files, config.sandbox)
    return {name: spec.text for name, spec in bots.items()}


def _stored(db: Path, config: ClassConfig, benchmarks: Mapping[str, str]) -> Plan | None:
    """Return the stored plan, or None.

    Raises:
        UsageError: Only one of both is anonymous, or the stored one has no submissions.
    """
    plan = stored_plan(db)
    if plan:
        # The file may be left by a tournament that was refused.
        is_anonymous = not plan.bots.keys().isdisjoint(read_names(db).values())
        if is_anonymous != config.anonymous:
            kind = "with" if is_anonymous else "without"
            raise UsageError(f"{db} belongs to a different tournament, {kind} --anonymous")
        if not (config.extend or _stored_programs(plan, benchmarks)):
            raise UsageError(f"{db} belongs to a different tournament, without submissions")
    return plan


def _build(builds: Builds, submissions: Sequence[Submission]) -> list[Build]:
    """Build all submissions, print the failures and return the other builds."""
    with builds.build(submissions, usable_processors()) as futures:
        found = [future.result() for future in with_progress_bar(sys.stderr, futures)]
    for build in found:
        if build.failure:
            notify(f"submission {build.name} does not take part: {build.failure}")
    playing = [build for build in found if not build.failure]
    if not playing:
        raise NothingBuilt(f"none of {counted(len(found), 'submission')} can be built")
    return playing


def _programs(
    db: Path, builds: Sequence[Build], benchmarks: Mapping[str, str], *, is_anonymous: bool
) -> dict[str, str]:
    """Return the specifications of the programs by their names or pseudonyms, in order."""
    specs = {
        build.name: program_in(build.folder, build.command, build.inner).text for build in builds
    }
    if is_anonymous:
        pseudonyms = assign_pseudonyms(db, [*specs], benchmarks)
        return {pseudonyms[name]: specs[name] for name in sorted(specs, key=pseudonyms.__getitem__)}
    return specs


def sized(config: ClassConfig, starts: Sequence[float]) -> ClassConfig:
    """Return the configuration of a tournament that takes about the time of --duration.

    Args:
        config: The configuration, with the programs among its bots.
        starts: The time that each program takes to start. Seconds.

    Raises:
        UsageError: Not even one round fits, or there is no plan.
    """
    config = _with_concurrency(config)
    assert config.duration
    start = median(starts)
    plan, size = _choice(_with_rounds(config, 1), starts)
    if not size.rounds:
        fitting = _fitting(config, starts, others=len(plan.bots) - len(starts))
        raise UsageError(_too_short(config.duration, plan, size, fitting))
    if not config.quiet:
        notify(
            f"programs start in {start:.2g} s (median); chosen:"
            f" --{config.sized_by} {size.rounds} --time"
            f" {size.time} --concurrency {config.at_once},"
            f" {counted(size.rounds * plan.matches, 'match', 'matches')} in about"
            f" {format_duration(size.rounds * size.round_seconds)}"
        )
    return _with_rounds(replace(config, time=size.time), size.rounds)


def _choice(config: ClassConfig, starts: Sequence[float]) -> tuple[Plan, TournamentSize]:
    """Return the plan of one round, and the size that fits."""
    assert config.duration
    plan = make_plan(config)
    share = len(starts) / len(plan.bots)
    start = median(starts)
    load = Load(plan.matches, mean_plies(plan), share, start, config.at_once)
    times = [config.time] if config.time else time_controls(start)
    return plan, choose_size(load, config.duration, times)


def _fitting(config: ClassConfig, starts: Sequence[float], others: int) -> Iterator[str]:
    """Yield the flags of shorter tournaments that fit: the longest of each kind.

    `others` is the number of bots that are no submissions.
    """
    kinds = [_shorter_swiss(config)]
    if config.format == "round-robin" and others:
        one = replace(config, format="gauntlet", seeds=others)
        kinds.append(iter([(f"--format gauntlet --seeds {others}", one)]))
    if len(config.setups) > 1:
        numbers = {name: [str(value)] for name, value in config.setups[0].items()}
        one = replace(config, parameters=numbers)
        flags = " ".join(f"--{name} {value}" for name, value in config.setups[0].items())
        kinds.append(iter([(flags, one)]))
    for kind in kinds:
        for flags, shorter in kind:
            if _choice(_with_rounds(shorter, 1), starts)[1].rounds:
                yield flags
                break


def _shorter_swiss(config: ClassConfig) -> Iterator[tuple[str, ClassConfig]]:
    """Yield the flags of Swiss tournaments, the longest first."""
    if config.format not in ("round-robin", "swiss"):
        return
    given = config.rounds if config.format == "swiss" else None
    swiss = replace(config, format="swiss", rounds=given, pairs=1)
    for rounds in range(make_plan(swiss).rounds, 0, -1):
        yield f"--format swiss --rounds {rounds}", replace(swiss, rounds=rounds)


def sized_as(config: ClassConfig, stored: Plan) -> ClassConfig:
    """Return the configuration with the size of the stored tournament."""
    config = _with_concurrency(config)
    config = replace(config, time=config.time or TimeControl.parse(stored.time))
    return _with_rounds(config, getattr(stored, config.sized_by))


def _with_rounds(config: ClassConfig, rounds: int) -> ClassConfig:
    """Return the configuration with a number of rounds, or of pairs if the format has those."""
    if config.sized_by == "pairs":
        return replace(config, pairs=rounds)
    return replace(config, rounds=rounds)


def _with_concurrency(config: ClassConfig) -> ClassConfig:
    """Choose the concurrency, unless it is given: the start of a program can use two processors."""
    return replace(config, concurrency=config.concurrency or max(1, usable_processors() // 2))


def _too_short(duration: float, plan: Plan, size: TournamentSize, fitting: Iterable[str]) -> str:
    needed = format_duration(MINUTE * math.ceil(size.round_seconds / MINUTE))
    return (
        f"--duration {format_duration(duration)} is too short:"
        f" {counted(plan.matches, 'match', 'matches')} at --time {size.time}"
        f" take about {format_duration(size.round_seconds)}"
        f" (choose from {', '.join((*fitting, f'--duration {needed}'))})"
    )
