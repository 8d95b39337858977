"""Size of a tournament of submissions, from the start-up times of their programs."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from arena.cli.arguments import UsageError
from arena.cli.dry_run import mean_plies
from arena.cli.output import notify
from arena.cli.planning import make_plan
from arena.cli.tournament_configuration import ClassConfig
from arena.model.time_control import TimeControl
from arena.processors import usable_processors
from arena.reports.text import counted
from arena.tournament.duration import (
    Load,
    TournamentSize,
    choose_size,
    format_duration,
    time_controls,
)
from arena.tournament.plan import Plan

MINUTE = 60  # seconds


def sized(config: ClassConfig, starts: Sequence[float]) -> ClassConfig:
    """Return the configuration of a tournament that takes about the wished time.

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
        fitting = _fitting(config, starts)
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


def _fitting(config: ClassConfig, starts: Sequence[float]) -> Iterator[str]:
    """Yield the flags of shorter tournaments that fit: of each kind the longest."""
    kinds = [_shorter_swiss(config)]
    benchmarks = len(config.bots) - len(starts)
    if config.format == "round-robin" and benchmarks:
        one = replace(config, format="gauntlet", seeds=benchmarks)
        kinds.append(iter([(f"--format gauntlet --seeds {benchmarks}", one)]))
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
    """Return the configuration of a tournament that has begun: its size is chosen already."""
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
