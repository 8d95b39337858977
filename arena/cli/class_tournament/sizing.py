"""Size of a tournament of submissions, from the start-up times of their programs."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from arena.cli.arguments import UsageError
from arena.cli.class_tournament.flags import sized_by
from arena.cli.configuration import ClassOptions, TournamentConfig
from arena.cli.dry_run import mean_plies
from arena.cli.output import notify
from arena.cli.planning import make_plan
from arena.grading.builds import Build, start_seconds
from arena.model.time_control import TimeControl
from arena.processors import usable_processors
from arena.reports.progress import with_progress_bar
from arena.reports.text import counted
from arena.sandbox.sandbox import Sandbox
from arena.tournament.duration import Load, choose_size, format_duration, time_controls
from arena.tournament.plan import Plan


def sized(
    config: TournamentConfig, options: ClassOptions, builds: Sequence[Build], sandbox: Sandbox
) -> TournamentConfig:
    """Return the configuration of a tournament that takes about the wished time.

    Raises:
        UsageError: Not even one round fits, or there is no plan.
    """
    assert options.duration
    config = _with_concurrency(config, options)
    start = median(start_seconds(build, sandbox) for build in with_progress_bar(sys.stderr, builds))
    plan = make_plan(_with_rounds(config, 1))
    share = len(builds) / len(plan.bots)
    load = Load(plan.matches, mean_plies(plan), share, start, config.concurrency)
    times = [config.time] if options.has_time else time_controls(start, config.time.margin)
    size = choose_size(load, options.duration, times)
    if not size.rounds:
        raise UsageError(_too_short(options.duration, plan, size.time, size.round_seconds))
    if not config.quiet:
        notify(
            f"programs start in {start:.2g} s (median); chosen:"
            f" --{sized_by(config.format)} {size.rounds} --time"
            f" {size.time} --concurrency {config.concurrency},"
            f" {counted(size.rounds * plan.matches, 'match', 'matches')} in about"
            f" {format_duration(size.rounds * size.round_seconds)}"
        )
    return _with_rounds(replace(config, time=size.time), size.rounds)


def sized_as(config: TournamentConfig, options: ClassOptions, stored: Plan) -> TournamentConfig:
    """Return the configuration of a tournament that has begun, whose size is chosen already."""
    config = _with_concurrency(config, options)
    if not options.has_time:
        config = replace(config, time=TimeControl.parse(stored.time))
    return _with_rounds(config, getattr(stored, sized_by(stored.format)))


def _with_rounds(config: TournamentConfig, rounds: int) -> TournamentConfig:
    """Return the configuration with a number of rounds, or of pairs if the format has those."""
    if sized_by(config.format) == "pairs":
        return replace(config, pairs=rounds)
    return replace(config, rounds=rounds)


def _with_concurrency(config: TournamentConfig, options: ClassOptions) -> TournamentConfig:
    """Choose the concurrency, unless it is given: the start of a program can use two processors."""
    if options.has_concurrency:
        return config
    return replace(config, concurrency=max(1, usable_processors() // 2))


def _too_short(duration: float, plan: Plan, time: TimeControl, seconds: float) -> str:
    advice = "a longer --duration, a shorter --time, fewer setups"
    if plan.format == "round-robin":
        advice += ", --format swiss, --format gauntlet"
    return (
        f"--duration {format_duration(duration)} is too short:"
        f" {counted(plan.matches, 'match', 'matches')} at --time {time}"
        f" take about {format_duration(seconds)} (choose from {advice})"
    )
