"""Attacks on an arena, each beside four honest bots: `python -m bench.arena.attacks`.

The arena is the command `arena serve` on a core of its own. Honest bots play two matches at once at
full speed on another core; the attackers get a third core or, with two, the rest of the second.
Each attack is measured on a new arena: the honest bots alone, beside a neighbour that keeps the
attackers' core busy and does nothing to the arena, beside the attack, and after it. The database is
in memory: a slow disk would delay the next match, attack or not. It needs /proc and /dev/shm of
Linux.

"ratio" is the share of the moves of the honest bots alone; "busy" is the share of those beside the
busy neighbour. The goal is for the latter: what a shared core costs honest bots is no fault of the
arena. With three cores both are the same. "us/move" is the processor time of the arena for each
honest move: its growth is what an attack costs the arena itself.
"""

import argparse
import resource
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.arena.attacks.arena_command import ArenaCommand, running_arena, vanishing_folder
from bench.arena.attacks.attacker import Attack, load_attacks
from bench.arena.attacks.measurement import (
    PATIENCE,
    SHORTEST,
    Cores,
    Row,
    create_history,
    honest_play,
    is_back,
    measure,
    percentile,
)
from bench.arena.load import ChildProcess
from bench.goals import met

NEEDED_FILES = 8192  # descriptors of one process
HEADER = (
    f"{'attack':<34} {'moves/s':>23} {'after':>6} {'ratio':>5} {'busy':>5}  {'us/move':>20}"
    f"  {'p50 ms':>12} {'p99 ms':>15}  {'failed':>6}  {'MiB':>13}"
    f"  {'viewer':>6} {'visitor':>7}  goals, and the attackers"
)


def main() -> None:
    """Print the table; the exit status is 1 if a goal is missed."""
    attacks = load_attacks()
    chosen = _arguments([*attacks])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(NEEDED_FILES, hard)), hard))
    selected = [attacks[name] for name in chosen.only or attacks]
    is_met = True
    with vanishing_folder() as folder:
        history = folder / "history.db"
        if any(attack.needs_history for attack in selected):
            create_history(history)
        if chosen.hours:
            is_met = _run_long(selected, chosen.seconds, chosen.hours, history)
        else:
            print(HEADER, flush=True)
            for attack in selected:
                is_met &= _run(attack, chosen.seconds, chosen.patience, history)
    raise SystemExit(0 if is_met else 1)


def _arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.attacks", description="Attack an arena beside honest matches."
    )
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="length of each measurement (default: 5)"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        help=f"seconds in which the memory can come back after an attack (default: {PATIENCE:g})",
    )
    parser.add_argument(
        "--only", nargs="+", choices=names, metavar="NAME", help=f"attacks: {', '.join(names)}"
    )
    parser.add_argument(
        "--hours",
        type=float,
        default=0.0,
        help="repeat the attacks on one arena for some hours, and report its memory",
    )
    chosen = parser.parse_args()
    if chosen.seconds < SHORTEST:
        parser.error(f"--seconds must be at least {SHORTEST:g}, got {chosen.seconds:g}")
    return chosen


@contextmanager
def _arena(history: Path | None) -> Iterator[tuple[ArenaCommand, ChildProcess, Cores]]:
    """Run a new arena with honest bots."""
    cores = Cores.of_this_machine()
    with vanishing_folder() as folder:
        if history:
            shutil.copy(history, folder / "arena.db")
        with running_arena(folder, cores.arena) as arena, honest_play(arena, cores) as bots:
            yield arena, bots, cores


def _has_failed(arena: ArenaCommand) -> bool:
    """Print the errors in the log of an arena; return whether there are any."""
    errors = arena.errors()
    for error in errors:
        print(f"  the arena logged: {error}", flush=True)
    return bool(errors)


def _run(attack: Attack, seconds: float, patience: float, history: Path) -> bool:
    """Print the row of an attack on a new arena; return whether its goals are met."""
    with _arena(history if attack.needs_history else None) as (arena, bots, cores):
        row = measure(arena, bots, cores, attack, seconds, patience)
        print(format_row(row), flush=True)
        return not row.missed() and not _has_failed(arena)


def _run_long(attacks: list[Attack], seconds: float, hours: float, history: Path) -> bool:
    """Repeat the attacks on one arena, and print its memory after each round."""
    end, is_met = time.monotonic() + 3600 * hours, True
    needs_history = any(attack.needs_history for attack in attacks)
    with _arena(history if needs_history else None) as (arena, bots, cores):
        print(f"memory {arena.memory:.1f} MiB, {arena.descriptors} descriptors at the start")
        print(HEADER, flush=True)
        sizes: list[float] = []
        while time.monotonic() < end:
            for attack in attacks:
                row = measure(arena, bots, cores, attack, seconds)
                print(format_row(row), flush=True)
                is_met &= not row.missed()
            sizes.append(arena.memory)
            print(
                f"memory {sizes[-1]:.1f} MiB, {arena.descriptors} descriptors"
                f" after round {len(sizes)}",
                flush=True,
            )
        return is_met and is_back(sizes[0], sizes[-1]) and not _has_failed(arena)


def format_row(row: Row) -> str:
    """Return the line of an attack."""
    base, attacked = row.base, row.attacked
    rate = f"{base.rate:.0f} -> {row.busy.rate:.0f} -> {attacked.rate:.0f}"
    costs = " -> ".join(f"{cost:.1f}" for cost in row.costs)
    halves = f"{_ms(percentile(base, 50))} -> {_ms(percentile(attacked, 50))}"
    worst = f"{_ms(percentile(base, 99))} -> {_ms(percentile(attacked, 99))}"
    memory = "/".join(f"{size:.0f}" for size in row.memory)
    answers = [f"{1000 * each:.0f}" if each is not None else "none" for each in row.answers]
    missed = row.missed()
    goals = f"{met(not missed)} {' '.join(missed)}".strip()
    failed = attacked.failures.total() + attacked.disconnections
    return (
        f"{row.attack.name:<34} {rate:>23} {row.after.rate:>6.0f} {row.ratio:>5.2f}"
        f" {row.ratio_of_busy:>5.2f}  {costs:>20}"
        f"  {halves:>12} {worst:>15}  {failed:>6}  {memory:>13}  {answers[0]:>6} {answers[1]:>7}"
        f"  {goals}; {_attackers(row)}"
    )


def _ms(seconds: float) -> str:
    milliseconds = 1000 * seconds
    return f"{milliseconds:.1f}" if milliseconds < 100 else f"{milliseconds:.0f}"


def _attackers(row: Row) -> str:
    """Describe the ends of the attacker's connections, and of the matches."""
    report = row.report
    ends = [f"{end} x {count}" for end, count in report.ends.most_common()]
    if report.open:
        ends.append(f"open x {report.open}")
    if report.stalled:
        ends.append(f"stalled x {report.stalled}")
    ends.append(f"{report.sent / 1e6:.2f} MB/s")
    ends += [f"{end} x {count}" for end, count in row.attacked.failures.items()]
    if row.attacked.disconnections:
        ends.append(f"honest bots disconnected x {row.attacked.disconnections}")
    return ", ".join(ends)


if __name__ == "__main__":
    main()
