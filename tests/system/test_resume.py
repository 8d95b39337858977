"""Tournaments that are killed repeatedly and resumed: the result is the same."""

import signal
import subprocess
from pathlib import Path
from random import Random

import pytest

from arena.model.results import MatchResult, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.verify import find_differences
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from tests.support.polling import wait_until
from tests.support.servers.arena_command import (
    COMMAND,
    running_process,
    wait_for_exit,
    wait_for_line,
    with_flags,
    without_times,
)
from tests.support.servers.arena_server import read_matches

STONES = ["--stones", "10-15", "20", "--opening-plies", "2", "--seed", "5", "--time", "600"]


def stored(db: Path) -> int:
    """Return the number of finished matches."""
    with DatabaseReader(db) as records:
        return records.count_rated()


def kill(db: Path, command: list[str], random: Random) -> bool:
    """Start a tournament and kill it at some moment, often while matches are played.

    Returns:
        Whether it had not ended before.
    """
    with running_process(*COMMAND, *command, "--plain", "--db", db) as process:
        if random.random() < 0.8:
            wait_for_line(process, r"(people can watch)")
            before = stored(db)
            wait_until(
                lambda: stored(db) > before or process.poll() is not None, "another stored match"
            )
        try:
            process.wait(random.random() * 0.1)
        except subprocess.TimeoutExpired:
            process.kill()
        status = wait_for_exit(process).status
        assert status in {0, -signal.SIGKILL}
        return status != 0


def kill_repeatedly(db: Path, command: list[str], random: Random, times: int) -> None:
    """Start and kill a tournament, less often only where it ends on a machine that stalls."""
    for _ in range(times):
        if not kill(db, command, random):
            break


def play(db: Path, command: list[str]) -> None:
    """Play a tournament to its end."""
    with running_process(*COMMAND, *command, "--db", db) as process:
        assert wait_for_exit(process).status == 0


def planned(db: Path) -> set[int | None]:
    """Return the numbers of the matches that the plan has required."""
    with DatabaseReader(db) as records:
        plan = Plan.from_json(records.plan() or "")
        schedule = Schedule(plan, [])
        finished = {number: (players, winner) for number, players, winner in records.results()}
    numbers: set[int | None] = set()
    while pairing := schedule.next_pairing():
        numbers.add(pairing.number)
        schedule.add_result(pairing.number or 0, *finished[pairing.number or 0])
    return numbers


def games(db: Path) -> list[object]:
    """Return the finished matches in the order of their numbers, without their times."""
    return without_times(sorted(read_matches(db), key=lambda record: record.pairing.number or 0))


def check(db: Path, undisturbed: Path) -> None:
    """Check that each planned match is played once, with the moves of an undisturbed run."""
    records = read_matches(db)
    numbers = [record.pairing.number for record in records if record.winner]
    assert (len(numbers), {*numbers}) == (len(planned(db)), planned(db))
    assert games(db) == games(undisturbed)
    aborted = MatchResult(Termination.ABORTED, None, "the arena was killed")
    assert all(record.result == aborted for record in records if not record.winner)
    assert not [*filter(None, map(find_differences, records))]


def test_an_extension_that_is_killed_is_resumed(db: Path, tmp_path: Path) -> None:
    command = ["tournament", "--bots", "random", "greedy", "spec:1", *STONES]
    bots = ["--bots", "random", "greedy", "spec:1", "spec:2"]
    extended = with_flags(command, [*bots, "--rounds", "3"])
    undisturbed = tmp_path / "undisturbed.db"
    for path in (db, undisturbed):
        play(path, command)
    before = read_matches(db)
    play(undisturbed, [*extended, "--extend"])
    random = Random(3)
    kill_repeatedly(db, [*extended, "--extend"], random, 4)
    play(db, [*extended, "--extend"])
    check(db, undisturbed)
    assert read_matches(db)[: len(before)] == before
    play(db, extended)  # nothing is left


# Takes 10 s or more: each kill needs a process that plays matches.
@pytest.mark.parametrize(
    ("kills", "more"),
    [
        (10, ["--format", "round-robin", "--rounds", "8"]),
        (5, ["--format", "round-robin", "--rounds", "80", "--workers", "2"]),
        (3, ["--format", "gauntlet", "--seeds", "2"]),
        (3, ["--format", "swiss", "--rounds", "3", "--pairs", "9"]),
        (3, ["--format", "knockout", "--pairs", "9"]),
    ],
    ids=["connections", "in process", "gauntlet", "swiss", "knockout"],
)
def test_a_tournament_that_is_killed_again_and_again_is_resumed(
    db: Path, tmp_path: Path, kills: int, more: list[str]
) -> None:
    bots = ["random", "greedy", "spec:1", "random", "spec:2"]
    command = ["tournament", "--bots", *bots, *STONES, *more]
    undisturbed = tmp_path / "undisturbed.db"
    play(undisturbed, command)
    random = Random(1)
    kill_repeatedly(db, command, random, kills)
    assert games(db)
    play(db, command)
    check(db, undisturbed)
